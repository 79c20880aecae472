-- @title     Control characters
-- @topic     naming
-- @severity  warning
-- @report    naming
-- @reason    Line breaks and other control characters in a name break log lines, exports and scripts, and can make a terminal
--            do what the name says.
-- @remedy    Find the writer that puts raw input into key names and clean that input first.
SELECT prefix_id,
       SUM(keys) AS keys,
       SUM(memory_bytes) AS memory_bytes,
       MIN(first_key_id) AS first_key_id,
       MAX(last_key_id) AS last_key_id
FROM key_name_faults
WHERE faults LIKE '%control%' AND faults NOT LIKE '%not-utf8%'
GROUP BY prefix_id;
