-- @title     Characters that break tools
-- @topic     naming
-- @severity  warning
-- @report    naming
-- @reason    Blanks, quotes, backslashes, brackets and the wildcards of KEYS and SCAN have to be quoted in every command,
--            script and pattern; where somebody forgets, the wrong keys are matched or none is found.
-- @remedy    Write the key under a name of letters, digits, | _ . : only; braces are for one hash tag.
SELECT prefix_id,
       SUM(keys) AS keys,
       SUM(memory_bytes) AS memory_bytes,
       MIN(first_key_id) AS first_key_id,
       MAX(last_key_id) AS last_key_id,
       TRIM(MAX(CASE WHEN faults LIKE '%space%' THEN 'blanks ' ELSE '' END)
         || MAX(CASE WHEN faults LIKE '%quote%' THEN 'quotes ' ELSE '' END)
         || MAX(CASE WHEN faults LIKE '%backslash%' THEN 'backslashes ' ELSE '' END)
         || MAX(CASE WHEN faults LIKE '%glob%' THEN 'wildcards ' ELSE '' END)
         || MAX(CASE WHEN faults LIKE '%bracket%' THEN 'brackets ' ELSE '' END)) AS detail
FROM key_name_faults
WHERE faults LIKE '%space%' OR faults LIKE '%quote%' OR faults LIKE '%backslash%' OR faults LIKE '%glob%'
   OR faults LIKE '%bracket%'
GROUP BY prefix_id;
