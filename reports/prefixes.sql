-- @title    Prefixes
-- @summary  Which families of keys own the memory: whole-key patterns, and the prefix tree to any depth.
-- @order    15
-- @param    prefix     text   -   Look below this prefix, as it is printed, e.g. user:{n}.
-- @param    depth      count  1   How many segments below it the tree table goes.
-- @param    top        limit  10  Rows per table; 0 shows all.
-- @param    min_bytes  bytes  -   Only prefixes of at least this much memory.

-- @facts
SELECT COUNT(*) AS found, MAX(:prefix) AS asked,
       CASE WHEN COUNT(*) = 0 THEN :prefix END AS missing_prefix,
       MAX(CASE WHEN parent_id IS NOT NULL THEN prefix END) AS shown_prefix,
       (SELECT value FROM meta WHERE name = 'pattern_placeholders') AS rule_names,
       SUM(keys) AS node_keys, SUM(memory_bytes) AS node_bytes,
       SUM(memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS node_share,
       SUM(keys_without_ttl) * 1.0 / NULLIF(SUM(keys), 0) AS node_no_ttl_share
FROM prefixes
WHERE (:prefix IS NULL AND parent_id IS NULL) OR (:prefix IS NOT NULL AND prefix = :prefix);
-- @error    There is no prefix {missing_prefix:prefix}. Name it as it is printed here, placeholders and all.
-- @note     {shown_prefix:prefix}: {node_keys:count key}, {node_bytes:bytes}, {node_share:ratio} of memory, {node_no_ttl_share:ratio} with no TTL.
-- @note     Named by the load's own rules: {rule_names:label}.

-- @section  patterns  Key patterns
-- @note     Each key counts once. {{n}}, {{uuid}}, {{hex}}, {{date}} stand for ids; {{*}} for many different names.
-- @facts
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
)
SELECT COUNT(*) AS total_rows FROM prefixes WHERE own_keys > 0 AND (:prefix IS NULL OR id IN (SELECT id FROM wanted));
-- @empty    No keys here.
-- @column   prefix             prefix  Prefix
-- @column   keys               count   Keys
-- @column   memory_bytes       bytes   Memory
-- @column   memory_share       ratio   of memory
-- @column   no_ttl_share       ratio   No TTL
-- @column   main_type          label   Type
-- @column   average_key_bytes  bytes?  Average
-- @column   largest_key_bytes  bytes?  Largest
-- @chart    treemap  prefix  memory_bytes
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), children AS (
  SELECT parent_id, SUM(memory_bytes) AS memory_bytes, SUM(keys_without_ttl) AS keys_without_ttl
  FROM prefixes
  GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.prefix, prefixes.own_keys AS keys,
         prefixes.memory_bytes - COALESCE(children.memory_bytes, 0) AS memory_bytes,
         prefixes.keys_without_ttl - COALESCE(children.keys_without_ttl, 0) AS keys_without_ttl,
         CASE WHEN children.parent_id IS NULL THEN prefixes.largest_key_bytes END AS largest_key_bytes
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
  WHERE prefixes.own_keys > 0 AND (:prefix IS NULL OR prefixes.id IN (SELECT id FROM wanted))
), shown AS (
  SELECT own.*
  FROM own
  WHERE :min_bytes IS NULL OR memory_bytes >= :min_bytes
  ORDER BY memory_bytes DESC, prefix, id
  LIMIT :top
), parts AS (
  -- prefix_types has sums over the subtree; what ends at the node itself is the rest after its children.
  SELECT prefix_id, type, memory_bytes
  FROM prefix_types
  WHERE prefix_id IN (SELECT id FROM shown)
  UNION ALL
  SELECT prefixes.parent_id, prefix_types.type, -prefix_types.memory_bytes
  FROM prefixes
  JOIN prefix_types ON prefix_types.prefix_id = prefixes.id
  WHERE prefixes.parent_id IN (SELECT id FROM shown)
), typed AS (
  SELECT prefix_id, type, ROW_NUMBER() OVER (PARTITION BY prefix_id ORDER BY SUM(memory_bytes) DESC, type) AS place
  FROM parts
  GROUP BY prefix_id, type
)
SELECT shown.prefix, shown.keys, shown.memory_bytes,
       shown.memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       shown.keys_without_ttl * 1.0 / NULLIF(shown.keys, 0) AS no_ttl_share,
       typed.type AS main_type,
       ROUND(shown.memory_bytes * 1.0 / NULLIF(shown.keys, 0)) AS average_key_bytes,
       shown.largest_key_bytes
