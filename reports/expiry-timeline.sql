-- @title    Expiry timeline
-- @summary  When keys and memory will expire: by time left, by hour and by day; what was expired already.
-- @order    40
-- @param    hours  limit  24  How many hours of the hourly table; 0 shows all.
-- @param    days   limit  14  How many days of the daily table; 0 shows all.

-- @facts
SELECT CASE WHEN (SELECT MAX(width_ms) FROM expiry_buckets) > 1000
            THEN (SELECT MAX(width_ms) FROM expiry_buckets) END AS coarse_width_ms,
       CASE WHEN COUNT(created_at_ms) = 0 THEN MAX(loaded_at_ms) END AS assumed_now_ms
FROM files;
-- @note     Expiry times are counted in steps of {coarse_width_ms:duration_ms}, as fine as memory allowed.
-- @warning  The file does not say when it was saved; time left is counted from when it was loaded, {assumed_now_ms:ms}.

-- @section  time-left  By time left
-- @empty    The snapshot holds no keys.
-- @column   time_left     label  Expires in
-- @column   keys          count  Keys
-- @column   key_share     ratio  of keys
-- @column   memory_bytes  bytes  Memory
-- @column   memory_share  ratio  of memory
-- @chart    bars  time_left  keys
WITH now AS (
  SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) AS ms FROM files
), long_past AS (
  -- Absurdly early times count as expired, but not here. Keys are read only where there are such.
  SELECT COUNT(*) AS keys, COALESCE(SUM(keys.memory_bytes), 0) AS memory_bytes
  FROM (SELECT COUNT(*) AS files FROM files HAVING SUM(keys_absurd_expiry) > 0) AS some CROSS JOIN keys
  WHERE keys.expires_at_ms < 631152000000
), all_keys AS (
  SELECT SUM(totals.keys) AS keys, SUM(totals.memory_bytes) AS memory_bytes,
         SUM(keys_without_ttl) AS forever, SUM(memory_without_ttl) AS forever_bytes,
         SUM(expired_keys) - (SELECT keys FROM long_past) AS expired,
         SUM(expired_memory_bytes) - (SELECT memory_bytes FROM long_past) AS expired_bytes
  FROM totals
), banded AS (
  SELECT CASE WHEN start_ms - now.ms < 60000 THEN 2
              WHEN start_ms - now.ms < 3600000 THEN 3
              WHEN start_ms - now.ms < 86400000 THEN 4
              WHEN start_ms - now.ms < 604800000 THEN 5
              WHEN start_ms - now.ms < 2592000000 THEN 6
              WHEN start_ms - now.ms < 31536000000 THEN 7
              ELSE 8 END AS place,
         keys, memory_bytes
  FROM expiry_buckets CROSS JOIN now
), bands AS (
  SELECT place, SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes FROM banded GROUP BY place
), lines AS (
  SELECT 1 AS place, expired AS keys, expired_bytes AS memory_bytes FROM all_keys
  UNION ALL
  -- The band that starts in the past holds the expired ones too.
  SELECT bands.place,
         bands.keys - CASE WHEN bands.place = 2 THEN all_keys.expired ELSE 0 END,
         bands.memory_bytes - CASE WHEN bands.place = 2 THEN all_keys.expired_bytes ELSE 0 END
  FROM bands CROSS JOIN all_keys
  UNION ALL
  SELECT 9, all_keys.keys - all_keys.forever - COALESCE((SELECT SUM(keys) FROM bands), 0),
         all_keys.memory_bytes - all_keys.forever_bytes - COALESCE((SELECT SUM(memory_bytes) FROM bands), 0)
  FROM all_keys
  UNION ALL
  SELECT 10, forever, forever_bytes FROM all_keys
)
SELECT CASE place WHEN 1 THEN 'expired already' WHEN 2 THEN 'under 1 minute' WHEN 3 THEN '1 minute to 1 hour'
                  WHEN 4 THEN '1 hour to 1 day' WHEN 5 THEN '1 to 7 days' WHEN 6 THEN '7 to 30 days'
                  WHEN 7 THEN '30 days to 1 year' WHEN 8 THEN 'over 1 year' WHEN 9 THEN 'absurd times'
                  ELSE 'never (no TTL)' END AS time_left,
       lines.keys,
       lines.keys * 1.0 / NULLIF(all_keys.keys, 0) AS key_share,
       lines.memory_bytes,
       lines.memory_bytes * 1.0 / NULLIF(all_keys.memory_bytes, 0) AS memory_share
FROM lines CROSS JOIN all_keys
WHERE lines.keys > 0
ORDER BY place;

-- @section  hours  By hour
-- @facts
SELECT COUNT(*) AS total_rows
FROM (
  SELECT DISTINCT start_ms / 3600000 AS hour
  FROM expiry_buckets
  WHERE start_ms + width_ms > (SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) FROM files)
) AS hours;
-- @column   hour_starts_at_ms  ms     Hour (UTC)
-- @column   keys               count  Keys
-- @column   key_share          ratio  of expiring
-- @column   memory_bytes       bytes  Memory
-- @column   busiest_per_second  count  Peak/s
-- @chart    timeline  hour_starts_at_ms  keys  busiest_per_second
SELECT start_ms / 3600000 * 3600000 AS hour_starts_at_ms,
       SUM(keys) AS keys,
       SUM(keys) * 1.0 / NULLIF((SELECT SUM(keys) FROM expiry_buckets), 0) AS key_share,
       SUM(memory_bytes) AS memory_bytes,
       MAX(keys * 1000.0 / width_ms) AS busiest_per_second
FROM expiry_buckets
WHERE start_ms + width_ms > (SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) FROM files)
GROUP BY start_ms / 3600000
ORDER BY hour_starts_at_ms
LIMIT :hours;

-- @section  days  By day
-- @facts
SELECT COUNT(*) AS total_rows
FROM (
  SELECT DISTINCT start_ms / 86400000 AS day
  FROM expiry_buckets
  WHERE start_ms + width_ms > (SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) FROM files)
) AS days;
-- @column   day_starts_at_ms  ms     Day (UTC)
-- @column   keys              count  Keys
-- @column   key_share         ratio  of expiring
-- @column   memory_bytes      bytes  Memory
-- @column   busiest_per_second  count  Peak/s
-- @chart    timeline  day_starts_at_ms  keys  busiest_per_second
SELECT start_ms / 86400000 * 86400000 AS day_starts_at_ms,
       SUM(keys) AS keys,
       SUM(keys) * 1.0 / NULLIF((SELECT SUM(keys) FROM expiry_buckets), 0) AS key_share,
       SUM(memory_bytes) AS memory_bytes,
       MAX(keys * 1000.0 / width_ms) AS busiest_per_second
FROM expiry_buckets
WHERE start_ms + width_ms > (SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) FROM files)
GROUP BY start_ms / 86400000
ORDER BY day_starts_at_ms
LIMIT :days;
