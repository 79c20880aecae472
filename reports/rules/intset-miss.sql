-- @title     Sets that narrowly miss the integer encoding
-- @topic     encodings
-- @severity  note
-- @report    encodings
-- @reads     encodings  near
-- @needs     SELECT 1 FROM prefix_marks WHERE mark IN ('one-text-member', 'integers-over-limit')
-- @param     min_saving  bytes  10KB  Memory that the integer encoding must save.
-- @reason    A set of nothing but integers is held as a sorted array of at most 8 bytes each; one other member, or a few
--            members too many, and each takes dozens of bytes.
-- @remedy    Keep the odd member elsewhere (a sentinel, an "all" marker), or cut sets of integers that are just too large.
SELECT prefix_id, keys, memory_bytes, saving_bytes, first_key_id, last_key_id,
       CASE why WHEN 'integers' THEN setting || ' is ' || setting_value ELSE 'one member is no integer' END AS detail
FROM near
WHERE why IN ('one text member', 'integers');
