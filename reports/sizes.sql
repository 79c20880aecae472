-- @title    Sizes
-- @summary  How large keys are: histograms in powers of two, of memory and of elements, by type.
-- @order    60
-- @param    type  text  -  Only this type.

-- @section  memory  Keys by memory
-- @empty    The snapshot holds no keys.
-- @column   from_bytes    binary_bytes  From
-- @column   below_bytes   binary_bytes  below
-- @column   keys          count         Keys
-- @column   key_share     ratio         of keys
-- @column   memory_bytes  bytes         Memory
-- @column   memory_share  ratio         of memory
-- @chart    histogram  from_bytes  keys
SELECT CASE WHEN bucket < 0 THEN 0 ELSE CAST(POWER(2, bucket) AS INTEGER) END AS from_bytes,
       CASE WHEN bucket < 0 THEN 1 ELSE CAST(POWER(2, bucket + 1) AS INTEGER) END AS below_bytes,
       SUM(keys) AS keys,
       SUM(keys) * 1.0 / NULLIF(SUM(SUM(keys)) OVER (), 0) AS key_share,
       SUM(total) AS memory_bytes,
       SUM(total) * 1.0 / NULLIF(SUM(SUM(total)) OVER (), 0) AS memory_share
FROM size_buckets
WHERE measure = 'memory_bytes' AND (:type IS NULL OR type = :type)
GROUP BY bucket
ORDER BY bucket;

-- @section  memory-by-type  Memory by type
-- @column   type          label         Type
-- @column   from_bytes    binary_bytes  From
-- @column   below_bytes   binary_bytes  below
-- @column   keys          count         Keys
-- @column   memory_bytes  bytes         Memory
-- @column   memory_share  ratio         of its type
SELECT type, CASE WHEN bucket < 0 THEN 0 ELSE CAST(POWER(2, bucket) AS INTEGER) END AS from_bytes,
       CASE WHEN bucket < 0 THEN 1 ELSE CAST(POWER(2, bucket + 1) AS INTEGER) END AS below_bytes,
       keys, total AS memory_bytes,
       total * 1.0 / NULLIF(SUM(total) OVER (PARTITION BY type), 0) AS memory_share
FROM size_buckets
WHERE measure = 'memory_bytes' AND (:type IS NULL OR type = :type)
ORDER BY type, bucket;

-- @section  elements-by-type  Elements of collections
-- @column   type              label  Type
-- @column   from_elements     count  From
-- @column   below_elements    count  below
-- @column   keys              count  Keys
-- @column   elements          count  Elements
-- @column   elements_share    ratio  of its type
SELECT type, CASE WHEN bucket < 0 THEN 0 ELSE CAST(POWER(2, bucket) AS INTEGER) END AS from_elements,
       CASE WHEN bucket < 0 THEN 1 ELSE CAST(POWER(2, bucket + 1) AS INTEGER) END AS below_elements,
       keys, total AS elements,
       total * 1.0 / NULLIF(SUM(total) OVER (PARTITION BY type), 0) AS elements_share
FROM size_buckets
WHERE measure = 'elements' AND type <> 'string' AND (:type IS NULL OR type = :type)
ORDER BY type, bucket;
