-- @title     Names that leave out or belie the type
-- @topic     naming
-- @severity  note
-- @report    naming
-- @param     in_use  ratio  0.5  The convention is taken to be in use when this share of the keys ends in a type.
-- @reason    Where names end in the type of their value (user:basic.info:{n}:string), a reader relies on it: a name without
--            the type, or with a wrong one, misleads. It is only looked at where the data shows the convention.
-- @remedy    Add the type, or correct it, when the key is next rewritten.
WITH leaves AS (
  SELECT prefixes.id, prefixes.keys, prefixes.memory_bytes, prefix_types.type,
         LOWER(segment(prefixes.prefix, (SELECT value FROM meta WHERE name = 'separators'), -1)) AS suffix,
         prefixes.depth
  FROM prefixes
  JOIN prefix_types ON prefix_types.prefix_id = prefixes.id AND prefix_types.keys = prefixes.keys
  WHERE prefixes.own_keys = prefixes.keys AND prefixes.keys > 0
), judged AS (
  SELECT leaves.*,
         CASE WHEN depth = 1 THEN NULL
              WHEN suffix IN ('string', 'str') THEN 'string'
              WHEN suffix IN ('hash', 'map') THEN 'hash'
              WHEN suffix = 'list' THEN 'list'
              WHEN suffix = 'set' THEN 'set'
              WHEN suffix IN ('zset', 'sortedset', 'sorted_set') THEN 'zset'
              WHEN suffix = 'stream' THEN 'stream' END AS told
  FROM leaves
)
SELECT id AS prefix_id, keys, memory_bytes,
       CASE WHEN told IS NULL THEN 'no type' ELSE 'says ' || told || ', is ' || type END AS detail
FROM judged
WHERE (told IS NULL OR told <> type)
  AND (SELECT SUM(CASE WHEN told IS NOT NULL THEN keys ELSE 0 END) * 1.0 / SUM(keys) FROM judged) >= :in_use;
