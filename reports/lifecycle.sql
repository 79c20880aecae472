-- @title    Lifecycle
-- @summary  How well keys are given an end: prefixes where only some expire, what each eviction policy could evict, cold keys, field TTLs.
-- @order    73
-- @param    top        limit    10   Rows per table; 0 shows all.
-- @param    min_keys   count    100  Keys of a prefix from which its TTL discipline is looked at.
-- @param    max_share  ratio    0.1  Largest share without a TTL that still looks like an accident.
-- @param    idle       seconds  30d  Time without an access from which a key is cold.

-- @facts
SELECT SUM(keys_without_ttl) AS without_ttl, SUM(keys_without_ttl) * 1.0 / NULLIF(SUM(keys), 0) AS without_ttl_share,
       SUM(memory_without_ttl) AS memory_without_ttl,
       SUM(memory_without_ttl) * 1.0 / NULLIF(SUM(memory_bytes), 0) AS memory_without_ttl_share,
       CASE WHEN SUM(CASE WHEN db <> 0 THEN keys ELSE 0 END) > 0 THEN SUM(CASE WHEN db <> 0 THEN keys ELSE 0 END) END AS other_keys
FROM totals;
-- @note     {without_ttl:count key} with no TTL: {without_ttl_share:ratio} of keys, {memory_without_ttl_share:ratio} of memory.
-- @note     Outside database 0: {other_keys:count key}.

-- @section  mixed  Prefixes where most keys expire, but not all
-- @empty    No prefix of {min_keys:count key} mixes keys that expire with a few that do not.
-- @column   prefix              prefix  Prefix
-- @column   keys                count   Keys
-- @column   keys_without_ttl    count   No TTL
-- @column   no_ttl_share        ratio   of them
-- @column   memory_without_ttl  bytes   Memory
WITH children AS (
  SELECT parent_id, SUM(keys_without_ttl) AS keys_without_ttl, SUM(memory_without_ttl) AS memory_without_ttl
  FROM prefixes
  GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.prefix, prefixes.own_keys AS keys,
         prefixes.keys_without_ttl - COALESCE(children.keys_without_ttl, 0) AS keys_without_ttl,
         prefixes.memory_without_ttl - COALESCE(children.memory_without_ttl, 0) AS memory_without_ttl
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
)
SELECT prefix, keys, keys_without_ttl, keys_without_ttl * 1.0 / keys AS no_ttl_share, memory_without_ttl,
       COUNT(*) OVER () AS total_rows
FROM own
WHERE keys >= :min_keys AND keys_without_ttl > 0 AND keys_without_ttl <= :max_share * keys
ORDER BY memory_without_ttl DESC, prefix, id
LIMIT :top;

-- @section  policies  What an eviction policy could evict
-- @column   policy         label  maxmemory-policy
-- @column   keys           count  Keys
-- @column   key_share      ratio  of keys
-- @column   memory_bytes   bytes  Memory
-- @column   memory_share   ratio  of memory
-- @column   picks          text   Picks
WITH t AS (
  SELECT SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes, SUM(keys - keys_without_ttl) AS expiring,
         SUM(memory_bytes - memory_without_ttl) AS expiring_bytes
  FROM totals
), policies AS (
  SELECT 1 AS place, 'noeviction' AS policy, 0 AS evicts, 'nothing: writes are refused' AS picks
  UNION ALL SELECT 2, 'volatile-lru', 1, 'among keys with a TTL, the longest unused'
  UNION ALL SELECT 3, 'volatile-lfu', 1, 'among keys with a TTL, the least often used'
  UNION ALL SELECT 4, 'volatile-ttl', 1, 'among keys with a TTL, the soonest to expire'
  UNION ALL SELECT 5, 'volatile-random', 1, 'among keys with a TTL, any'
  UNION ALL SELECT 6, 'allkeys-lru', 2, 'the longest unused'
  UNION ALL SELECT 7, 'allkeys-lfu', 2, 'the least often used'
  UNION ALL SELECT 8, 'allkeys-random', 2, 'any'
)
SELECT policy, CASE evicts WHEN 0 THEN 0 WHEN 1 THEN expiring ELSE keys END AS keys,
       CASE evicts WHEN 0 THEN 0 WHEN 1 THEN expiring ELSE keys END * 1.0 / NULLIF(keys, 0) AS key_share,
       CASE evicts WHEN 0 THEN 0 WHEN 1 THEN expiring_bytes ELSE memory_bytes END AS memory_bytes,
       CASE evicts WHEN 0 THEN 0 WHEN 1 THEN expiring_bytes ELSE memory_bytes END * 1.0 / NULLIF(memory_bytes, 0) AS memory_share,
       picks
