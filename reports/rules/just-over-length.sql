-- @title     Elements just too long to be packed
-- @topic     encodings
-- @severity  note
-- @report    encodings
-- @reads     encodings  near
-- @needs     SELECT 1 FROM kinds WHERE encoding IN ('hashtable', 'skiplist')
-- @param     factor      number  2     Up to this many times the server's limit.
-- @param     min_saving  bytes   10KB  Memory that packing must save.
-- @reason    One element over the limit turns the whole collection into a table, with pointers and a block for every element.
-- @remedy    Shorten the longest field or value, or raise the setting named here after measuring.
SELECT prefix_id, keys, memory_bytes, saving_bytes, first_key_id, last_key_id,
       setting || ' is ' || setting_value AS detail
FROM near
WHERE why = 'length';
