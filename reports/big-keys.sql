-- @title    Big keys
-- @summary  The keys that take the most, overall and of each type, and how many are past the limits for good design.
-- @order    20
-- @param    by                 choice(memory,elements,serialized,longest)  memory  What to rank by: memory, number of elements, bytes in the file, longest element.
-- @param    top                limit  10    Rows per table; 0 shows all.
-- @param    min_bytes          bytes  -     Only keys of at least this much memory.
-- @param    db                 count  -     Only this database.
-- @param    type               text   -     Only this type.
-- @param    match              text   -     Only keys that match this glob.
-- @param    prefix             text   -     Only keys under this prefix.
-- @param    string_limit       bytes  10KB  A string over this is past its design limit.
-- @param    string_critical    bytes  10MB  A string over this is critical.
-- @param    elements_limit     count  5000  A collection of more elements is past its design limit.
-- @param    elements_critical  count  10000  A collection of more elements is critical.
-- @param    hash_members       count  1000  A hash of more members and over hash_memory is critical, too.
-- @param    hash_memory        bytes  1GB   See hash_members.

-- @section  keys  Biggest keys by {by}
-- @empty    No key is of this kind.
-- @column   key                    key    Key
-- @column   type                   label  Type
-- @column   elements               count  Elements
-- @column   memory_bytes           bytes  Memory
-- @column   memory_share           ratio  of memory
-- @column   ttl_ms                 duration_ms  TTL left
-- @column   verdict                label  Limits
-- @column   encoding               label?  Encoding
-- @column   largest_element_bytes  bytes?  Longest element
-- @column   serialized_bytes       bytes?  On disk
-- @column   db                     number?  DB
-- @column   file_offset            number?  Byte in file
-- @chart    bars  key  memory_bytes
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), counted AS (
  SELECT bucket, SUM(keys) AS keys
  FROM size_buckets
  WHERE measure = CASE :by WHEN 'elements' THEN 'elements' WHEN 'serialized' THEN 'serialized_bytes'
                           WHEN 'longest' THEN 'largest_element_bytes' ELSE 'memory_bytes' END
    AND (:type IS NULL OR type = :type)
  GROUP BY bucket
), least AS (
  -- From the histograms: no key below this can be among the first. Unknown when keys are chosen in other ways.
  SELECT COALESCE(MAX(CASE WHEN at_least >= :top AND bucket >= 0 THEN CAST(POWER(2, bucket) AS INTEGER) END), 0) AS measure
  FROM (SELECT bucket, SUM(keys) OVER (ORDER BY bucket DESC) AS at_least FROM counted) AS summed
  WHERE :db IS NULL AND :match IS NULL AND :prefix IS NULL AND (:min_bytes IS NULL OR :by = 'memory')
), chosen AS NOT MATERIALIZED (
  SELECT id,
         CASE :by WHEN 'elements' THEN elements WHEN 'serialized' THEN serialized_bytes
                  WHEN 'longest' THEN largest_element_bytes ELSE memory_bytes END AS measure
  FROM keys
  WHERE (:min_bytes IS NULL OR memory_bytes >= :min_bytes)
    AND (:db IS NULL OR db = :db)
    AND (:type IS NULL OR type = :type)
    AND (:match IS NULL OR CAST(key AS TEXT) GLOB :match)
    AND (:prefix IS NULL OR prefix_id IN (SELECT id FROM wanted))
), listed AS (
  -- The first of all keys are known; where enough of them are wanted ones, those are the first of these, too.
  SELECT chosen.id, chosen.measure
  FROM largest_keys
  CROSS JOIN chosen ON chosen.id = largest_keys.key_id
  WHERE largest_keys.ranking = CASE :by WHEN 'elements' THEN 'elements' WHEN 'serialized' THEN 'serialized_bytes'
                                        WHEN 'longest' THEN 'largest_element_bytes' ELSE 'memory_bytes' END
  ORDER BY chosen.measure DESC, chosen.id
  LIMIT :top
), found AS (
  SELECT chosen.id, chosen.measure
  FROM (SELECT COUNT(*) AS keys FROM listed HAVING COUNT(*) < :top) AS too_few
  CROSS JOIN chosen
  WHERE COALESCE(chosen.measure, 0) >= (SELECT measure FROM least)
  ORDER BY chosen.measure DESC, chosen.id
  LIMIT :top
), ranked AS (
  SELECT id, measure FROM listed WHERE (SELECT COUNT(*) FROM listed) >= :top
  UNION ALL
  SELECT id, measure FROM found
)
SELECT keys.key, keys.type, keys.elements, keys.memory_bytes,
       keys.memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       keys.ttl_ms,
       CASE WHEN keys.type = 'string' THEN
              CASE WHEN COALESCE(keys.payload_bytes, keys.memory_bytes) > :string_critical THEN 'critical'
                   WHEN COALESCE(keys.payload_bytes, keys.memory_bytes) > :string_limit THEN 'over' ELSE 'ok' END
            WHEN keys.elements > :elements_critical
              OR (keys.type = 'hash' AND keys.elements > :hash_members AND keys.memory_bytes > :hash_memory) THEN 'critical'
            WHEN keys.elements > :elements_limit THEN 'over'
            WHEN keys.elements IS NULL THEN NULL ELSE 'ok' END AS verdict,
       keys.encoding, keys.largest_element_bytes, keys.serialized_bytes, keys.db, keys.file_offset
