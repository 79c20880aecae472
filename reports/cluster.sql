-- @title    Cluster
-- @summary  How keys and memory would lie over a cluster's slots: hash tags that gather much, heavy slots, objects spread over slots. Told for standalone files too: what if you moved.
-- @order    76
-- @param    top           limit  10     Rows per table; 0 shows all.
-- @param    min_keys      count  100    Keys from which a hash tag is told.
-- @param    min_share     ratio  0.01   And its share of all keys or of all memory.
-- @param    slot_bytes    bytes  100MB  Memory from which a slot is heavy: moving it takes long.
-- @param    slot_times    number  10    And this many times the mean of the slots that have keys.
-- @param    min_entities  count  100    Objects from which a family is told.
-- @param    family_share  ratio  0.5    A kind of key belongs to the family when at least this share of the objects has it.
-- @param    migration_bytes_per_second  bytes  20MB  How fast a slot moves, for the time it would take.

-- @facts
WITH s AS (
  SELECT COUNT(*) AS slots, SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes, MAX(memory_bytes) AS largest_bytes,
         MAX(keys) AS most_keys
  FROM slot_totals
)
SELECT slots AS slots_used, memory_bytes / slots AS mean_bytes, largest_bytes,
       largest_bytes * 1.0 * slots / NULLIF(memory_bytes, 0) AS skew,
       most_keys, most_keys * 1.0 * slots / NULLIF(keys, 0) AS key_skew,
       largest_bytes / :migration_bytes_per_second AS largest_seconds
FROM s
WHERE slots > 0;
-- @note     {slots_used:count slot} of 16,384 have keys, {mean_bytes:bytes} on average; the heaviest has {largest_bytes:bytes}, {skew:number} times that, and would move in about {largest_seconds:seconds}. The fullest has {most_keys:count key}, {key_skew:number} times the mean.

-- @section  tags  Hash tags that gather much
-- @empty    No hash tag gathers {min_keys:count key} and {min_share:ratio} of keys or memory.
-- @column   tag           key     Hash tag
-- @column   slot          number  Slot
-- @column   keys          count   Keys
-- @column   key_share     ratio   of keys
-- @column   memory_bytes  bytes   Memory
-- @column   memory_share  ratio   of memory
-- @column   first_key_id  number?  First key id
-- @column   last_key_id   number?  Last key id
-- @chart    bars  tag  memory_bytes
WITH all_slots AS (
  SELECT SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes FROM slot_totals
), hot AS (
  -- A tag lies in one slot: only slots that hold as much as a tag must are looked into.
  SELECT slot_totals.slot
  FROM slot_totals
  CROSS JOIN all_slots
  WHERE slot_totals.keys >= :min_keys
    AND (slot_totals.keys >= :min_share * all_slots.keys OR slot_totals.memory_bytes >= :min_share * all_slots.memory_bytes)
), tags AS (
  SELECT hash_tag(key) AS tag, MIN(slot) AS slot, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, MIN(id) AS first_key_id,
         MAX(id) AS last_key_id
  FROM keys
  WHERE EXISTS (SELECT 1 FROM hot) AND slot IN (SELECT slot FROM hot) AND hash_tag(key) IS NOT NULL
  GROUP BY hash_tag(key)
)
SELECT tags.tag, tags.slot, tags.keys, tags.keys * 1.0 / all_slots.keys AS key_share, tags.memory_bytes,
       tags.memory_bytes * 1.0 / all_slots.memory_bytes AS memory_share, tags.first_key_id, tags.last_key_id,
       COUNT(*) OVER () AS total_rows
FROM tags
CROSS JOIN all_slots
WHERE tags.keys >= :min_keys
  AND (tags.keys >= :min_share * all_slots.keys OR tags.memory_bytes >= :min_share * all_slots.memory_bytes)
ORDER BY tags.memory_bytes DESC, tags.keys DESC, tags.tag
LIMIT :top;

