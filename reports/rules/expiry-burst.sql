-- @title     Many keys that expire at once
-- @topic     lifecycle
-- @severity  warning
-- @report    expiry-clusters
-- @reads     expiry-clusters  clusters
-- @param     times_usual     number  10   A burst is this many times the usual rate of its time.
-- @param     min_keys        count   -    And at least this many keys; by default 1 % of those that expire, within 100 and 1,000.
-- @param     max_per_second  count   500  The peak that the advised jitter stays under.
-- @reason    Keys that were written together with one TTL go together: the server is busy deleting, and all the readers
--            that miss at that moment ask the database behind it.
-- @remedy    Add a random part to the TTL when writing (base plus 0 to the jitter told here).
SELECT 'time' AS subject_kind, starts_at_ms AS subject, keys, memory_bytes,
       'within ' || span_ms || ' ms; ' || jitter_seconds || ' s of jitter would do' AS detail
FROM clusters;
