-- @title     Names that say something twice
-- @topic     naming
-- @severity  note
-- @report    naming
-- @reason    A segment that repeats one before it, as the table that is named after its database, tells nothing new and is
--            paid for with every key.
-- @remedy    Leave the repetition out: cx:cxdb:user_info instead of cx:cxdb:cxdb_user_info.
WITH told AS (
  SELECT id, keys, memory_bytes, key_name_bytes,
         repeated_segment(prefix, (SELECT value FROM meta WHERE name = 'separators')) AS again
  FROM prefixes
  WHERE depth > 1
)
SELECT id AS prefix_id, keys, memory_bytes,
       name_saving((SELECT MIN(memory_profile) FROM files), keys, key_name_bytes, LENGTH(again)) AS saving_bytes,
       '"' || again || '" again' AS detail,
       1 AS whole
FROM told
WHERE again IS NOT NULL;
