-- @title    Cold keys
-- @summary  Keys that nobody has touched for long, by prefix and one by one, where the file says when keys were last used.
-- @order    50
-- @param    older_than  seconds  30d  Cold is what was not used for longer than this.
-- @param    top         limit    10   Rows per table; 0 shows all.
-- @param    min_bytes   bytes    -    Only keys of at least this much memory (keys).
-- @param    type        text     -    Only this type (keys).
-- @param    match       text     -    Only keys that match this glob (keys).

-- @facts
SELECT COUNT(idle_seconds) AS known,
       SUM(CASE WHEN idle_seconds > :older_than THEN 1 ELSE 0 END) AS cold_keys,
       SUM(CASE WHEN idle_seconds > :older_than THEN memory_bytes ELSE 0 END) AS cold_bytes,
       SUM(CASE WHEN idle_seconds > :older_than THEN memory_bytes ELSE 0 END) * 1.0 / NULLIF(SUM(memory_bytes), 0) AS cold_share,
       CASE WHEN COUNT(idle_seconds) > 0 THEN :older_than END AS cold_after
FROM keys;
-- @note     {cold_keys:count key} not used for over {cold_after:seconds}: {cold_bytes:bytes}, {cold_share:ratio} of memory.

-- @section  bands  By time since last use
-- @empty    No idle times: the server writes them only under an LRU maxmemory-policy (or none that needs LFU, in older versions).
-- @column   idle          label  Not used for
-- @column   keys          count  Keys
-- @column   memory_bytes  bytes  Memory
-- @column   memory_share  ratio  of memory
-- @chart    bars  idle  memory_bytes
WITH banded AS (
  SELECT CASE WHEN idle_seconds < 3600 THEN 1 WHEN idle_seconds < 86400 THEN 2 WHEN idle_seconds < 604800 THEN 3
              WHEN idle_seconds < 2592000 THEN 4 WHEN idle_seconds < 7776000 THEN 5 ELSE 6 END AS place,
         memory_bytes
  FROM keys
  WHERE idle_seconds IS NOT NULL
)
SELECT CASE place WHEN 1 THEN 'under 1 hour' WHEN 2 THEN '1 hour to 1 day' WHEN 3 THEN '1 to 7 days'
                  WHEN 4 THEN '7 to 30 days' WHEN 5 THEN '30 to 90 days' ELSE 'over 90 days' END AS idle,
       COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes,
       SUM(memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share
FROM banded
GROUP BY place
ORDER BY place;

-- @section  prefixes  Cold memory by prefix
-- @column   prefix        prefix  Prefix
-- @column   cold_keys     count   Cold keys
-- @column   memory_bytes  bytes   Memory
-- @column   memory_share  ratio   of memory
-- @column   no_ttl_keys   count   of them no TTL
-- @chart    bars  prefix  memory_bytes
SELECT prefixes.prefix, COUNT(*) AS cold_keys, SUM(keys.memory_bytes) AS memory_bytes,
       SUM(keys.memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       SUM(CASE WHEN keys.expires_at_ms IS NULL THEN 1 ELSE 0 END) AS no_ttl_keys,
       COUNT(*) OVER () AS total_rows
FROM keys
JOIN prefixes ON prefixes.id = keys.prefix_id
WHERE keys.idle_seconds > :older_than
GROUP BY prefixes.id, prefixes.prefix
ORDER BY memory_bytes DESC, prefixes.prefix, prefixes.id
LIMIT :top;

-- @section  keys  Biggest cold keys
-- @column   key           key      Key
-- @column   type          label    Type
-- @column   elements      count    Elements
-- @column   memory_bytes  bytes    Memory
-- @column   idle_seconds  seconds  Idle
-- @column   ttl_ms        duration_ms  TTL left
-- @column   db            number?  DB
WITH ranked AS (
  SELECT id
  FROM keys
  WHERE idle_seconds > :older_than
    AND (:min_bytes IS NULL OR memory_bytes >= :min_bytes)
    AND (:type IS NULL OR type = :type)
    AND (:match IS NULL OR CAST(key AS TEXT) GLOB :match)
  ORDER BY memory_bytes DESC, id
  LIMIT :top
)
SELECT keys.key, keys.type, keys.elements, keys.memory_bytes, keys.idle_seconds, keys.ttl_ms, keys.db
FROM ranked
JOIN keys ON keys.id = ranked.id
ORDER BY keys.memory_bytes DESC, keys.id;
