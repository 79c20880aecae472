-- @title     Keys outside database 0
-- @topic     lifecycle
-- @severity  note
-- @report    lifecycle
-- @reason    Databases share one thread, one memory limit and one eviction; a cluster has only number 0, and many clients
--            and tools forget the others.
-- @remedy    Give separate businesses instances of their own, or prefixes in database 0.
SELECT 'database' AS subject_kind, 'db ' || db AS subject, SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes,
       MIN(largest_key_id) AS first_key_id, MAX(largest_key_id) AS last_key_id
FROM totals
WHERE db <> 0
GROUP BY db;
