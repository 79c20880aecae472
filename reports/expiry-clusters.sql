-- @title    Expiry clusters
-- @summary  Seconds and minutes in which far more keys expire than usual: load peaks to come, whose they are, and the jitter that would spread them.
-- @order    45
-- @param    top             limit   10   Rows per table; 0 shows all.
-- @param    times_usual     number  10   A burst is this many times the usual rate of its time.
-- @param    min_keys        count   -    And at least this many keys; by default 1 % of those that expire, within 100 and 1,000.
-- @param    max_per_second  count   500  The peak that the advised jitter would stay under.
-- @param    least_share     ratio   10%  A prefix is named as a cause from this share of the cluster on.
-- @param    big_bytes       bytes   1MB  A key of more memory is big: its deletion may block the server.

-- @facts
WITH t AS (
  SELECT COALESCE(SUM(expired_keys), 0) AS expired, COALESCE(SUM(expired_memory_bytes), 0) AS expired_bytes FROM totals
), b AS (
  SELECT MAX(width_ms) AS width_ms, SUM(keys) AS keys FROM expiry_buckets
)
SELECT CASE WHEN t.expired > 0 THEN t.expired END AS expired, t.expired_bytes,
       CASE WHEN b.width_ms > 1000 THEN b.width_ms END AS coarse_width_ms
FROM t CROSS JOIN b;
-- @note     {expired:count key} ({expired_bytes:bytes}) were past their time already when the file was saved; they are not counted here.
-- @note     Expiry times are counted in steps of {coarse_width_ms:duration_ms}, as fine as memory allowed.

