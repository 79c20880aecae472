-- @title     Objects whose keys would lie in different slots
-- @topic     cluster
-- @severity  note
-- @report    cluster
-- @reads     cluster  families
-- @param     min_entities  count  100  Objects from which a family is told.
-- @param     family_share  ratio  0.5  A kind of key belongs to it when at least this share of the objects has it.
-- @reason    In a cluster a transaction, a script or a command over several keys works within one slot only; keys of one
--            object without a common hash tag are spread at random.
-- @remedy    Before moving to a cluster, name them with the object's id as hash tag: cart:{10086}:items, cart:{10086}:meta.
SELECT prefix_id, keys, memory_bytes, kinds AS detail, 1 AS whole
FROM families;
