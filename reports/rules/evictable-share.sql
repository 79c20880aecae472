-- @title     Little that a volatile policy could evict
-- @topic     lifecycle
-- @severity  note
-- @report    lifecycle
-- @param     min_share  ratio  0.1  Share of memory in keys with a TTL below which it is told.
-- @reason    Under the volatile-* policies only keys with a TTL are evicted. Where hardly any have one, a full instance
--            refuses writes as if there were no policy at all. (The file does not tell the policy.)
-- @remedy    Give caches a TTL, choose an allkeys-* policy for a pure cache, or plan memory as for a store that never evicts.
SELECT 'snapshot' AS subject_kind, 'memory in keys with a TTL' AS subject,
       SUM(keys_without_ttl) AS keys, SUM(memory_without_ttl) AS memory_bytes,
       CAST(ROUND(100.0 - 100.0 * SUM(memory_without_ttl) / SUM(memory_bytes)) AS INTEGER) || ' % evictable' AS detail
FROM totals
HAVING SUM(memory_bytes) - SUM(memory_without_ttl) < :min_share * SUM(memory_bytes);
