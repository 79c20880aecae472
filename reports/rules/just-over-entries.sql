-- @title     Collections just too large to be packed
-- @topic     encodings
-- @severity  note
-- @report    encodings
-- @reads     encodings  near
-- @needs     SELECT 1 FROM kinds WHERE encoding IN ('hashtable', 'skiplist')
-- @param     factor      number  2     Up to this many times the server's limit.
-- @param     min_saving  bytes   10KB  Memory that packing must save.
-- @reason    Up to a limit the server packs a collection into one block without pointers; just past it, the same data takes
--            several times the memory.
-- @remedy    Cut the collections into more keys, or raise the setting named here: each access then scans a longer block, so
--            measure before and after.
SELECT prefix_id, keys, memory_bytes, saving_bytes, first_key_id, last_key_id,
       setting || ' is ' || setting_value AS detail
FROM near
WHERE why = 'entries';
