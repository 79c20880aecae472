-- @title    Keys with no TTL
-- @summary  The keys that never expire: by prefix, by type, and the largest of them.
-- @order    30
-- @param    top        limit  10  Rows per table; 0 shows all.
-- @param    min_bytes  bytes  -   Only keys of at least this much memory.
-- @param    db         count  -   Only this database (keys and types).
-- @param    type       text   -   Only this type (keys and types).
-- @param    match      text   -   Only keys that match this glob (keys).
-- @param    prefix     text   -   Only keys under this prefix (prefixes and keys).

-- @facts
WITH t AS (
  SELECT COALESCE(SUM(keys_without_ttl), 0) AS keys, SUM(keys) AS all_keys,
         COALESCE(SUM(memory_without_ttl), 0) AS memory_bytes, SUM(memory_bytes) AS all_bytes
  FROM totals
)
SELECT keys AS without_ttl, memory_bytes AS without_ttl_bytes,
       keys * 1.0 / NULLIF(all_keys, 0) AS without_ttl_share,
       memory_bytes * 1.0 / NULLIF(all_bytes, 0) AS without_ttl_memory_share
FROM t;
-- @note     {without_ttl:count key} with no TTL: {without_ttl_share:ratio} of keys, {without_ttl_bytes:bytes}, {without_ttl_memory_share:ratio} of memory.

-- @section  prefixes  By prefix
-- @facts
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), children AS (
  SELECT parent_id, SUM(keys_without_ttl) AS keys_without_ttl FROM prefixes GROUP BY parent_id
)
SELECT COUNT(*) AS total_rows
FROM prefixes
LEFT JOIN children ON children.parent_id = prefixes.id
WHERE (:prefix IS NULL OR prefixes.id IN (SELECT id FROM wanted))
  AND prefixes.keys_without_ttl > COALESCE(children.keys_without_ttl, 0);
-- @empty    No prefix here has a key without a TTL.
-- @column   prefix              prefix  Prefix
-- @column   keys_without_ttl    count   No TTL
-- @column   no_ttl_share        ratio   of its keys
-- @column   memory_without_ttl  bytes   Memory
-- @column   memory_share        ratio   of memory
-- @chart    bars  prefix  memory_without_ttl
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), children AS (
  SELECT parent_id, SUM(keys_without_ttl) AS keys_without_ttl, SUM(memory_without_ttl) AS memory_without_ttl
  FROM prefixes
  GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.prefix, prefixes.own_keys,
         prefixes.keys_without_ttl - COALESCE(children.keys_without_ttl, 0) AS keys_without_ttl,
         prefixes.memory_without_ttl - COALESCE(children.memory_without_ttl, 0) AS memory_without_ttl
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
  WHERE (:prefix IS NULL OR prefixes.id IN (SELECT id FROM wanted))
)
SELECT prefix, keys_without_ttl,
       keys_without_ttl * 1.0 / NULLIF(own_keys, 0) AS no_ttl_share,
       memory_without_ttl,
       memory_without_ttl * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share
FROM own
WHERE keys_without_ttl > 0 AND (:min_bytes IS NULL OR memory_without_ttl >= :min_bytes)
ORDER BY memory_without_ttl DESC, prefix, id
LIMIT :top;

-- @section  types  By type
-- @column   type                label  Type
-- @column   keys_without_ttl    count  No TTL
-- @column   no_ttl_share        ratio  of its keys
-- @column   memory_without_ttl  bytes  Memory
-- @column   memory_share        ratio  of memory
SELECT kinds.type,
       SUM(totals.keys_without_ttl) AS keys_without_ttl,
       SUM(totals.keys_without_ttl) * 1.0 / NULLIF(SUM(totals.keys), 0) AS no_ttl_share,
       SUM(totals.memory_without_ttl) AS memory_without_ttl,
       SUM(totals.memory_without_ttl) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share
FROM totals
JOIN kinds ON kinds.id = totals.kind_id
WHERE (:db IS NULL OR totals.db = :db) AND (:type IS NULL OR kinds.type = :type)
GROUP BY kinds.type
HAVING SUM(totals.keys_without_ttl) > 0
ORDER BY memory_without_ttl DESC, kinds.type;

-- @section  keys  Biggest keys with no TTL
-- @empty    No such key.
-- @facts
SELECT CASE WHEN :min_bytes IS NULL AND :match IS NULL AND :prefix IS NULL
            THEN (SELECT SUM(totals.keys_without_ttl) FROM totals JOIN kinds ON kinds.id = totals.kind_id
                  WHERE (:db IS NULL OR totals.db = :db) AND (:type IS NULL OR kinds.type = :type)) END AS total_rows;
-- @column   key              key    Key
-- @column   type             label  Type
-- @column   elements         count  Elements
-- @column   memory_bytes     bytes  Memory
-- @column   idle_seconds     seconds  Idle
-- @column   encoding         label?  Encoding
-- @column   fields_with_ttl  count?  Fields with TTL
-- @column   db               number?  DB
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), chosen AS NOT MATERIALIZED (
  SELECT id, memory_bytes
  FROM keys
  WHERE expires_at_ms IS NULL
    AND (:min_bytes IS NULL OR memory_bytes >= :min_bytes)
    AND (:db IS NULL OR db = :db)
    AND (:type IS NULL OR type = :type)
    AND (:match IS NULL OR CAST(key AS TEXT) GLOB :match)
    AND (:prefix IS NULL OR prefix_id IN (SELECT id FROM wanted))
), listed AS (
  -- The first of all such keys are known; where enough of them are wanted ones, those are the first of these, too.
  SELECT chosen.id
  FROM largest_keys
  CROSS JOIN chosen ON chosen.id = largest_keys.key_id
  WHERE largest_keys.ranking = 'memory_without_ttl'
  ORDER BY chosen.memory_bytes DESC, chosen.id
  LIMIT :top
), found AS (
  SELECT chosen.id
  FROM (SELECT COUNT(*) AS keys FROM listed HAVING COUNT(*) < :top) AS too_few
  CROSS JOIN chosen
  ORDER BY chosen.memory_bytes DESC, chosen.id
  LIMIT :top
), ranked AS (
  SELECT id FROM listed WHERE (SELECT COUNT(*) FROM listed) >= :top
  UNION ALL
  SELECT id FROM found
)
SELECT keys.key, keys.type, keys.elements, keys.memory_bytes, keys.idle_seconds, keys.encoding,
       NULLIF(keys.fields_with_ttl, 0) AS fields_with_ttl, keys.db
FROM ranked
JOIN keys ON keys.id = ranked.id
ORDER BY keys.memory_bytes DESC, keys.id;
