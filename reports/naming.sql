-- @title    Naming
-- @summary  Which prefixes break the naming rules, what names cost in memory, and what shorter ones would save.
-- @order    70
-- @param    top        limit  10   Rows per table; 0 shows all.
-- @param    max_bytes  bytes  128  Longest name that is fine.
-- @param    cut        count  10   Bytes that a shorter name is thought to save.
-- @param    dash       choice(allowed,forbidden)  allowed  Whether a dash may stand in a name.

-- @facts
SELECT SUM(key_name_bytes) AS name_bytes, SUM(keys) AS keys,
       SUM(key_name_bytes) * 1.0 / NULLIF(SUM(memory_bytes), 0) AS name_share,
       ROUND(SUM(key_name_bytes) * 1.0 / NULLIF(SUM(keys), 0)) AS mean_bytes,
       (SELECT COUNT(*) FROM prefixes WHERE depth = 1) AS namespaces
FROM totals;
-- @note     Names take {name_bytes:bytes} of text, {mean_bytes:bytes} each, as much as {name_share:ratio} of memory. There are {namespaces:count namespace}.

-- @section  faults  Names that break a rule
-- @note     Fine are letters, digits, | _ . : and one hash tag in braces, a letter first. There is no limit of 44 bytes: that was one version's encoding of values.
-- @empty    Every name keeps to the rules.
-- @column   prefix        prefix  Prefix
-- @column   faults        text    Has
-- @column   keys          count   Keys
-- @column   of_keys       ratio   of its keys
-- @column   memory_bytes  bytes   Memory
-- @column   example       key     Example
WITH named AS (
  SELECT id, prefix_id, memory_bytes,
         CASE WHEN LENGTH(CAST(key AS BLOB)) > :max_bytes THEN TRIM(COALESCE(name_faults(key), '') || ' too-long')
              ELSE name_faults(key) END AS faults
  FROM keys
  LIMIT -1  -- no limit, but keeps SQLite from judging every name several times
), faulty AS (
  SELECT prefix_id, faults, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, MIN(id) AS first_key_id
  FROM named
  WHERE faults IS NOT NULL AND (faults <> 'dash' OR :dash = 'forbidden')
  GROUP BY prefix_id, faults
)
SELECT prefixes.prefix,
       CASE WHEN :dash = 'forbidden' THEN faulty.faults
            ELSE REPLACE(TRIM(REPLACE(' ' || faulty.faults || ' ', ' dash ', ' ')), ' ', ', ') END AS faults,
       faulty.keys, faulty.keys * 1.0 / NULLIF(prefixes.own_keys, 0) AS of_keys, faulty.memory_bytes, key_rows.key AS example,
       COUNT(*) OVER () AS total_rows
FROM faulty
JOIN prefixes ON prefixes.id = faulty.prefix_id
JOIN key_rows ON key_rows.id = faulty.first_key_id
ORDER BY faulty.keys DESC, prefixes.prefix, faulty.faults, faulty.prefix_id
LIMIT :top;

-- @section  cost  What names cost
-- @note     "Saves" is what the memory model says for names that are {cut:count byte} shorter, the allocator's rounding included: a cut may save nothing, or more than its bytes.
-- @column   prefix          prefix  Prefix
-- @column   keys            count   Keys
-- @column   name_bytes      bytes   Names
-- @column   mean_bytes      number  Mean
-- @column   of_memory       ratio   of its memory
-- @column   saving_bytes    bytes   Saves
-- @column   longest_word    label   Longest word
-- @column   word_bytes      bytes?  Its bytes in all
-- @chart    bars  prefix  name_bytes
WITH m AS (
  SELECT value AS separators FROM meta WHERE name = 'separators'
), children AS (
  SELECT parent_id, SUM(memory_bytes) AS memory_bytes, SUM(key_name_bytes) AS key_name_bytes FROM prefixes GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.prefix, prefixes.own_keys AS keys,
         prefixes.memory_bytes - COALESCE(children.memory_bytes, 0) AS memory_bytes,
         prefixes.key_name_bytes - COALESCE(children.key_name_bytes, 0) AS name_bytes
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
  WHERE prefixes.own_keys > 0
), words AS (
  -- The fixed segments of a pattern, counted from the left.
  SELECT own.id, segment(own.prefix, m.separators, place.place) AS word, place.place
  FROM own
  CROSS JOIN m
  CROSS JOIN (SELECT 1 AS place UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5
              UNION ALL SELECT 6) AS place
), longest AS (
  SELECT id, word, ROW_NUMBER() OVER (PARTITION BY id ORDER BY LENGTH(word) DESC, place) AS rank
  FROM words
  WHERE word IS NOT NULL AND word NOT LIKE '%{%}%'
)
SELECT own.prefix, own.keys, own.name_bytes, ROUND(own.name_bytes * 1.0 / own.keys, 1) AS mean_bytes,
       own.name_bytes * 1.0 / NULLIF(own.memory_bytes, 0) AS of_memory,
       name_saving((SELECT MIN(memory_profile) FROM files), own.keys, own.name_bytes, :cut) AS saving_bytes,
       longest.word AS longest_word, LENGTH(longest.word) * own.keys AS word_bytes,
       COUNT(*) OVER () AS total_rows
FROM own
LEFT JOIN longest ON longest.id = own.id AND longest.rank = 1
ORDER BY own.name_bytes DESC, own.prefix, own.id
LIMIT :top;

-- @section  repeated  Segments that say something twice
-- @column   prefix        prefix  Prefix
-- @column   again         label   Again
-- @column   keys          count   Keys
-- @column   saving_bytes  bytes   Without it
WITH m AS (
  SELECT value AS separators FROM meta WHERE name = 'separators'
)
SELECT prefix, repeated_segment(prefix, m.separators) AS again, keys,
       name_saving((SELECT MIN(memory_profile) FROM files), keys, key_name_bytes,
                   LENGTH(repeated_segment(prefix, m.separators))) AS saving_bytes,
       COUNT(*) OVER () AS total_rows
FROM prefixes
CROSS JOIN m
WHERE depth > 1 AND repeated_segment(prefix, m.separators) IS NOT NULL
ORDER BY keys DESC, prefix, id
LIMIT :top;

-- @section  namespaces  Namespaces
-- @note     First segments: businesses that share this instance. Unrelated ones are better off apart, since they share memory, eviction and every slow command.
-- @column   namespace     prefix  Namespace
-- @column   keys          count   Keys
-- @column   memory_bytes  bytes   Memory
-- @column   memory_share  ratio   of memory
-- @column   patterns      count   Patterns
WITH RECURSIVE below (top_id, id) AS (
  SELECT id, id FROM prefixes WHERE depth = 1
  UNION ALL
  SELECT below.top_id, prefixes.id FROM prefixes JOIN below ON prefixes.parent_id = below.id
), patterns AS (
  SELECT below.top_id, COUNT(*) AS patterns
  FROM below
  JOIN prefixes ON prefixes.id = below.id AND prefixes.own_keys > 0
  GROUP BY below.top_id
)
SELECT prefixes.prefix AS namespace, prefixes.keys, prefixes.memory_bytes,
       prefixes.memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       patterns.patterns, COUNT(*) OVER () AS total_rows
FROM prefixes
JOIN patterns ON patterns.top_id = prefixes.id
ORDER BY prefixes.memory_bytes DESC, prefixes.prefix, prefixes.id
LIMIT :top;
