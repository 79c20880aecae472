-- @title     Strings that should be one hash
-- @topic     string-families
-- @severity  warning
-- @report    string-families
-- @reads     string-families  families
-- @param     min_entities  count  100  Objects from which a family counts.
-- @param     min_share     ratio  0.5  A string belongs to it when at least this share of the objects has it.
-- @param     min_saving    bytes  10KB  Memory that hashes must save.
-- @reason    One string per attribute pays for a key, an entry and a name each time; the attributes of one object in a small
--            hash share one key, are packed into one block, and are read and changed together.
-- @remedy    Write one hash per object instead, such as HSET user:1 name ... age ...; keep a field apart that expires on its own
--            or is far hotter.
SELECT prefix_id, keys, memory_bytes, saving_bytes, first_key_id, last_key_id,
       fields || CASE WHEN ttl_caveat = 1 THEN '; their TTLs differ' ELSE '' END AS detail,
       1 AS whole
FROM families
WHERE saving_bytes >= :min_saving;
