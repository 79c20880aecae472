-- @title     Names that are no text
-- @topic     naming
-- @severity  warning
-- @report    naming
-- @reason    A name of raw bytes can't be typed, searched or shown, and different clients disagree about what it is.
-- @remedy    Write ids as decimal or hexadecimal digits instead of packed bytes.
SELECT prefix_id,
       SUM(keys) AS keys,
       SUM(memory_bytes) AS memory_bytes,
       MIN(first_key_id) AS first_key_id,
       MAX(last_key_id) AS last_key_id
FROM key_name_faults
WHERE faults LIKE '%not-utf8%'
GROUP BY prefix_id;
