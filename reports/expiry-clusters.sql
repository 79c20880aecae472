-- @title    Expiry clusters
-- @summary  Seconds and minutes in which far more keys expire than usual: load peaks to come, whose they are, and the jitter that would spread them.
-- @order    45
-- @param    top             limit   10   Rows per table; 0 shows all.
-- @param    times_usual     number  10   A burst is this many times the usual rate of its time.
-- @param    min_keys        count   -    And at least this many keys; by default 1 % of those that expire, within 100 and 1,000.
-- @param    longest_ms      duration_ms  15min  What goes on for longer is a busy time, no cluster.
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
-- @column   peak_per_second      count        Peak/s
-- @column   usual_per_second     count        Usual/s
-- @column   memory_bytes         bytes        Memory
-- @column   jitter_seconds       seconds      Jitter
-- @column   time_left_ms         duration_ms?  Time left
-- @chart    bars  starts_at_ms  keys
WITH now AS (
  SELECT COALESCE(MAX(created_at_ms), MAX(loaded_at_ms)) AS ms FROM files
), scale AS (
  -- Seconds are counted one by one; where there were too many, in wider spans but for those that stand out.
  SELECT MIN(width_ms) AS fine_ms,
         CASE WHEN MAX(width_ms) > 60000 THEN MAX(width_ms) ELSE 60000 END AS coarse_ms,
         CASE WHEN MAX(width_ms) > 600 * MIN(width_ms) THEN MAX(width_ms) ELSE 600 * MIN(width_ms) END AS block_ms
  FROM expiry_buckets
), coming AS (
  SELECT b.start_ms, b.width_ms, b.keys, b.memory_bytes, scale.fine_ms, scale.coarse_ms, scale.block_ms,
         b.start_ms / scale.block_ms AS block, b.width_ms / scale.fine_ms AS steps
  FROM expiry_buckets AS b CROSS JOIN scale CROSS JOIN now
  WHERE b.start_ms > now.ms - b.width_ms
), least AS (
  -- A cluster is at least this many keys: 1 % of those that expire, within 100 and 1,000.
  SELECT COALESCE(:min_keys, CASE WHEN SUM(keys) < 10000 THEN 100 WHEN SUM(keys) > 100000 THEN 1000
                                  ELSE SUM(keys) / 100 END) AS keys
  FROM coming
), fine_means AS (
  -- Keys per step in a block of ten minutes, the empty steps counted too.
  SELECT block, SUM(keys) * 1.0 * MIN(fine_ms) / MIN(block_ms) AS mean FROM coming GROUP BY block
), fine_usual AS (
  -- The mean again with every step cut at four times the first mean: one burst hardly moves it.
  SELECT coming.block,
         SUM(CASE WHEN keys > 4 * mean * steps THEN 4 * mean * steps ELSE keys END) * MIN(fine_ms) / MIN(block_ms) AS keys
  FROM coming
  JOIN fine_means ON fine_means.block = coming.block
  GROUP BY coming.block
), fine_rows AS (
  -- What is usual for a step: the most of its block and the two beside it, so that the edge of a busy time is no burst.
  SELECT coming.start_ms, coming.width_ms, coming.keys, coming.memory_bytes,
         (SELECT MAX(near.keys) FROM fine_usual AS near
          WHERE near.block IN (coming.block - 1, coming.block, coming.block + 1)) AS usual
  FROM coming
  WHERE coming.steps = 1 AND coming.keys >= (SELECT keys FROM least)
), fine_bursts AS (
  SELECT * FROM fine_rows WHERE keys > :times_usual * usual
), coarse AS (
  -- What is left of each minute when the bursts of a second are taken out; 360 of them form a block.
  SELECT start_ms / coarse_ms * coarse_ms AS start_ms, coarse_ms AS width_ms, SUM(keys) AS keys,
         SUM(memory_bytes) AS memory_bytes, start_ms / coarse_ms / 360 AS block
  FROM coming
  WHERE NOT (steps = 1 AND start_ms IN (SELECT start_ms FROM fine_bursts))
  GROUP BY start_ms / coarse_ms, coarse_ms
), coarse_means AS (
  SELECT block, SUM(keys) / 360.0 AS mean FROM coarse GROUP BY block
), coarse_usual AS (
  SELECT coarse.block, SUM(CASE WHEN keys > 4 * mean THEN 4 * mean ELSE keys END) / 360.0 AS keys
  FROM coarse
  JOIN coarse_means ON coarse_means.block = coarse.block
  GROUP BY coarse.block
), coarse_rows AS (
  SELECT coarse.start_ms, coarse.width_ms, coarse.keys, coarse.memory_bytes,
         (SELECT MAX(near.keys) FROM coarse_usual AS near
          WHERE near.block IN (coarse.block - 1, coarse.block, coarse.block + 1)) AS usual
  FROM coarse
  WHERE coarse.keys >= (SELECT keys FROM least)
), bursts AS (
  SELECT 'fine' AS grain, start_ms, width_ms, keys, memory_bytes, usual FROM fine_bursts
  UNION ALL
  SELECT 'coarse', start_ms, width_ms, keys, memory_bytes, usual FROM coarse_rows WHERE keys > :times_usual * usual
), joined AS (
  -- Bursts without a gap between them are one cluster.
  SELECT bursts.*, start_ms / width_ms - ROW_NUMBER() OVER (PARTITION BY grain ORDER BY start_ms) AS island FROM bursts
), clusters AS (
  SELECT grain, island, MIN(start_ms) AS start_ms, MAX(start_ms) + MAX(width_ms) AS end_ms, MAX(width_ms) AS width_ms,
         SUM(keys) AS keys, MAX(keys) AS peak, SUM(memory_bytes) AS memory_bytes, MAX(usual) AS usual
  FROM joined
  GROUP BY grain, island
  -- What goes on for longer is spread already: a busy time (keys with a short TTL, just after the snapshot).
  HAVING MAX(start_ms) + MAX(width_ms) - MIN(start_ms) <= :longest_ms
), chosen AS (
  SELECT clusters.*, COUNT(*) OVER () AS total_rows FROM clusters ORDER BY keys DESC, start_ms, grain LIMIT :top
), seconds AS (
  -- Where seconds were counted together, the keys themselves tell which ones they were.
  SELECT keys.expires_at_ms / 1000 AS second, COUNT(*) AS keys
  FROM (SELECT MIN(start_ms) AS first_ms, MAX(end_ms) AS end_ms FROM chosen
        WHERE grain = 'fine' HAVING MAX(width_ms) > 1000) AS span
  CROSS JOIN keys
  WHERE keys.expires_at_ms >= span.first_ms AND keys.expires_at_ms < span.end_ms
    AND keys.expires_at_ms / (SELECT fine_ms FROM scale)
        IN (SELECT joined.start_ms / joined.width_ms FROM joined
            JOIN chosen ON chosen.grain = joined.grain AND chosen.island = joined.island WHERE joined.grain = 'fine')
  GROUP BY keys.expires_at_ms / 1000
), peaks AS (
  SELECT chosen.island, MAX(seconds.keys) AS keys
  FROM chosen
  JOIN seconds ON seconds.second * 1000 >= chosen.start_ms AND seconds.second * 1000 < chosen.end_ms
  WHERE chosen.grain = 'fine'
  GROUP BY chosen.island
), edges AS (
  -- From the first to the last second that is a tenth of the busiest one.
  SELECT chosen.island, MIN(seconds.second) * 1000 AS start_ms, MAX(seconds.second) * 1000 + 1000 AS end_ms,
         MAX(peaks.keys) AS peak
  FROM chosen
  JOIN peaks ON peaks.island = chosen.island
  JOIN seconds ON seconds.second * 1000 >= chosen.start_ms AND seconds.second * 1000 < chosen.end_ms
  WHERE chosen.grain = 'fine' AND seconds.keys >= 0.1 * peaks.keys
  GROUP BY chosen.island
), told AS (
  SELECT COALESCE(edges.start_ms, chosen.start_ms) AS start_ms, COALESCE(edges.end_ms, chosen.end_ms) AS end_ms,
         chosen.grain, chosen.keys, chosen.memory_bytes, chosen.total_rows,
         COALESCE(edges.peak, chosen.peak * 1000.0 / chosen.width_ms) AS peak,
         chosen.usual * 1000.0 / chosen.width_ms AS usual
  FROM chosen
  LEFT JOIN edges ON edges.island = chosen.island AND chosen.grain = 'fine'
)
SELECT start_ms AS starts_at_ms, start_ms AS starts_at_local_ms, keys, end_ms - start_ms AS span_ms,
       peak AS peak_per_second, usual AS usual_per_second, memory_bytes,
       -- Spread evenly on top of the usual rate; where that is high already, under twice the usual rate.
       CASE WHEN peak > :max_per_second
            THEN CAST(keys / (CASE WHEN :max_per_second > 2 * usual THEN :max_per_second - usual ELSE usual END) AS INTEGER) + 1
            END AS jitter_seconds,
       start_ms - (SELECT ms FROM now) AS time_left_ms, total_rows