FROM policies
CROSS JOIN t
WHERE t.keys > 0
ORDER BY place;

-- @section  cold  Cold keys by prefix
-- @empty    No key is known to have been idle for {idle:seconds}. (A file has idle times only where the server's policy was LRU.)
-- @column   prefix         prefix   Prefix
-- @column   keys           count    Cold keys
-- @column   of_keys        ratio    of its keys
-- @column   memory_bytes   bytes    Memory
-- @column   longest_idle_seconds  seconds  Idle for up to
-- @column   no_ttl_share   ratio    No TTL
WITH cold AS (
  SELECT prefix_id, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, MAX(idle_seconds) AS longest_idle_seconds,
         SUM(CASE WHEN expires_at_ms IS NULL THEN 1 ELSE 0 END) AS without_ttl
  FROM keys
  WHERE idle_seconds > :idle
  GROUP BY prefix_id
)
SELECT prefixes.prefix, cold.keys, cold.keys * 1.0 / NULLIF(prefixes.own_keys, 0) AS of_keys, cold.memory_bytes,
       cold.longest_idle_seconds, cold.without_ttl * 1.0 / cold.keys AS no_ttl_share, COUNT(*) OVER () AS total_rows
FROM cold
JOIN prefixes ON prefixes.id = cold.prefix_id
ORDER BY cold.memory_bytes DESC, prefixes.prefix, cold.prefix_id
LIMIT :top;

-- @section  fields  Hashes whose fields expire
-- @column   prefix               prefix  Prefix
-- @column   keys                 count   Hashes
-- @column   elements             count   Fields
-- @column   fields_with_ttl      count   with a TTL
-- @column   keys_without_ttl     count   Hashes without a TTL
-- @column   first_field_expiry_ms  ms    First expiry
WITH expiring AS (
  SELECT prefix_id, COUNT(*) AS keys, SUM(elements) AS elements, SUM(fields_with_ttl) AS fields_with_ttl,
         SUM(CASE WHEN expires_at_ms IS NULL THEN 1 ELSE 0 END) AS keys_without_ttl,
         MIN(first_field_expiry_ms) AS first_field_expiry_ms
  FROM keys
  WHERE fields_with_ttl > 0
  GROUP BY prefix_id
)
SELECT prefixes.prefix, expiring.keys, expiring.elements, expiring.fields_with_ttl, expiring.keys_without_ttl,
       expiring.first_field_expiry_ms, COUNT(*) OVER () AS total_rows
FROM expiring
JOIN prefixes ON prefixes.id = expiring.prefix_id
ORDER BY expiring.fields_with_ttl DESC, prefixes.prefix, expiring.prefix_id
LIMIT :top;

-- @section  databases  Databases
-- @column   db                number  Database
-- @column   keys              count   Keys
-- @column   memory_bytes      bytes   Memory
-- @column   no_ttl_share      ratio   No TTL
SELECT db, SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes, SUM(keys_without_ttl) * 1.0 / SUM(keys) AS no_ttl_share
FROM totals
WHERE (SELECT COUNT(*) FROM totals WHERE db <> 0) > 0
GROUP BY db
ORDER BY db;
