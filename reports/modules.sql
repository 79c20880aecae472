-- @title    Modules
-- @summary  Values that modules own, by module, and what modules keep in the file outside of keys.
-- @order    82
-- @param    top  limit  10  Rows per table; 0 shows all.

-- @section  modules  By module
-- @empty    The snapshot holds no values of modules.
-- @column   module            text   Module
-- @column   keys              count  Keys
-- @column   serialized_bytes  bytes  On disk
-- @column   memory_bytes      bytes  Memory
-- @column   memory_share      ratio  of memory
SELECT module, keys, serialized_bytes, memory_bytes,
       memory_bytes * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share
FROM modules
ORDER BY memory_bytes DESC, module;

-- @section  keys  Biggest of their keys
-- @column   key               key    Key
-- @column   module            text   Module
-- @column   serialized_bytes  bytes  On disk
-- @column   memory_bytes      bytes  Memory
-- @column   ttl_ms            duration_ms  TTL left
SELECT key, module, serialized_bytes, memory_bytes, ttl_ms
FROM keys
WHERE module IS NOT NULL
ORDER BY serialized_bytes DESC, id
LIMIT :top;

-- @section  aux  Kept outside of keys
-- @column   module            text   Module
-- @column   version           count  Version
-- @column   placed            label  Where
-- @column   serialized_bytes  bytes  On disk
-- @column   file_offset       number?  Byte in file
SELECT module, version, placed, serialized_bytes, file_offset
FROM module_aux
ORDER BY serialized_bytes DESC, module, file_id, file_offset;
