-- @title     Names that do not start with a letter
-- @topic     naming
-- @severity  note
-- @report    naming
-- @reason    A name that starts with the business it belongs to says whose it is and sorts with its kind; one that starts
--            with a digit or a sign has no owner. (The brace of a leading hash tag is passed over.)
-- @remedy    Put the business first: shop:user:10086.
SELECT prefix_id,
       SUM(keys) AS keys,
       SUM(memory_bytes) AS memory_bytes,
       MIN(first_key_id) AS first_key_id,
       MAX(last_key_id) AS last_key_id,
       MAX(CASE WHEN faults LIKE '%empty%' THEN 'the empty name' END) AS detail
FROM key_name_faults
WHERE (faults LIKE '%first-character%' OR faults LIKE '%empty%')
  AND faults NOT LIKE '%not-utf8%' AND faults NOT LIKE '%not-ascii%' AND faults NOT LIKE '%control%'
GROUP BY prefix_id;
