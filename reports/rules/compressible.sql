-- @title     Long texts that would compress well
-- @topic     value-design
-- @severity  note
-- @report    value-design
-- @param     max_ratio   ratio  0.5   The file's own compression must bring them to this share or less.
-- @param     min_saving  bytes  1MB   Memory that compressing must free to be worth it.
-- @reason    The file compresses these values with a fast, weak method and already halves them; in memory they are held as
--            they are.
-- @remedy    Compress in the client before storing (zstd or gzip), and say so in the name or a first byte.
WITH texts AS (
  SELECT COALESCE(prefix_aliases.prefix_id, prefix_marks.prefix_id) AS prefix_id,
         SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes, SUM(payload_bytes) AS payload_bytes,
         SUM(serialized_bytes) AS serialized_bytes, MIN(first_key_id) AS first_key_id, MAX(last_key_id) AS last_key_id,
         MIN(mark) AS mark
  FROM prefix_marks
  LEFT JOIN prefix_aliases ON prefix_aliases.id = prefix_marks.prefix_id
  WHERE mark IN ('content:json', 'content:markup', 'content:text')
  GROUP BY 1
)
SELECT prefix_id, keys, memory_bytes, first_key_id, last_key_id,
       payload_bytes - serialized_bytes AS saving_bytes,
       SUBSTR(mark, 9) || ', compressed to ' || CAST(ROUND(100.0 * serialized_bytes / payload_bytes) AS INTEGER)
         || ' % in the file' AS detail
FROM texts
WHERE serialized_bytes <= :max_ratio * payload_bytes
  AND payload_bytes - serialized_bytes >= :min_saving;
