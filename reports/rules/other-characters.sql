-- @title     Characters outside the naming rules
-- @topic     naming
-- @severity  note
-- @report    naming
-- @param     dash  choice(allowed,forbidden)  allowed  Whether a dash may stand in a name: conventions differ.
-- @reason    One small alphabet (letters, digits, | _ . :) keeps names portable between clients, patterns, metrics and
--            files; anything else sooner or later needs escaping somewhere.
-- @remedy    Agree on the alphabet for new keys; put URLs, names and free text through a hash or a slug first.
SELECT prefix_id,
       SUM(keys) AS keys,
       SUM(memory_bytes) AS memory_bytes,
       MIN(first_key_id) AS first_key_id,
       MAX(last_key_id) AS last_key_id,
       TRIM(MAX(CASE WHEN faults LIKE '%symbol%' THEN 'symbols ' ELSE '' END)
         || MAX(CASE WHEN faults LIKE '%not-ascii%' THEN 'not ASCII ' ELSE '' END)
         || MAX(CASE WHEN :dash = 'forbidden' AND faults LIKE '%dash%' THEN 'dashes ' ELSE '' END)) AS detail
FROM key_name_faults
WHERE faults LIKE '%symbol%' OR faults LIKE '%not-ascii%' OR (:dash = 'forbidden' AND faults LIKE '%dash%')
GROUP BY prefix_id;
