-- @title    Value design
-- @summary  Values over the design limits, by prefix: long strings and what they hold, large collections, long elements.
-- @order    71
-- @param    top                limit  10    Rows per table; 0 shows all.
-- @param    string_limit       bytes  10KB  A string over this is past its design limit.
-- @param    string_critical    bytes  10MB  A string over this is critical.
-- @param    elements_limit     count  5000  A collection of more elements is past its design limit.
-- @param    elements_critical  count  10000  A collection of more elements is critical.
-- @param    hash_members       count  1000  A hash of more members and over hash_memory is critical, too.
-- @param    hash_memory        bytes  1GB   See hash_members.
-- @param    element_limit      bytes  10KB  Longest element that is fine.

-- @section  values  Values over their limits
-- @empty    No value is over its design limit (strings {string_limit:bytes}, collections {elements_limit:count element}).
-- @column   prefix             prefix  Prefix
-- @column   type               label   Type
-- @column   over_keys          count   Over
-- @column   critical_keys      count   Critical
-- @column   of_keys            ratio   of its keys
-- @column   memory_bytes       bytes   Memory in them
-- @column   most_elements      count   Most elements
-- @column   longest_bytes      bytes   Longest
-- @column   largest_key        key     Largest
WITH judged AS (
  SELECT id, prefix_id, type, memory_bytes, elements, COALESCE(payload_bytes, memory_bytes) AS payload_bytes,
         CASE WHEN type = 'string' THEN
                CASE WHEN COALESCE(payload_bytes, memory_bytes) > :string_critical THEN 2
                     WHEN COALESCE(payload_bytes, memory_bytes) > :string_limit THEN 1 ELSE 0 END
              WHEN (elements > :elements_critical AND type <> 'stream')
                OR (type = 'hash' AND elements > :hash_members AND memory_bytes > :hash_memory) THEN 2
              WHEN elements > :elements_limit THEN 1 ELSE 0 END AS level
  FROM keys
), by_prefix AS (
  SELECT prefix_id, type, SUM(CASE WHEN level = 1 THEN 1 ELSE 0 END) AS over_keys,
         SUM(CASE WHEN level = 2 THEN 1 ELSE 0 END) AS critical_keys, SUM(memory_bytes) AS memory_bytes,
         MAX(CASE WHEN type <> 'string' THEN elements END) AS most_elements,
         MAX(CASE WHEN type = 'string' THEN payload_bytes END) AS longest_bytes
  FROM judged
  WHERE level > 0
  GROUP BY prefix_id, type
), largest AS (
  SELECT prefix_id, type, id, ROW_NUMBER() OVER (PARTITION BY prefix_id, type ORDER BY memory_bytes DESC, id) AS rank
  FROM judged
  WHERE level > 0
)
SELECT prefixes.prefix, by_prefix.type, by_prefix.over_keys, by_prefix.critical_keys,
       (by_prefix.over_keys + by_prefix.critical_keys) * 1.0 / NULLIF(prefixes.own_keys, 0) AS of_keys,
       by_prefix.memory_bytes, by_prefix.most_elements, by_prefix.longest_bytes, key_rows.key AS largest_key,
       COUNT(*) OVER () AS total_rows
FROM by_prefix
JOIN prefixes ON prefixes.id = by_prefix.prefix_id
JOIN largest ON largest.prefix_id = by_prefix.prefix_id AND largest.type = by_prefix.type AND largest.rank = 1
JOIN key_rows ON key_rows.id = largest.id
ORDER BY by_prefix.memory_bytes DESC, prefixes.prefix, by_prefix.type, by_prefix.prefix_id
LIMIT :top;

-- @section  contents  What long strings hold
-- @note     Told by the first bytes of strings from 1,000 bytes on. "In the file" is what the server's own fast compression made of them, where it was on.
-- @column   prefix            prefix  Prefix
-- @column   content           label   Begins like
-- @column   keys              count   Keys
-- @column   payload_bytes     bytes   Text
-- @column   memory_bytes      bytes   Memory
-- @column   file_share        ratio   In the file
-- @column   compressible_bytes  bytes  Could be saved
-- @column   compressed        flag    Compressed
-- @chart    bars  prefix  payload_bytes
SELECT prefixes.prefix, SUBSTR(mark, 9) AS content, SUM(m.keys) AS keys, SUM(m.payload_bytes) AS payload_bytes,
       SUM(m.memory_bytes) AS memory_bytes,
       SUM(m.serialized_bytes) * 1.0 / NULLIF(SUM(m.payload_bytes), 0) AS file_share,
       CASE WHEN SUM(m.payload_bytes) > SUM(m.serialized_bytes) THEN SUM(m.payload_bytes) - SUM(m.serialized_bytes) ELSE 0 END
         AS compressible_bytes,
       MAX(m.compressed) AS compressed,
       COUNT(*) OVER () AS total_rows
FROM prefix_marks AS m
LEFT JOIN prefix_aliases ON prefix_aliases.id = m.prefix_id
JOIN prefixes ON prefixes.id = COALESCE(prefix_aliases.prefix_id, m.prefix_id)
WHERE m.mark LIKE 'content:%'
GROUP BY prefixes.id, prefixes.prefix, m.mark
ORDER BY payload_bytes DESC, prefixes.prefix, m.mark, prefixes.id
LIMIT :top;

-- @section  elements  Collections with long elements
-- @note     Packed collections are looked into only by a load with --deep.
-- @empty    No element is known to be over {element_limit:bytes}.
-- @column   key                    key    Key
-- @column   type                   label  Type
-- @column   elements               count  Elements
-- @column   largest_element_bytes  bytes  Longest element
-- @column   memory_bytes           bytes  Memory
-- @column   db                     number?  DB
SELECT key, type, elements, largest_element_bytes, memory_bytes, db, COUNT(*) OVER () AS total_rows
FROM keys
WHERE type NOT IN ('string', 'stream', 'module') AND largest_element_bytes > :element_limit
ORDER BY largest_element_bytes DESC, id
LIMIT :top;