-- @section  clusters  Clusters
-- @empty    No second and no minute stands out: expiries are spread well, or few.
-- @column   starts_at_ms         ms           At (UTC)
-- @column   starts_at_local_ms   local_ms?    Local time
-- @column   keys                 count        Keys
-- @column   span_ms              duration_ms  Within
-- @column   peak_per_second      number       Peak/s
-- @column   usual_per_second     number       Usual/s
-- @column   memory_bytes         bytes        Memory
-- @column   jitter_seconds       seconds      Jitter
-- @column   time_left_ms         duration_ms?  Time left
-- @chart    bars  starts_at_ms  keys
WITH now AS (
  SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) AS ms FROM files
), coming AS (
  SELECT start_ms, width_ms, keys, memory_bytes
  FROM expiry_buckets CROSS JOIN now
  WHERE start_ms > now.ms - width_ms
), least AS (
  -- A cluster is at least this many keys: 1 % of those that expire, within 100 and 1,000.
  SELECT COALESCE(:min_keys, CASE WHEN SUM(keys) < 10000 THEN 100 WHEN SUM(keys) > 100000 THEN 1000
                                  ELSE SUM(keys) / 100 END) AS keys
  FROM coming
), second_blocks AS (
  -- 600 buckets (10 minutes at 1 s) form a block; its mean is taken over all of them, the empty ones too.
  SELECT start_ms / (600 * width_ms) AS block, SUM(keys) / 600.0 AS mean FROM coming GROUP BY block
), second_usual AS (
  -- The mean again with every bucket cut at four times the first mean: one burst hardly moves it.
  SELECT second_blocks.block,
         SUM(CASE WHEN coming.keys > 4 * second_blocks.mean THEN 4 * second_blocks.mean ELSE coming.keys END) / 600.0 AS keys
  FROM coming
  JOIN second_blocks ON second_blocks.block = coming.start_ms / (600 * coming.width_ms)
  GROUP BY second_blocks.block
), second_bursts AS (
  SELECT coming.*,
         CASE WHEN COALESCE(before.keys, 0) > here.keys AND COALESCE(before.keys, 0) >= COALESCE(after.keys, 0) THEN before.keys
              WHEN COALESCE(after.keys, 0) > here.keys THEN after.keys ELSE here.keys END AS usual
  FROM coming
  JOIN second_usual AS here ON here.block = coming.start_ms / (600 * coming.width_ms)
  LEFT JOIN second_usual AS before ON before.block = coming.start_ms / (600 * coming.width_ms) - 1
  LEFT JOIN second_usual AS after ON after.block = coming.start_ms / (600 * coming.width_ms) + 1
  WHERE coming.keys >= (SELECT keys FROM least)
), minutes AS (
  -- What is left of each minute when the bursts of a second are taken out.
  SELECT coming.start_ms / 60000 * 60000 AS start_ms, 60000 AS width_ms,
         SUM(coming.keys) AS keys, SUM(coming.memory_bytes) AS memory_bytes
  FROM coming
  WHERE width_ms < 60000
    AND start_ms NOT IN (SELECT start_ms FROM second_bursts WHERE keys > :times_usual * usual)
  GROUP BY coming.start_ms / 60000
), minute_blocks AS (
  -- 360 minutes form a block.
  SELECT start_ms / 21600000 AS block, SUM(keys) / 360.0 AS mean FROM minutes GROUP BY block
), minute_usual AS (
  SELECT minute_blocks.block,
         SUM(CASE WHEN minutes.keys > 4 * minute_blocks.mean THEN 4 * minute_blocks.mean ELSE minutes.keys END) / 360.0 AS keys
  FROM minutes
  JOIN minute_blocks ON minute_blocks.block = minutes.start_ms / 21600000
  GROUP BY minute_blocks.block
), minute_bursts AS (
  SELECT minutes.*,
         CASE WHEN COALESCE(before.keys, 0) > here.keys AND COALESCE(before.keys, 0) >= COALESCE(after.keys, 0) THEN before.keys
              WHEN COALESCE(after.keys, 0) > here.keys THEN after.keys ELSE here.keys END AS usual
  FROM minutes
  JOIN minute_usual AS here ON here.block = minutes.start_ms / 21600000
  LEFT JOIN minute_usual AS before ON before.block = minutes.start_ms / 21600000 - 1
  LEFT JOIN minute_usual AS after ON after.block = minutes.start_ms / 21600000 + 1
  WHERE minutes.keys >= (SELECT keys FROM least)
), bursts AS (
  SELECT 'second' AS grain, start_ms, width_ms, keys, memory_bytes, usual FROM second_bursts WHERE keys > :times_usual * usual
  UNION ALL
  SELECT 'minute', start_ms, width_ms, keys, memory_bytes, usual FROM minute_bursts WHERE keys > :times_usual * usual
), joined AS (
  -- Bursts without a gap between them are one cluster.
  SELECT bursts.*, start_ms / width_ms - ROW_NUMBER() OVER (PARTITION BY grain ORDER BY start_ms) AS island FROM bursts
), clusters AS (
  SELECT grain, island, MIN(start_ms) AS start_ms, MAX(start_ms) + MAX(width_ms) AS end_ms, MAX(width_ms) AS width_ms,
         SUM(keys) AS keys, MAX(keys) AS peak, SUM(memory_bytes) AS memory_bytes, MAX(usual) AS usual
  FROM joined
  GROUP BY grain, island
)
SELECT start_ms AS starts_at_ms, start_ms AS starts_at_local_ms, keys, end_ms - start_ms AS span_ms,
       peak * 1000.0 / width_ms AS peak_per_second,
       usual * 1000.0 / width_ms AS usual_per_second,
       memory_bytes,
       -- Spread evenly on top of the usual rate; where that is high already, under twice the usual rate.
       CAST(keys / (CASE WHEN :max_per_second > 2000.0 * usual / width_ms THEN :max_per_second - 1000.0 * usual / width_ms
                         ELSE 1000.0 * usual / width_ms END) AS INTEGER) + 1 AS jitter_seconds,
       start_ms - (SELECT ms FROM now) AS time_left_ms,
       COUNT(*) OVER () AS total_rows
FROM clusters
ORDER BY keys DESC, start_ms, grain
LIMIT :top;

