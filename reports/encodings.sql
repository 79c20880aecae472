-- @title    Encodings
-- @summary  Collections that narrowly miss a compact encoding: what packing them would save, and what a reader would pay for it.
-- @order    72
-- @param    top         limit   10    Rows per table; 0 shows all.
-- @param    factor      number  2     "Narrowly": up to this many times the server's limit of entries or bytes.
-- @param    min_saving  bytes   10KB  Only prefixes where packing would save at least this much.

-- @facts
SELECT MIN(memory_profile) AS memory_profile,
       CASE WHEN COUNT(DISTINCT memory_profile) > 1 THEN COUNT(DISTINCT memory_profile) END AS several_profiles
FROM files;
-- @note     Limits and savings are those of {memory_profile:text}; packed blocks are modelled on each key's mean lengths, integers as text.
-- @note     The files are of {several_profiles:count kind} of servers; the first one's limits are used for all.

-- @section  near  Just past a limit
-- @empty    No collection narrowly misses its compact encoding.
-- @column   prefix           prefix  Prefix
-- @column   type             label   Type
-- @column   why              label   Kept by
-- @column   keys             count   Keys
-- @column   memory_bytes     bytes   Memory
-- @column   saving_bytes     bytes   Packing saves
-- @column   packed_bytes     bytes   A packed one
-- @column   mean_elements    number  Elements
-- @column   longest_bytes    bytes?  Longest
-- @column   setting          label?  Setting
-- @column   setting_value    count?  Is
-- @column   prefix_id        number?  Prefix id
-- @column   first_key_id     number?  First key id
-- @column   last_key_id      number?  Last key id
-- @chart    bars  prefix  saving_bytes
WITH f AS (
  SELECT MIN(memory_profile) AS profile FROM files
), limits AS (
  SELECT t.type, packing_limit(f.profile, t.type, 'entries') AS entries, packing_limit(f.profile, t.type, 'bytes') AS bytes
  FROM f CROSS JOIN (SELECT 'hash' AS type UNION ALL SELECT 'zset' UNION ALL SELECT 'set') AS t
), past AS (
  -- Either a few entries too many, all of them short enough; or few entries, the longest a little too long.
  SELECT k.prefix_id, k.type,
         CASE WHEN k.elements > limits.entries THEN 'entries' ELSE 'length' END AS why,
         k.id, k.memory_bytes, k.elements, k.largest_element_bytes,
         modelled_bytes(f.profile, k.type, LENGTH(CAST(k.key AS BLOB)), k.elements,
                        k.payload_bytes * CASE k.type WHEN 'hash' THEN 0.5 ELSE 1.0 END / k.elements,
                        k.payload_bytes * 0.5 / k.elements, 0, 'packed') AS packed_bytes
  FROM keys AS k
  JOIN limits ON limits.type = k.type
  CROSS JOIN f
  WHERE k.encoding IN ('hashtable', 'skiplist') AND k.payload_bytes IS NOT NULL AND k.elements > 0
    AND ((k.elements > limits.entries AND k.elements <= :factor * limits.entries AND k.largest_element_bytes <= limits.bytes)
      OR (k.elements <= limits.entries AND k.largest_element_bytes > limits.bytes
          AND k.largest_element_bytes <= :factor * limits.bytes))
), by_prefix AS (
  SELECT prefix_id, type, why, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, SUM(elements) AS elements,
         SUM(packed_bytes) AS packed_bytes, MAX(largest_element_bytes) AS longest_bytes, MIN(id) AS first_key_id,
         MAX(id) AS last_key_id
  FROM past
  GROUP BY prefix_id, type, why
  UNION ALL
  -- Judged while the file was read, since only then every member was seen.
  SELECT prefix_id, type, mark, keys, memory_bytes, elements,
         keys * CASE WHEN mark IN ('one-text-member', 'integers-over-limit')
              -- An intset of eight bytes a member, the widest there is, under the head that a small integer's key has.
              THEN modelled_bytes(f.profile, 'string', key_bytes, 1, 0, NULL, 0, NULL) + 8 + 8 * elements / keys
              ELSE modelled_bytes(f.profile, type, key_bytes, elements * 1.0 / keys,
                                  payload_bytes * CASE type WHEN 'hash' THEN 0.5 ELSE 1.0 END / elements,
                                  payload_bytes * 0.5 / elements, 0, 'packed') END,
         NULL, first_key_id, last_key_id
  FROM (
    SELECT COALESCE(prefix_aliases.prefix_id, m.prefix_id) AS prefix_id, kinds.type, m.mark, SUM(m.keys) AS keys,
           SUM(m.memory_bytes) AS memory_bytes, SUM(m.elements) AS elements, SUM(m.payload_bytes) AS payload_bytes,
           MAX(LENGTH(CAST(k.key AS BLOB))) AS key_bytes, MIN(m.first_key_id) AS first_key_id, MAX(m.last_key_id) AS last_key_id
    FROM prefix_marks AS m
    LEFT JOIN prefix_aliases ON prefix_aliases.id = m.prefix_id
    JOIN key_rows AS k ON k.id = m.first_key_id
    JOIN kinds ON kinds.id = k.kind_id
    WHERE m.mark IN ('one-long-element', 'one-text-member', 'integers-over-limit')
    GROUP BY 1, 2, 3
  ) AS marked
  CROSS JOIN f
), told AS (
  SELECT by_prefix.*, f.profile, memory_bytes - packed_bytes AS saving_bytes,
         CASE why WHEN 'entries' THEN packing_setting(profile, type, 'entries')
                  WHEN 'length' THEN packing_setting(profile, type, 'bytes')
                  WHEN 'one-long-element' THEN packing_setting(profile, type, 'bytes')
                  ELSE packing_setting(profile, 'intset', 'entries') END AS setting,
         CASE why WHEN 'entries' THEN packing_limit(profile, type, 'entries')
                  WHEN 'length' THEN packing_limit(profile, type, 'bytes')
                  WHEN 'one-long-element' THEN packing_limit(profile, type, 'bytes')
                  ELSE packing_limit(profile, 'intset', 'entries') END AS setting_value
  FROM by_prefix
  CROSS JOIN f
)
SELECT prefixes.prefix, told.type,
       CASE told.why WHEN 'one-long-element' THEN 'one long element' WHEN 'one-text-member' THEN 'one text member'
                     WHEN 'integers-over-limit' THEN 'integers' ELSE told.why END AS why,
       told.keys, told.memory_bytes, told.saving_bytes, told.packed_bytes / told.keys AS packed_bytes,
       ROUND(told.elements * 1.0 / told.keys, 1) AS mean_elements, told.longest_bytes,
       told.setting, told.setting_value, told.prefix_id, told.first_key_id, told.last_key_id,
       COUNT(*) OVER () AS total_rows