FROM told
ORDER BY keys DESC, start_ms, grain;

-- @section  causes  What is in them
-- @note     A snapshot has when keys expire, not when that was set or for how long: "Different times" counts expiry times, to the millisecond.
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
), scale AS (
  -- Seconds are counted one by one; where there were too many, in wider spans but for those that stand out.
  SELECT MIN(width_ms) AS fine_ms,
         CASE WHEN MAX(width_ms) > 60000 THEN MAX(width_ms) ELSE 60000 END AS coarse_ms,
         CASE WHEN MAX(width_ms) > 600 * MIN(width_ms) THEN MAX(width_ms) ELSE 600 * MIN(width_ms) END AS block_ms
  FROM expiry_buckets
), coming AS (
  SELECT b.start_ms, b.width_ms, b.keys, b.memory_bytes, scale.fine_ms, scale.coarse_ms, scale.block_ms,
         b.start_ms / scale.block_ms AS block, b.width_ms / scale.fine_ms AS steps
  FROM expiry_buckets AS b CROSS JOIN scale CROSS JOIN now
  WHERE b.start_ms > now.ms - b.width_ms
), least AS (
  -- A cluster is at least this many keys: 1 % of those that expire, within 100 and 1,000.
  SELECT COALESCE(:min_keys, CASE WHEN SUM(keys) < 10000 THEN 100 WHEN SUM(keys) > 100000 THEN 1000
                                  ELSE SUM(keys) / 100 END) AS keys
  FROM coming
), fine_means AS (
  -- Keys per step in a block of ten minutes, the empty steps counted too.
  SELECT block, SUM(keys) * 1.0 * MIN(fine_ms) / MIN(block_ms) AS mean FROM coming GROUP BY block
), fine_usual AS (
  -- The mean again with every step cut at four times the first mean: one burst hardly moves it.
  SELECT coming.block,
         SUM(CASE WHEN keys > 4 * mean * steps THEN 4 * mean * steps ELSE keys END) * MIN(fine_ms) / MIN(block_ms) AS keys
  FROM coming
  JOIN fine_means ON fine_means.block = coming.block
  GROUP BY coming.block
), fine_rows AS (
  -- What is usual for a step: the most of its block and the two beside it, so that the edge of a busy time is no burst.
  SELECT coming.start_ms, coming.width_ms, coming.keys, coming.memory_bytes,
         (SELECT MAX(near.keys) FROM fine_usual AS near
          WHERE near.block IN (coming.block - 1, coming.block, coming.block + 1)) AS usual
  FROM coming
  WHERE coming.steps = 1 AND coming.keys >= (SELECT keys FROM least)
), fine_bursts AS (
  SELECT * FROM fine_rows WHERE keys > :times_usual * usual
), coarse AS (
  -- What is left of each minute when the bursts of a second are taken out; 360 of them form a block.
  SELECT start_ms / coarse_ms * coarse_ms AS start_ms, coarse_ms AS width_ms, SUM(keys) AS keys,
         SUM(memory_bytes) AS memory_bytes, start_ms / coarse_ms / 360 AS block
  FROM coming
  WHERE NOT (steps = 1 AND start_ms IN (SELECT start_ms FROM fine_bursts))
  GROUP BY start_ms / coarse_ms, coarse_ms
), coarse_means AS (
  SELECT block, SUM(keys) / 360.0 AS mean FROM coarse GROUP BY block
), coarse_usual AS (
  SELECT coarse.block, SUM(CASE WHEN keys > 4 * mean THEN 4 * mean ELSE keys END) / 360.0 AS keys
  FROM coarse
  JOIN coarse_means ON coarse_means.block = coarse.block
  GROUP BY coarse.block
), coarse_rows AS (
  SELECT coarse.start_ms, coarse.width_ms, coarse.keys, coarse.memory_bytes,
         (SELECT MAX(near.keys) FROM coarse_usual AS near
          WHERE near.block IN (coarse.block - 1, coarse.block, coarse.block + 1)) AS usual
  FROM coarse
  WHERE coarse.keys >= (SELECT keys FROM least)
), bursts AS (
  SELECT 'fine' AS grain, start_ms, width_ms, keys, memory_bytes, usual FROM fine_bursts
  UNION ALL
  SELECT 'coarse', start_ms, width_ms, keys, memory_bytes, usual FROM coarse_rows WHERE keys > :times_usual * usual
), joined AS (
  -- Bursts without a gap between them are one cluster.
  SELECT bursts.*, start_ms / width_ms - ROW_NUMBER() OVER (PARTITION BY grain ORDER BY start_ms) AS island FROM bursts
), clusters AS (
  SELECT grain, island, MIN(start_ms) AS start_ms, MAX(start_ms) + MAX(width_ms) AS end_ms, MAX(width_ms) AS width_ms,
         SUM(keys) AS keys, MAX(keys) AS peak, SUM(memory_bytes) AS memory_bytes, MAX(usual) AS usual
  FROM joined
  GROUP BY grain, island
  -- What goes on for longer is spread already: a busy time (keys with a short TTL, just after the snapshot).
  HAVING MAX(start_ms) + MAX(width_ms) - MIN(start_ms) <= :longest_ms
), hit AS (
  SELECT top.grain, joined.start_ms / joined.width_ms AS bucket, joined.start_ms AS first_ms,
         joined.start_ms + joined.width_ms AS end_ms, top.start_ms AS cluster_ms, top.keys AS cluster_keys
  FROM (SELECT * FROM clusters ORDER BY keys DESC, start_ms, grain LIMIT :top) AS top
  JOIN joined ON joined.grain = top.grain AND joined.island = top.island
), found AS MATERIALIZED (
  -- The one pass over the keys: said so, because it is asked twice below.
  SELECT expires_at_ms, prefix_id, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes,
         SUM(CASE WHEN memory_bytes > :big_bytes THEN 1 ELSE 0 END) AS big_keys, MAX(memory_bytes) AS largest_key_bytes
  FROM keys
  WHERE expires_at_ms >= (SELECT MIN(first_ms) FROM hit) AND expires_at_ms < (SELECT MAX(end_ms) FROM hit)
    AND (expires_at_ms / (SELECT fine_ms FROM scale) IN (SELECT bucket FROM hit WHERE grain = 'fine')
         OR expires_at_ms / (SELECT coarse_ms FROM scale) IN (SELECT bucket FROM hit WHERE grain = 'coarse'))
  GROUP BY expires_at_ms, prefix_id
), placed AS (
  SELECT found.*, found.expires_at_ms / scale.fine_ms AS fine_bucket, found.expires_at_ms / scale.coarse_ms AS coarse_bucket,
         CASE WHEN found.expires_at_ms / scale.fine_ms IN (SELECT start_ms / width_ms FROM fine_bursts)
              THEN 'fine' ELSE 'coarse' END AS grain
  FROM found CROSS JOIN scale
), seconds AS (
  SELECT hit.cluster_ms, placed.expires_at_ms / 1000 AS second, SUM(placed.keys) AS keys
  FROM placed
  JOIN hit ON hit.grain = 'fine' AND placed.grain = 'fine' AND hit.bucket = placed.fine_bucket
  WHERE (SELECT fine_ms FROM scale) > 1000
  GROUP BY hit.cluster_ms, placed.expires_at_ms / 1000
), edges AS (
  -- As above: the first second that is a tenth of the busiest one.
  SELECT seconds.cluster_ms, MIN(seconds.second) * 1000 AS start_ms
  FROM seconds
  JOIN (SELECT cluster_ms, MAX(keys) AS keys FROM seconds GROUP BY cluster_ms) AS peaks
    ON peaks.cluster_ms = seconds.cluster_ms AND seconds.keys >= 0.1 * peaks.keys
  GROUP BY seconds.cluster_ms
), way (prefix_id, node_id) AS (
  -- Each pattern in a cluster and every prefix above it.
  SELECT prefix_id, prefix_id FROM found
  UNION
  SELECT way.prefix_id, prefixes.parent_id
  FROM way
  JOIN prefixes ON prefixes.id = way.node_id
  WHERE prefixes.parent_id IS NOT NULL
), caused AS (
  SELECT hit.cluster_ms, hit.grain, hit.cluster_keys, way.node_id,
         SUM(placed.keys) AS keys, SUM(placed.memory_bytes) AS memory_bytes,
         COUNT(DISTINCT placed.expires_at_ms) AS expiry_times,
         SUM(placed.big_keys) AS big_keys, MAX(placed.largest_key_bytes) AS largest_key_bytes
  FROM placed
  JOIN hit ON hit.grain = placed.grain
          AND hit.bucket = CASE placed.grain WHEN 'fine' THEN placed.fine_bucket ELSE placed.coarse_bucket END
  JOIN way ON way.prefix_id = placed.prefix_id
  GROUP BY hit.cluster_ms, hit.grain, hit.cluster_keys, way.node_id
), heavy AS (
  SELECT caused.*, prefixes.parent_id, prefixes.prefix
  FROM caused
  JOIN prefixes ON prefixes.id = caused.node_id
  WHERE caused.keys >= :least_share * caused.cluster_keys
)
-- The longest prefixes that still have a fair share of the cluster.
SELECT CASE heavy.grain WHEN 'fine' THEN COALESCE(edges.start_ms, heavy.cluster_ms) ELSE heavy.cluster_ms END AS starts_at_ms,
       heavy.prefix, heavy.keys,
       heavy.keys * 1.0 / heavy.cluster_keys AS cluster_share,
       heavy.memory_bytes, heavy.expiry_times, heavy.big_keys, heavy.largest_key_bytes
FROM heavy
LEFT JOIN edges ON edges.cluster_ms = heavy.cluster_ms
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
  FROM (SELECT COUNT(*) AS files FROM files HAVING SUM(keys_absurd_expiry) > 0) AS some CROSS JOIN now CROSS JOIN keys
  WHERE keys.expires_at_ms < 631152000000 OR keys.expires_at_ms > now.ms + 3155760000000
), grouped AS (
  SELECT verdict, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, MIN(id) AS example_id FROM judged GROUP BY verdict
)
SELECT grouped.verdict, grouped.keys, grouped.memory_bytes, keys.key AS example_key,
       keys.expires_at_ms AS example_expiry_ms
FROM grouped
JOIN keys ON keys.id = grouped.example_id
ORDER BY grouped.keys DESC, grouped.verdict;