-- @section  causes  What is in them
-- @column   starts_at_ms       ms      Cluster (UTC)
-- @column   prefix             prefix  Prefix
-- @column   keys               count   Keys
-- @column   cluster_share      ratio   of it
-- @column   memory_bytes       bytes   Memory
-- @column   expiry_times       count   Different times
-- @column   big_keys           count   Big keys
-- @column   largest_key_bytes  bytes?  Largest
WITH RECURSIVE now AS (
  SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) AS ms FROM files
), coming AS (
  SELECT start_ms, width_ms, keys, memory_bytes
  FROM expiry_buckets CROSS JOIN now
  WHERE start_ms > now.ms - width_ms
), least AS (
  -- A cluster is at least this many keys: 1 % of those that expire, within 100 and 1,000.
  SELECT COALESCE(:min_keys, CASE WHEN SUM(keys) < 10000 THEN 100 WHEN SUM(keys) > 100000 THEN 1000
                                  ELSE SUM(keys) / 100 END) AS keys
  FROM coming
), second_blocks AS (
  -- 600 buckets (10 minutes at 1 s) form a block; its mean is taken over all of them, the empty ones too.
  SELECT start_ms / (600 * width_ms) AS block, SUM(keys) / 600.0 AS mean FROM coming GROUP BY block
), second_usual AS (
  -- The mean again with every bucket cut at four times the first mean: one burst hardly moves it.
  SELECT second_blocks.block,
         SUM(CASE WHEN coming.keys > 4 * second_blocks.mean THEN 4 * second_blocks.mean ELSE coming.keys END) / 600.0 AS keys
  FROM coming
  JOIN second_blocks ON second_blocks.block = coming.start_ms / (600 * coming.width_ms)
  GROUP BY second_blocks.block
), second_bursts AS (
  SELECT coming.*,
         CASE WHEN COALESCE(before.keys, 0) > here.keys AND COALESCE(before.keys, 0) >= COALESCE(after.keys, 0) THEN before.keys
              WHEN COALESCE(after.keys, 0) > here.keys THEN after.keys ELSE here.keys END AS usual
  FROM coming
  JOIN second_usual AS here ON here.block = coming.start_ms / (600 * coming.width_ms)
  LEFT JOIN second_usual AS before ON before.block = coming.start_ms / (600 * coming.width_ms) - 1
  LEFT JOIN second_usual AS after ON after.block = coming.start_ms / (600 * coming.width_ms) + 1
  WHERE coming.keys >= (SELECT keys FROM least)
), minutes AS (
  -- What is left of each minute when the bursts of a second are taken out.
  SELECT coming.start_ms / 60000 * 60000 AS start_ms, 60000 AS width_ms,
         SUM(coming.keys) AS keys, SUM(coming.memory_bytes) AS memory_bytes
  FROM coming
  WHERE width_ms < 60000
    AND start_ms NOT IN (SELECT start_ms FROM second_bursts WHERE keys > :times_usual * usual)
  GROUP BY coming.start_ms / 60000
), minute_blocks AS (
  -- 360 minutes form a block.
  SELECT start_ms / 21600000 AS block, SUM(keys) / 360.0 AS mean FROM minutes GROUP BY block
), minute_usual AS (
  SELECT minute_blocks.block,
         SUM(CASE WHEN minutes.keys > 4 * minute_blocks.mean THEN 4 * minute_blocks.mean ELSE minutes.keys END) / 360.0 AS keys
  FROM minutes
  JOIN minute_blocks ON minute_blocks.block = minutes.start_ms / 21600000
  GROUP BY minute_blocks.block
), minute_bursts AS (
  SELECT minutes.*,
         CASE WHEN COALESCE(before.keys, 0) > here.keys AND COALESCE(before.keys, 0) >= COALESCE(after.keys, 0) THEN before.keys
              WHEN COALESCE(after.keys, 0) > here.keys THEN after.keys ELSE here.keys END AS usual
  FROM minutes
  JOIN minute_usual AS here ON here.block = minutes.start_ms / 21600000
  LEFT JOIN minute_usual AS before ON before.block = minutes.start_ms / 21600000 - 1
  LEFT JOIN minute_usual AS after ON after.block = minutes.start_ms / 21600000 + 1
  WHERE minutes.keys >= (SELECT keys FROM least)
), bursts AS (
  SELECT 'second' AS grain, start_ms, width_ms, keys, memory_bytes, usual FROM second_bursts WHERE keys > :times_usual * usual
  UNION ALL
  SELECT 'minute', start_ms, width_ms, keys, memory_bytes, usual FROM minute_bursts WHERE keys > :times_usual * usual
), joined AS (
  -- Bursts without a gap between them are one cluster.
  SELECT bursts.*, start_ms / width_ms - ROW_NUMBER() OVER (PARTITION BY grain ORDER BY start_ms) AS island FROM bursts
), clusters AS (
  SELECT grain, island, MIN(start_ms) AS start_ms, MAX(start_ms) + MAX(width_ms) AS end_ms, MAX(width_ms) AS width_ms,
         SUM(keys) AS keys, MAX(keys) AS peak, SUM(memory_bytes) AS memory_bytes, MAX(usual) AS usual
  FROM joined
  GROUP BY grain, island
), top_clusters AS (
  SELECT * FROM clusters ORDER BY keys DESC, start_ms, grain LIMIT :top
), hit AS (
  SELECT joined.start_ms, joined.width_ms, top_clusters.start_ms AS cluster_ms, top_clusters.grain, top_clusters.keys
  FROM top_clusters
  JOIN joined ON joined.grain = top_clusters.grain AND joined.island = top_clusters.island
), bucket_width AS (
  SELECT MAX(width_ms) AS ms FROM expiry_buckets
), hit_buckets AS (
  -- A minute's cluster is taken apart into the buckets that keys are looked up by.
  SELECT coming.start_ms / coming.width_ms AS bucket, hit.cluster_ms, hit.grain, hit.keys
  FROM hit
  JOIN coming ON coming.start_ms >= hit.start_ms AND coming.start_ms < hit.start_ms + hit.width_ms
  WHERE hit.grain = 'second'
     OR coming.start_ms NOT IN (SELECT start_ms FROM second_bursts WHERE keys > :times_usual * usual)
), found AS (
  SELECT expires_at_ms, expires_at_ms / (SELECT ms FROM bucket_width) AS bucket, prefix_id,
         COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes,
         SUM(CASE WHEN memory_bytes > :big_bytes THEN 1 ELSE 0 END) AS big_keys, MAX(memory_bytes) AS largest_key_bytes
  FROM keys
  WHERE expires_at_ms / (SELECT ms FROM bucket_width) IN (SELECT bucket FROM hit_buckets)
  GROUP BY expires_at_ms, prefix_id
), way (prefix_id, node_id) AS (
  -- Each pattern in a cluster and every prefix above it.
  SELECT prefix_id, prefix_id FROM found
  UNION
  SELECT way.prefix_id, prefixes.parent_id
  FROM way
  JOIN prefixes ON prefixes.id = way.node_id
  WHERE prefixes.parent_id IS NOT NULL
), caused AS (
  SELECT hit_buckets.cluster_ms, hit_buckets.grain, hit_buckets.keys AS cluster_keys, way.node_id,
         SUM(found.keys) AS keys, SUM(found.memory_bytes) AS memory_bytes,
         COUNT(DISTINCT found.expires_at_ms) AS expiry_times,
         SUM(found.big_keys) AS big_keys, MAX(found.largest_key_bytes) AS largest_key_bytes
  FROM found
  JOIN hit_buckets ON hit_buckets.bucket = found.bucket
  JOIN way ON way.prefix_id = found.prefix_id
  GROUP BY hit_buckets.cluster_ms, hit_buckets.grain, hit_buckets.keys, way.node_id
), heavy AS (
  SELECT caused.*, prefixes.parent_id, prefixes.prefix
  FROM caused
  JOIN prefixes ON prefixes.id = caused.node_id
  WHERE caused.keys >= :least_share * caused.cluster_keys
)
-- The longest prefixes that still have a fair share of the cluster.
SELECT heavy.cluster_ms AS starts_at_ms, heavy.prefix, heavy.keys,
       heavy.keys * 1.0 / heavy.cluster_keys AS cluster_share,
       heavy.memory_bytes, heavy.expiry_times, heavy.big_keys, heavy.largest_key_bytes