FROM ranked
JOIN keys ON keys.id = ranked.id
ORDER BY ranked.measure DESC, keys.id;

-- @section  types  Biggest of each type
-- @column   type          label  Type
-- @column   key           key    Key
-- @column   elements      count  Elements
-- @column   memory_bytes  bytes  Memory
-- @column   ttl_ms        duration_ms  TTL left
WITH ranked AS (
  SELECT kinds.type, totals.largest_key_id,
         ROW_NUMBER() OVER (PARTITION BY kinds.type ORDER BY totals.largest_key_bytes DESC, totals.largest_key_id) AS place
  FROM totals
  JOIN kinds ON kinds.id = totals.kind_id
  WHERE (:db IS NULL OR totals.db = :db) AND (:type IS NULL OR kinds.type = :type)
)
SELECT ranked.type, keys.key, keys.elements, keys.memory_bytes, keys.ttl_ms
FROM ranked
JOIN keys ON keys.id = ranked.largest_key_id
WHERE ranked.place = 1 AND :match IS NULL AND :prefix IS NULL
ORDER BY keys.memory_bytes DESC, keys.id;

-- @section  limits  Past the design limits
-- @note     Limits: strings {string_limit:bytes} (critical {string_critical:bytes}), collections {elements_limit:count element} (critical {elements_critical:count}).
-- @empty    No key is past its design limit (strings {string_limit:bytes}, collections {elements_limit:count element}).
-- @column   type           label  Type
-- @column   over_keys      count  Over
-- @column   critical_keys  count  Critical
-- @column   memory_bytes   bytes  Memory in them
-- @column   memory_share   ratio  of memory
WITH RECURSIVE wanted (id) AS (
  SELECT id FROM prefixes WHERE prefix = :prefix
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN wanted ON prefixes.parent_id = wanted.id
), lists AS (
  -- How far down the lists of the largest keys go: above that, no key is missing in them.
  SELECT MIN(CASE WHEN ranking = 'memory_bytes' THEN value END) AS memory_bytes,
         MIN(CASE WHEN ranking = 'elements' THEN value END) AS elements
  FROM largest_keys
), reach AS (
  SELECT CASE WHEN memory_bytes <= :string_limit AND memory_bytes <= :hash_memory
               AND elements <= :elements_limit AND elements <= :elements_critical THEN 1 ELSE 0 END AS is_enough
  FROM lists
), suspects AS NOT MATERIALIZED (
  SELECT id, type, memory_bytes,
         CASE WHEN type = 'string' THEN
                CASE WHEN COALESCE(payload_bytes, memory_bytes) > :string_critical THEN 2
                     WHEN COALESCE(payload_bytes, memory_bytes) > :string_limit THEN 1 ELSE 0 END
              WHEN elements > :elements_critical
                OR (type = 'hash' AND elements > :hash_members AND memory_bytes > :hash_memory) THEN 2
              WHEN elements > :elements_limit THEN 1 ELSE 0 END AS level
  FROM keys
  -- The first condition is implied by the limits; it spares most keys the rest.
  WHERE (memory_bytes > :string_limit OR elements > :elements_limit OR elements > :elements_critical
         OR (elements > :hash_members AND memory_bytes > :hash_memory))
    AND (:min_bytes IS NULL OR memory_bytes >= :min_bytes)
    AND (:db IS NULL OR db = :db)
    AND (:type IS NULL OR type = :type)
    AND (:match IS NULL OR CAST(key AS TEXT) GLOB :match)
    AND (:prefix IS NULL OR prefix_id IN (SELECT id FROM wanted))
), judged AS (
  SELECT suspects.type, suspects.memory_bytes, suspects.level
  FROM (SELECT DISTINCT largest_keys.key_id
        FROM reach JOIN largest_keys ON reach.is_enough = 1
        WHERE largest_keys.ranking IN ('memory_bytes', 'elements')) AS listed
  CROSS JOIN suspects ON suspects.id = listed.key_id
  UNION ALL
  SELECT suspects.type, suspects.memory_bytes, suspects.level
  FROM reach
  CROSS JOIN suspects ON reach.is_enough = 0
)
SELECT type,
       SUM(CASE WHEN level = 1 THEN 1 ELSE 0 END) AS over_keys,
       SUM(CASE WHEN level = 2 THEN 1 ELSE 0 END) AS critical_keys,
       SUM(memory_bytes) AS memory_bytes,
       SUM(memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share
FROM judged
WHERE level > 0
GROUP BY type
ORDER BY memory_bytes DESC, type;
