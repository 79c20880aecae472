-- @title    Expiring big keys
-- @summary  Big keys with a TTL: deletes that will block the server, and when.
-- @order    75
-- @param    top           limit  10    Rows per table; 0 shows all.
-- @param    elements      count  5000  A collection of more elements is slow to delete.
-- @param    string_bytes  bytes  10MB  A string over this is, too.

-- @facts
SELECT MIN(server_version) AS server_version, MIN(created_at_ms) AS created_at_ms FROM files;
-- @note     Unless lazyfree-lazy-expire is on, the server frees every element of an expired key before it answers anybody else. Packed collections are one block and free at once.

-- @section  keys  Big keys that will expire
-- @empty    No big key has a TTL.
-- @column   key            key    Key
-- @column   type           label  Type
-- @column   elements       count  Elements
-- @column   memory_bytes   bytes  Memory
-- @column   expires_at_ms  ms     Expires at (UTC)
-- @column   ttl_ms         duration_ms  TTL left
-- @column   encoding       label?  Encoding
-- @column   db             number?  DB
SELECT key, type, elements, memory_bytes, expires_at_ms, ttl_ms, encoding, db, COUNT(*) OVER () AS total_rows
FROM keys
WHERE expires_at_ms IS NOT NULL
  AND ((type = 'string' AND payload_bytes > :string_bytes)
    OR (type <> 'string' AND elements > :elements AND COALESCE(encoding, '') NOT IN ('listpack', 'ziplist', 'intset')))
ORDER BY expires_at_ms, id
LIMIT :top;

-- @section  hours  By hour
-- @column   hour_ms       ms     Hour (UTC)
-- @column   keys          count  Big keys
-- @column   elements      count  Elements
-- @column   memory_bytes  bytes  Memory
-- @chart    timeline  hour_ms  elements
SELECT expires_at_ms / 3600000 * 3600000 AS hour_ms, COUNT(*) AS keys, SUM(elements) AS elements, SUM(memory_bytes) AS memory_bytes,
       COUNT(*) OVER () AS total_rows
FROM keys
WHERE expires_at_ms IS NOT NULL
  AND ((type = 'string' AND payload_bytes > :string_bytes)
    OR (type <> 'string' AND elements > :elements AND COALESCE(encoding, '') NOT IN ('listpack', 'ziplist', 'intset')))
GROUP BY expires_at_ms / 3600000
ORDER BY hour_ms
LIMIT :top;