FROM heavy
WHERE NOT EXISTS (
  SELECT 1 FROM heavy AS below
  WHERE below.parent_id = heavy.node_id AND below.cluster_ms = heavy.cluster_ms AND below.grain = heavy.grain
)
ORDER BY heavy.cluster_keys DESC, heavy.cluster_ms, heavy.grain, heavy.keys DESC, heavy.prefix, heavy.node_id;

-- @section  absurd  Expiry times that cannot be meant
-- @column   verdict           label  Looks like
-- @column   keys              count  Keys
-- @column   memory_bytes      bytes  Memory
-- @column   example_key       key    First key
-- @column   example_expiry_ms  number  Its expiry (ms)
WITH now AS (
  SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) AS ms FROM files
), judged AS (
  -- Sane is 1990 to a hundred years after the snapshot.
  SELECT keys.id, keys.memory_bytes,
         CASE WHEN expires_at_ms <= 0 THEN 'zero or negative'
              WHEN expires_at_ms < 631152000000 AND expires_at_ms > 631152000 AND expires_at_ms < now.ms / 1000 + 3155760000
                THEN 'seconds given as milliseconds'
              WHEN expires_at_ms < 631152000000 THEN 'before 1990'
              WHEN expires_at_ms / 1000 > 631152000000 AND expires_at_ms / 1000 < now.ms + 3155760000000
                THEN 'milliseconds given as seconds'
              ELSE 'over 100 years ahead' END AS verdict
  FROM keys CROSS JOIN now
  WHERE (SELECT SUM(keys_absurd_expiry) FROM files) > 0
    AND (expires_at_ms < 631152000000 OR expires_at_ms > now.ms + 3155760000000)
), grouped AS (
  SELECT verdict, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, MIN(id) AS example_id FROM judged GROUP BY verdict
)
SELECT grouped.verdict, grouped.keys, grouped.memory_bytes, keys.key AS example_key,
       keys.expires_at_ms AS example_expiry_ms
FROM grouped
JOIN keys ON keys.id = grouped.example_id
ORDER BY grouped.keys DESC, grouped.verdict;
