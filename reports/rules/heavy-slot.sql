-- @title     A slot far heavier than the others
-- @topic     cluster
-- @severity  note
-- @report    cluster
-- @reads     cluster  slots
-- @param     slot_bytes                  bytes   100MB  Memory from which a slot is heavy.
-- @param     slot_times                  number  10     And this many times the mean of the slots that have keys.
-- @param     migration_bytes_per_second  bytes   20MB   How fast a slot moves.
-- @reason    A slot moves as a whole when a cluster is resized or a node is replaced, key by key; a heavy one holds that up
--            and can't be shared between nodes.
-- @remedy    Split its largest keys, or take the hash tag apart that gathers them (report cluster).
SELECT 'slot' AS subject_kind, CAST(slot AS TEXT) AS subject, keys, memory_bytes,
       times_mean || ' times the mean; moves in about ' || move_seconds || ' s' AS detail
FROM slots
WHERE heavy = 1;