-- @section  slots  Heaviest slots
-- @column   slot           number   Slot
-- @column   keys           count    Keys
-- @column   memory_bytes   bytes    Memory
-- @column   memory_share   ratio    of memory
-- @column   times_mean     number   x mean
-- @column   move_seconds   seconds  Moves in
-- @column   heavy          flag     Heavy
WITH all_slots AS (
  SELECT COUNT(*) AS slots, SUM(memory_bytes) AS memory_bytes FROM slot_totals
)
SELECT slot_totals.slot, slot_totals.keys, slot_totals.memory_bytes,
       slot_totals.memory_bytes * 1.0 / NULLIF(all_slots.memory_bytes, 0) AS memory_share,
       slot_totals.memory_bytes * 1.0 * all_slots.slots / NULLIF(all_slots.memory_bytes, 0) AS times_mean,
       slot_totals.memory_bytes / :migration_bytes_per_second AS move_seconds,
       CASE WHEN slot_totals.memory_bytes >= :slot_bytes
             AND slot_totals.memory_bytes * 1.0 * all_slots.slots >= :slot_times * all_slots.memory_bytes
            THEN 1 ELSE 0 END AS heavy,
       COUNT(*) OVER () AS total_rows
FROM slot_totals
CROSS JOIN all_slots
ORDER BY slot_totals.memory_bytes DESC, slot_totals.slot
LIMIT :top;

-- @section  families  Objects spread over slots
-- @note     Keys that name one object but have no hash tag: in a cluster no transaction, script or multi-key command can touch them together.
-- @empty    No object's keys would be spread over slots.
-- @column   prefix        prefix  Object
-- @column   kinds         text    Keys of each
-- @column   keys          count   Keys
-- @column   memory_bytes  bytes   Memory
-- @column   prefix_id     number?  Prefix id
WITH m AS (
  SELECT value AS separators FROM meta WHERE name = 'separators'
), parents AS (
  -- A prefix that ends in an id, without any brace that is not a placeholder's.
  SELECT ended.id, ended.prefix, ended.own_keys
  FROM (SELECT p.*, REPLACE(REPLACE(REPLACE(segment(p.prefix, m.separators, -1), '{date}', ''), '{ip}', ''), '{*}', '') AS word
        FROM prefixes AS p
        CROSS JOIN m) AS ended
  WHERE without_placeholders(ended.word) <> ended.word AND without_placeholders(ended.prefix) NOT LIKE '%{%'
), kinds AS (
  SELECT parents.id, '(itself)' AS kind, parents.own_keys AS keys, 0 AS only_strings FROM parents WHERE parents.own_keys > 0
  UNION ALL
  SELECT parents.id, segment(c.prefix, m.separators, -1), c.keys,
         CASE WHEN t.keys = c.keys THEN 1 ELSE 0 END
  FROM parents
  CROSS JOIN m
  JOIN prefixes AS c ON c.parent_id = parents.id
  LEFT JOIN prefix_types AS t ON t.prefix_id = c.id AND t.type = 'string'
  WHERE segment(c.prefix, m.separators, -1) NOT LIKE '%{%}%'
), families AS (
  SELECT id, MAX(keys) AS most FROM kinds GROUP BY id
), told AS (
  SELECT kinds.id, GROUP_CONCAT(kinds.kind, ', ') AS kinds, COUNT(*) AS number, SUM(kinds.keys) AS keys,
         MIN(kinds.only_strings) AS only_strings
  FROM (SELECT * FROM kinds ORDER BY id, kind) AS kinds
  JOIN families ON families.id = kinds.id
  WHERE kinds.keys >= :family_share * families.most AND families.most >= :min_entities
  GROUP BY kinds.id
)
SELECT prefixes.prefix, told.kinds, told.keys, prefixes.memory_bytes, told.id AS prefix_id,
       COUNT(*) OVER () AS total_rows
FROM told
JOIN prefixes ON prefixes.id = told.id
-- Families of strings only are better off as hashes: report string-families.
WHERE told.number > 1 AND told.only_strings = 0
ORDER BY prefixes.memory_bytes DESC, prefixes.prefix, told.id
LIMIT :top;
