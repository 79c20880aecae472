-- @title     Names that cost much memory
-- @topic     naming
-- @severity  note
-- @report    naming
-- @param     cut           count  10     Bytes that a shorter name would save.
-- @param     min_saving    bytes  100MB  Memory that this must save to be worth a change.
-- @param     min_share     ratio  0.02   And its share of all memory.
-- @reason    At scale each byte of a name is paid for millions of times: ten bytes on a hundred million keys are a
--            gigabyte before rounding. What the allocator rounds away is taken into account here.
-- @remedy    Shorten the fixed segments of the pattern (u:{n}:fr instead of user:{n}:friends); keep it readable, there is
--            no length that every name has to stay under for the sake of an encoding.
WITH children AS (
  SELECT parent_id, SUM(memory_bytes) AS memory_bytes, SUM(key_name_bytes) AS key_name_bytes
  FROM prefixes
  GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.own_keys AS keys,
         prefixes.memory_bytes - COALESCE(children.memory_bytes, 0) AS memory_bytes,
         prefixes.key_name_bytes - COALESCE(children.key_name_bytes, 0) AS key_name_bytes
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
  WHERE prefixes.own_keys > 0
), saving AS (
  SELECT own.*, name_saving((SELECT MIN(memory_profile) FROM files), keys, key_name_bytes, :cut) AS saving_bytes
  FROM own
)
SELECT id AS prefix_id, keys, memory_bytes, saving_bytes,
       key_name_bytes || ' bytes of names' AS detail
FROM saving
WHERE saving_bytes >= :min_saving
  AND saving_bytes >= :min_share * (SELECT SUM(memory_bytes) FROM totals);
