-- @title     Most keys have a TTL, some do not
-- @topic     lifecycle
-- @severity  warning
-- @report    lifecycle
-- @param     min_keys   count  100  Keys of the prefix from which it is looked at.
-- @param     max_share  ratio  0.1  Largest share without a TTL that still looks like an accident.
-- @keys      expires_at_ms IS NULL
-- @action    expire
-- @reason    When nearly all keys of a pattern expire, the few that never do are most likely leaks: a SET that dropped the
--            TTL, or an EXPIRE that was lost between two commands.
-- @remedy    Write value and TTL in one command, use KEEPTTL where a SET must not drop it, and give the leaked keys a TTL.
WITH children AS (
  SELECT parent_id, SUM(keys_without_ttl) AS keys_without_ttl, SUM(memory_without_ttl) AS memory_without_ttl
  FROM prefixes
  GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.own_keys,
         prefixes.keys_without_ttl - COALESCE(children.keys_without_ttl, 0) AS keys,
         prefixes.memory_without_ttl - COALESCE(children.memory_without_ttl, 0) AS memory_bytes
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
), mixed AS (
  SELECT id, own_keys, keys, memory_bytes
  FROM own
  WHERE own_keys >= :min_keys AND keys > 0 AND keys <= :max_share * own_keys
), leaked AS (
  SELECT prefix_id, MIN(id) AS first_key_id, MAX(id) AS last_key_id
  FROM keys
  WHERE expires_at_ms IS NULL AND prefix_id IN (SELECT id FROM mixed)
  GROUP BY prefix_id
)
SELECT mixed.id AS prefix_id, mixed.keys, mixed.memory_bytes, leaked.first_key_id, leaked.last_key_id,
       'of ' || mixed.own_keys || ' keys' AS detail
FROM mixed
LEFT JOIN leaked ON leaked.prefix_id = mixed.id;
