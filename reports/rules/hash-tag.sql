-- @title     A hash tag that gathers too much
-- @topic     cluster
-- @severity  warning
-- @report    cluster
-- @reads     cluster  tags
-- @param     min_keys   count  100   Keys from which a hash tag is told.
-- @param     min_share  ratio  0.01  And its share of all keys or of all memory.
-- @reason    All keys of one hash tag lie in one slot, which can't be divided: a tenant's or a product's whole traffic and
--            memory end on one node, however many there are.
-- @remedy    Tag by the smallest object that needs commands across its keys (a cart, not a tenant), or leave the tag out.
SELECT 'tag' AS subject_kind, tag AS subject, keys, memory_bytes, first_key_id, last_key_id, 'slot ' || slot AS detail
FROM tags;
