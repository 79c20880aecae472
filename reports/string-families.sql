-- @title    String families
-- @summary  Strings that look like the fields of one object and would take less as a hash, and hashes that hold a whole table.
-- @order    74
-- @param    top            limit  10    Rows per table; 0 shows all.
-- @param    min_entities   count  100   Objects from which a family counts.
-- @param    min_share      ratio  0.5   A string belongs to the family when at least this share of the objects has it.
-- @param    limit          count  5000  Fields of a hash from which it may be a table.
-- @param    table_bytes    bytes  50    Mean bytes per field and value from which it is one.

-- @section  families  Strings that could be one hash
-- @note     Objects are told by their keys up to the family's prefix, counted exactly up to 4,096, then within about 1 %; the hash is modelled on mean lengths.
-- @note     Fields of a hash can't expire one by one before Redis 7.4 and Valkey 9.0, and all of them share one slot and one TTL: keep a field apart that expires on its own or is much hotter than the rest.
-- @empty    No strings look like the fields of one object.
-- @column   prefix          prefix  Object
-- @column   fields          text    Fields
-- @column   entities        count   Objects
-- @column   keys            count   Keys
-- @column   memory_bytes    bytes   Memory
-- @column   hash_bytes      bytes   As hashes
-- @column   saving_bytes    bytes   Saved
-- @column   no_ttl_share    ratio   No TTL
-- @column   ttl_caveat      flag    TTLs differ
-- @column   prefix_id       number?  Prefix id
-- @column   first_key_id    number?  First key id
-- @column   last_key_id     number?  Last key id
-- @chart    bars  prefix  saving_bytes
WITH m AS (
  SELECT value AS separators FROM meta WHERE name = 'separators'
), f AS (
  SELECT MIN(memory_profile) AS profile FROM files
), strings AS (
  -- Patterns that end in a fixed word below a part that varies, and hold strings only.
  SELECT p.id, p.parent_id, p.depth, p.keys, p.keys_without_ttl, p.memory_bytes,
         segment(p.prefix, m.separators, -1) AS field
  FROM prefixes AS p
  CROSS JOIN m
  JOIN prefix_types AS t ON t.prefix_id = p.id AND t.type = 'string' AND t.keys = p.keys
  WHERE p.own_keys = p.keys AND p.keys >= :min_share * :min_entities AND p.depth > 1
    AND segment(p.prefix, m.separators, -1) NOT LIKE '%{%}%'
), parents AS (
  SELECT strings.parent_id, MAX(strings.keys) AS most
  FROM strings
  JOIN prefixes ON prefixes.id = strings.parent_id
  WHERE without_placeholders(prefixes.prefix) <> prefixes.prefix
  GROUP BY strings.parent_id
), members AS (
  SELECT strings.*
  FROM strings
  JOIN parents ON parents.parent_id = strings.parent_id
  WHERE strings.keys >= :min_share * parents.most
), candidates AS (
  SELECT parent_id, COUNT(*) AS fields, SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes,
         SUM(keys_without_ttl) AS keys_without_ttl, SUM(LENGTH(field)) * 1.0 / COUNT(*) AS field_bytes,
         MIN(keys_without_ttl * 1.0 / keys) AS least_without, MAX(keys_without_ttl * 1.0 / keys) AS most_without,
         MIN(depth) - 1 AS depth, GROUP_CONCAT(field, ', ') AS field_names
  FROM (SELECT * FROM members ORDER BY parent_id, field)
  GROUP BY parent_id
  HAVING COUNT(*) > 1
), wanted AS MATERIALIZED (
  SELECT members.id, members.parent_id, candidates.depth
  FROM members
  JOIN candidates ON candidates.parent_id = members.parent_id
), named AS (
  SELECT wanted.parent_id, k.id, k.payload_bytes,  key_head(k.key, m.separators, wanted.depth) AS head
  FROM keys AS k
  JOIN wanted ON wanted.id = k.prefix_id
  CROSS JOIN m
  WHERE EXISTS (SELECT 1 FROM wanted)
), measured AS (
  SELECT parent_id, approx_distinct(head) AS entities, SUM(payload_bytes) AS payload_bytes,
         SUM(LENGTH(CAST(head AS BLOB))) AS head_bytes, MIN(id) AS first_key_id, MAX(id) AS last_key_id
  FROM named
  GROUP BY parent_id
), modelled AS (
  SELECT candidates.*, measured.entities, measured.first_key_id, measured.last_key_id,
         measured.entities * modelled_bytes(f.profile, 'hash', measured.head_bytes / candidates.keys,
           ROUND(candidates.keys * 1.0 / measured.entities), candidates.field_bytes,
           measured.payload_bytes * 1.0 / candidates.keys,
           CASE WHEN candidates.keys_without_ttl * 2 < candidates.keys THEN 1 ELSE 0 END, NULL) AS hash_bytes
  FROM candidates
  JOIN measured ON measured.parent_id = candidates.parent_id
  CROSS JOIN f
  -- Names alone may deceive: the same objects must really have several of the strings.
  WHERE measured.entities >= :min_entities AND candidates.keys >= (1 + :min_share) * measured.entities
)
SELECT prefixes.prefix, modelled.field_names AS fields, modelled.entities, modelled.keys, modelled.memory_bytes,
       modelled.hash_bytes, modelled.memory_bytes - modelled.hash_bytes AS saving_bytes,
       modelled.keys_without_ttl * 1.0 / modelled.keys AS no_ttl_share,
       CASE WHEN modelled.most_without - modelled.least_without > 0.1 THEN 1 ELSE 0 END AS ttl_caveat,
       modelled.parent_id AS prefix_id, modelled.first_key_id, modelled.last_key_id,
       COUNT(*) OVER () AS total_rows
FROM modelled
JOIN prefixes ON prefixes.id = modelled.parent_id
ORDER BY saving_bytes DESC, prefixes.prefix, modelled.parent_id
LIMIT :top;

-- @section  tables  Hashes that hold a whole table
-- @empty    No hash holds more than {limit:count field} of records.
-- @column   key             key    Hash
-- @column   elements        count  Fields
-- @column   memory_bytes    bytes  Memory
-- @column   memory_share    ratio  of memory
-- @column   mean_bytes      bytes  Field and value
-- @column   buckets         count  Buckets
-- @column   db              number?  DB
SELECT key, elements, memory_bytes,
       memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       payload_bytes / elements AS mean_bytes,
       -- So many that each has room to spare: a power of two that leaves three quarters of the limit, as plans do.
       CAST(POWER(2, CEIL(LOG2(elements / (0.75 * :limit)))) AS INTEGER) AS buckets,
       db,
       COUNT(*) OVER () AS total_rows
FROM keys
WHERE type = 'hash' AND elements > :limit AND payload_bytes >= :table_bytes * elements
ORDER BY memory_bytes DESC, id
LIMIT :top;