FROM shown
LEFT JOIN typed ON typed.prefix_id = shown.id AND typed.place = 1
ORDER BY shown.memory_bytes DESC, shown.prefix, shown.id;

-- @section  tree  Prefix tree
-- @facts
SELECT COUNT(*) AS total_rows
FROM prefixes
WHERE depth = :depth + (SELECT MIN(depth) FROM prefixes
                        WHERE (:prefix IS NULL AND parent_id IS NULL) OR (:prefix IS NOT NULL AND prefix = :prefix))
  AND :prefix IS NULL;
-- @column   prefix             prefix  Prefix
-- @column   keys               count   Keys
-- @column   key_share          ratio   of keys
-- @column   memory_bytes       bytes   Memory
-- @column   memory_share       ratio   of memory
-- @column   no_ttl_share       ratio   No TTL
-- @column   own_keys           count?  Own keys
-- @column   main_type          label?  Type
-- @column   expired_keys       count?  Expired
-- @column   largest_key_bytes  bytes?  Largest
-- @chart    bars  prefix  memory_bytes
WITH RECURSIVE start AS (
  SELECT id, depth FROM prefixes WHERE (:prefix IS NULL AND parent_id IS NULL) OR (:prefix IS NOT NULL AND prefix = :prefix)
), wanted (id, depth) AS (
  SELECT id, depth FROM start
  UNION ALL
  SELECT prefixes.id, prefixes.depth
  FROM prefixes
  JOIN wanted ON prefixes.parent_id = wanted.id
  WHERE prefixes.depth <= (SELECT MIN(depth) FROM start) + :depth
), shown AS (
  SELECT prefixes.*
  FROM prefixes
  WHERE id IN (SELECT id FROM wanted WHERE depth = (SELECT MIN(depth) FROM start) + :depth)
    AND (:min_bytes IS NULL OR memory_bytes >= :min_bytes)
  ORDER BY memory_bytes DESC, prefix, id
  LIMIT :top
), typed AS (
  SELECT prefix_types.prefix_id, prefix_types.type,
         ROW_NUMBER() OVER (PARTITION BY prefix_types.prefix_id
                            ORDER BY prefix_types.memory_bytes DESC, prefix_types.type) AS place
  FROM prefix_types
  WHERE prefix_types.prefix_id IN (SELECT id FROM shown)
)
SELECT shown.prefix, shown.keys,
       shown.keys * 1.0 / NULLIF((SELECT SUM(keys) FROM totals), 0) AS key_share,
       shown.memory_bytes,
       shown.memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       shown.keys_without_ttl * 1.0 / NULLIF(shown.keys, 0) AS no_ttl_share,
       shown.own_keys, typed.type AS main_type, shown.expired_keys, shown.largest_key_bytes
FROM shown
LEFT JOIN typed ON typed.prefix_id = shown.id AND typed.place = 1
ORDER BY shown.memory_bytes DESC, shown.prefix, shown.id;

-- @section  keys  Biggest keys under the prefix
-- @column   key           key    Key
-- @column   type          label  Type
-- @column   elements      count  Elements
-- @column   memory_bytes  bytes  Memory
-- @column   ttl_ms        duration_ms  TTL left
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), ranked AS (
  SELECT id
  FROM keys
  WHERE :prefix IS NOT NULL AND prefix_id IN (SELECT id FROM wanted)
  ORDER BY memory_bytes DESC, id
  LIMIT :top
)
SELECT keys.key, keys.type, keys.elements, keys.memory_bytes, keys.ttl_ms
FROM ranked
JOIN keys ON keys.id = ranked.id
ORDER BY keys.memory_bytes DESC, keys.id;
