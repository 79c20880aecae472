-- @title    Cluster slots
-- @summary  How evenly keys and memory lie over the 16,384 hash slots, and which hash tags gather too much in one.
-- @order    70
-- @param    top    limit  10    Rows per table; 0 shows all.
-- @param    width  count  1024  Slots of one row in the table of all slots.

-- @section  skew  Evenness
-- @record
-- @facts
SELECT slot AS fullest_slot,
       memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM slot_totals), 0) AS fullest_share
FROM slot_totals
ORDER BY memory_bytes DESC, slot
LIMIT 1;
-- @column   slots_used       count  Slots with keys
-- @column   mean_bytes       bytes  Mean of them
-- @column   fullest_bytes    bytes  Fullest slot
-- @column   times_the_mean   count   Times the mean
-- @remark   slots_used       of 16,384; slots matter in a cluster only
-- @remark   fullest_bytes    slot {fullest_slot:number}, {fullest_share:ratio} of memory
SELECT COUNT(*) AS slots_used, SUM(memory_bytes) / NULLIF(COUNT(*), 0) AS mean_bytes, MAX(memory_bytes) AS fullest_bytes,
       MAX(memory_bytes) * 1.0 * COUNT(*) / NULLIF(SUM(memory_bytes), 0) AS times_the_mean
FROM slot_totals;

-- @section  slots  Fullest slots
-- @empty    No key lies in any slot.
-- @column   slot           number  Slot
-- @column   keys           count   Keys
-- @column   memory_bytes   bytes   Memory
-- @column   memory_share   ratio   of memory
-- @column   times_the_mean  count  Times the mean
SELECT slot, keys, memory_bytes,
       memory_bytes * 1.0 / NULLIF(SUM(memory_bytes) OVER (), 0) AS memory_share,
       memory_bytes * 1.0 * COUNT(*) OVER () / NULLIF(SUM(memory_bytes) OVER (), 0) AS times_the_mean,
       COUNT(*) OVER () AS total_rows
FROM slot_totals
ORDER BY memory_bytes DESC, slot
LIMIT :top;

-- @section  tags  Hash tags in the fullest slots
-- @column   tag           key     Hash tag
-- @column   slot          number  Slot
-- @column   keys          count   Keys
-- @column   memory_bytes  bytes   Memory
-- @column   memory_share  ratio   of memory
SELECT hash_tag(key) AS tag, slot, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes,
       SUM(memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM slot_totals), 0) AS memory_share,
       COUNT(*) OVER () AS total_rows
FROM keys
WHERE slot IN (SELECT slot FROM slot_totals ORDER BY memory_bytes DESC, slot LIMIT 10)
  AND hash_tag(key) IS NOT NULL
GROUP BY hash_tag(key), slot
ORDER BY memory_bytes DESC, slot, tag
LIMIT :top;

-- @section  ranges  Memory over the slots
-- @column   first_slot    number  First slot
-- @column   last_slot     number  Last slot
-- @column   keys          count   Keys
-- @column   memory_bytes  bytes   Memory
-- @column   memory_share  ratio   of memory
-- @chart    heat-strip  first_slot  memory_bytes
SELECT slot / :width * :width AS first_slot, MIN(slot / :width * :width + :width, 16384) - 1 AS last_slot, SUM(keys) AS keys,
       SUM(memory_bytes) AS memory_bytes,
       SUM(memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM slot_totals), 0) AS memory_share
FROM slot_totals
GROUP BY slot / :width
ORDER BY first_slot;
