-- @title    Hot keys
-- @summary  The keys that are used most, where the file has the server's LFU counters.
-- @order    51
-- @param    top        limit  10   Rows per table; 0 shows all.
-- @param    min_bytes  bytes  -    Only keys of at least this much memory (keys).
-- @param    type       text   -    Only this type (keys).
-- @param    match      text   -    Only keys that match this glob (keys).

-- @section  bands  By frequency
-- @note     The counter is logarithmic: with the default settings 255 is about a million uses, 100 about a thousand; a new key starts at 5.
-- @empty    No frequencies: the server writes them only under an LFU maxmemory-policy.
-- @column   frequency     label  Counter
-- @column   keys          count  Keys
-- @column   key_share     ratio  of keys
-- @column   memory_bytes  bytes  Memory
-- @column   memory_share  ratio  of memory
-- @chart    bars  frequency  keys
WITH banded AS (
  SELECT CASE WHEN freq = 0 THEN 1 WHEN freq <= 5 THEN 2 WHEN freq < 32 THEN 3 WHEN freq < 64 THEN 4
              WHEN freq < 128 THEN 5 WHEN freq < 255 THEN 6 ELSE 7 END AS place,
         memory_bytes
  FROM keys
  WHERE freq IS NOT NULL
)
SELECT CASE place WHEN 1 THEN '0' WHEN 2 THEN '1 to 5' WHEN 3 THEN '6 to 31' WHEN 4 THEN '32 to 63'
                  WHEN 5 THEN '64 to 127' WHEN 6 THEN '128 to 254' ELSE '255' END AS frequency,
       COUNT(*) AS keys, COUNT(*) * 1.0 / NULLIF((SELECT SUM(keys) FROM totals), 0) AS key_share,
       SUM(memory_bytes) AS memory_bytes,
       SUM(memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share
FROM banded
GROUP BY place
ORDER BY place;

-- @section  keys  Hottest keys
-- @column   key           key    Key
-- @column   type          label  Type
-- @column   freq          count  Counter
-- @column   elements      count  Elements
-- @column   memory_bytes  bytes  Memory
-- @column   ttl_ms        duration_ms  TTL left
-- @column   db            number?  DB
WITH ranked AS (
  SELECT id
  FROM keys
  WHERE freq IS NOT NULL
    AND (:min_bytes IS NULL OR memory_bytes >= :min_bytes)
    AND (:type IS NULL OR type = :type)
    AND (:match IS NULL OR CAST(key AS TEXT) GLOB :match)
  ORDER BY freq DESC, memory_bytes DESC, id
  LIMIT :top
)
SELECT keys.key, keys.type, keys.freq, keys.elements, keys.memory_bytes, keys.ttl_ms, keys.db
FROM ranked
JOIN keys ON keys.id = ranked.id
ORDER BY keys.freq DESC, keys.memory_bytes DESC, keys.id;

-- @section  prefixes  Hottest prefixes
-- @column   prefix        prefix  Prefix
-- @column   keys          count   Keys
-- @column   average_freq  number  Average counter
-- @column   highest_freq  count   Highest
-- @column   memory_bytes  bytes   Memory
SELECT prefixes.prefix, COUNT(*) AS keys, AVG(keys.freq) AS average_freq, MAX(keys.freq) AS highest_freq,
       SUM(keys.memory_bytes) AS memory_bytes, COUNT(*) OVER () AS total_rows
FROM keys
JOIN prefixes ON prefixes.id = keys.prefix_id
WHERE keys.freq IS NOT NULL
GROUP BY prefixes.id, prefixes.prefix
ORDER BY average_freq DESC, keys DESC, prefixes.prefix, prefixes.id
LIMIT :top;