FROM told
JOIN prefixes ON prefixes.id = told.prefix_id
WHERE told.saving_bytes >= :min_saving
ORDER BY told.saving_bytes DESC, prefixes.prefix, told.type, told.why, told.prefix_id
LIMIT :top;

-- @section  limits  The server's limits
-- @column   type           label  Type
-- @column   setting        label  Setting
-- @column   setting_value  count  Is
-- @column   packed_keys    count  Packed keys
-- @column   other_keys     count  Others
WITH f AS (
  SELECT MIN(memory_profile) AS profile FROM files
), settings AS (
  SELECT 'hash' AS type, 'hash' AS encoding, 'entries' AS what UNION ALL SELECT 'hash', 'hash', 'bytes'
  UNION ALL SELECT 'zset', 'zset', 'entries' UNION ALL SELECT 'zset', 'zset', 'bytes'
  UNION ALL SELECT 'set', 'intset', 'entries'
  UNION ALL SELECT 'set', 'set', 'entries' UNION ALL SELECT 'set', 'set', 'bytes'
), packed AS (
  SELECT kinds.type,
         SUM(CASE WHEN kinds.encoding IN ('listpack', 'listpackex', 'ziplist', 'intset') THEN totals.keys ELSE 0 END) AS packed_keys,
         SUM(CASE WHEN kinds.encoding IN ('listpack', 'listpackex', 'ziplist', 'intset') THEN 0 ELSE totals.keys END) AS other_keys
  FROM totals
  JOIN kinds ON kinds.id = totals.kind_id
  GROUP BY kinds.type
)
SELECT settings.type, packing_setting(f.profile, settings.encoding, settings.what) AS setting,
       packing_limit(f.profile, settings.encoding, settings.what) AS setting_value,
       COALESCE(packed.packed_keys, 0) AS packed_keys, COALESCE(packed.other_keys, 0) AS other_keys
FROM settings
CROSS JOIN f
LEFT JOIN packed ON packed.type = settings.type
WHERE packing_setting(f.profile, settings.encoding, settings.what) IS NOT NULL
ORDER BY settings.type, setting, settings.encoding;
