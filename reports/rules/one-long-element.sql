-- @title     One long element keeps a collection unpacked
-- @topic     encodings
-- @severity  note
-- @report    encodings
-- @reads     encodings  near
-- @needs     SELECT 1 FROM prefix_marks WHERE mark = 'one-long-element'
-- @param     min_saving  bytes  10KB  Memory that packing must save.
-- @reason    All other elements would fit the compact encoding; a single one of more than twice the permitted length makes
--            the server hold every element in blocks of its own.
-- @remedy    Move the long element into a key of its own.
SELECT prefix_id, keys, memory_bytes, saving_bytes, first_key_id, last_key_id,
       setting || ' is ' || setting_value AS detail
FROM near
WHERE why = 'one long element';
