-- @title    Key statistics
-- @summary  What redis-cli --bigkeys, --memkeys and --keystats ask a live server for, from the file.
-- @order    90
-- @param    top  limit  10  Rows of the list of largest keys; 0 shows all.

-- @section  bigkeys  By type: elements (--bigkeys)
-- @note     Strings are measured in bytes, collections in elements, as redis-cli does.
-- @column   type          label   Type
-- @column   keys          count   Keys
-- @column   key_share     ratio   of keys
-- @column   total         count   Total
-- @column   unit          label   Unit
-- @column   average       count   Average
-- @column   biggest_key   key     Biggest key
-- @column   biggest_size  count   Its size
WITH measured AS (
  -- From the histograms: how many keys, how much in all, and below which size the biggest cannot be.
  SELECT type, SUM(keys) AS keys, SUM(total) AS total,
         CASE WHEN MAX(bucket) < 0 THEN 0 ELSE CAST(POWER(2, MAX(bucket)) AS INTEGER) END AS least
  FROM size_buckets
  WHERE measure = CASE type WHEN 'string' THEN 'largest_element_bytes' ELSE 'elements' END
  GROUP BY type
), biggest AS (
  -- A type that is not among the first of all keys needs a pass of its own, but no sorting. The inner COALESCE keeps
  -- SQLite from indexing all keys first.
  SELECT measured.*,
         COALESCE(
           (SELECT keys.id FROM largest_keys
            JOIN keys ON keys.id = largest_keys.key_id
            WHERE largest_keys.ranking = CASE measured.type WHEN 'string' THEN 'largest_element_bytes' ELSE 'elements' END
              AND keys.type = measured.type
            ORDER BY largest_keys.value DESC, keys.id
            LIMIT 1),
           (SELECT keys.id FROM keys
            WHERE CASE measured.type WHEN 'string' THEN keys.largest_element_bytes ELSE keys.elements END >= measured.least
              AND COALESCE(keys.type, '') = measured.type
            ORDER BY CASE keys.type WHEN 'string' THEN keys.largest_element_bytes ELSE keys.elements END DESC, keys.id
            LIMIT 1)) AS biggest_id
  FROM measured
)
SELECT measured.type, measured.keys,
       measured.keys * 1.0 / NULLIF((SELECT SUM(keys) FROM totals), 0) AS key_share,
       measured.total,
       CASE measured.type WHEN 'string' THEN 'bytes' WHEN 'list' THEN 'items' WHEN 'hash' THEN 'fields'
                          WHEN 'stream' THEN 'entries' WHEN 'set' THEN 'members' WHEN 'zset' THEN 'members'
                          ELSE 'elements' END AS unit,
       measured.total * 1.0 / measured.keys AS average,
       keys.key AS biggest_key,
       CASE measured.type WHEN 'string' THEN keys.largest_element_bytes ELSE keys.elements END AS biggest_size
FROM biggest AS measured
JOIN keys ON keys.id = measured.biggest_id
ORDER BY measured.keys DESC, measured.type;

-- @section  memkeys  By type: memory (--memkeys)
-- @column   type           label  Type
-- @column   keys           count  Keys
-- @column   key_share      ratio  of keys
-- @column   memory_bytes   bytes  Memory
-- @column   average_bytes  bytes  Average
-- @column   biggest_key    key    Biggest key
-- @column   biggest_bytes  bytes  Its memory
WITH ranked AS (
  SELECT kinds.type, totals.largest_key_id,
         ROW_NUMBER() OVER (PARTITION BY kinds.type ORDER BY totals.largest_key_bytes DESC, totals.largest_key_id) AS place
  FROM totals
  JOIN kinds ON kinds.id = totals.kind_id
), by_type AS (
  SELECT kinds.type, SUM(totals.keys) AS keys, SUM(totals.memory_bytes) AS memory_bytes
  FROM totals
  JOIN kinds ON kinds.id = totals.kind_id
  GROUP BY kinds.type
)
SELECT by_type.type, by_type.keys,
       by_type.keys * 1.0 / NULLIF((SELECT SUM(keys) FROM totals), 0) AS key_share,
       by_type.memory_bytes, by_type.memory_bytes * 1.0 / by_type.keys AS average_bytes,
       keys.key AS biggest_key, keys.memory_bytes AS biggest_bytes
FROM by_type
JOIN ranked ON ranked.type = by_type.type AND ranked.place = 1
JOIN keys ON keys.id = ranked.largest_key_id
ORDER BY by_type.memory_bytes DESC, by_type.type;

-- @section  distribution  Distribution of key sizes (--keystats)
-- @empty    The snapshot holds no keys.
-- @column   below_bytes       binary_bytes  Memory below
-- @column   keys              count         Keys
-- @column   key_share         ratio         of keys
-- @column   cumulative_share  ratio         up to here
SELECT CASE WHEN bucket < 0 THEN 1 ELSE CAST(POWER(2, bucket + 1) AS INTEGER) END AS below_bytes,
       SUM(keys) AS keys,
       SUM(keys) * 1.0 / NULLIF(SUM(SUM(keys)) OVER (), 0) AS key_share,
       SUM(SUM(keys)) OVER (ORDER BY bucket) * 1.0 / NULLIF(SUM(SUM(keys)) OVER (), 0) AS cumulative_share
FROM size_buckets
WHERE measure = 'memory_bytes'
GROUP BY bucket
ORDER BY bucket;

-- @section  top  Largest keys
-- @column   key           key    Key
-- @column   type          label  Type
-- @column   memory_bytes  bytes  Memory
-- @column   elements      count  Elements
WITH listed AS (
  -- The first of all keys are known already, a thousand of them.
  SELECT key_id AS id FROM largest_keys WHERE ranking = 'memory_bytes' ORDER BY value DESC, key_id LIMIT :top
), found AS (
  SELECT keys.id
  FROM (SELECT COUNT(*) AS keys FROM listed HAVING COUNT(*) < :top) AS too_few
  CROSS JOIN keys
  ORDER BY keys.memory_bytes DESC, keys.id
  LIMIT :top
), ranked AS (
  SELECT id FROM listed WHERE (SELECT COUNT(*) FROM listed) >= :top
  UNION ALL
  SELECT id FROM found
)
SELECT keys.key, keys.type, keys.memory_bytes, keys.elements
FROM ranked
JOIN keys ON keys.id = ranked.id
ORDER BY keys.memory_bytes DESC, keys.id;

-- @section  names  Length of key names
-- @record
-- @column   keys                count   Keys
-- @column   total_name_bytes    bytes   All names
-- @column   average_name_bytes  count   Average
SELECT SUM(keys) AS keys, SUM(key_name_bytes) AS total_name_bytes,
       SUM(key_name_bytes) * 1.0 / NULLIF(SUM(keys), 0) AS average_name_bytes
FROM totals;
