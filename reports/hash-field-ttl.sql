-- @title    Hash fields with a TTL
-- @summary  Hashes whose fields expire on their own: how many fields, and when the first of them goes.
-- @order    81
-- @param    top  limit  10  Rows per table; 0 shows all.

-- @facts
SELECT CASE WHEN COUNT(*) > 0 THEN COUNT(*) END AS hashes, SUM(fields_with_ttl) AS fields,
       SUM(memory_bytes) AS memory_bytes,
       SUM(CASE WHEN expires_at_ms IS NULL THEN 1 ELSE 0 END) AS without_ttl
FROM keys
WHERE fields_with_ttl > 0;
-- @note     {hashes:count hash} with {fields:count field} that expire on their own, {memory_bytes:bytes}; {without_ttl:count} of the hashes have no TTL themselves, yet do not live for ever.

-- @section  keys  Largest of them
-- @empty    No hash has fields with a TTL of their own.
-- @column   key                    key    Key
-- @column   elements               count  Fields
-- @column   fields_with_ttl        count  with TTL
-- @column   field_share            ratio  of fields
-- @column   memory_bytes           bytes  Memory
-- @column   first_field_left_ms    duration_ms  First goes in
-- @column   first_field_expiry_ms  ms?    First expiry (UTC)
-- @column   ttl_ms                 duration_ms?  TTL of the key
SELECT keys.key, keys.elements, keys.fields_with_ttl,
       keys.fields_with_ttl * 1.0 / NULLIF(keys.elements, 0) AS field_share, keys.memory_bytes,
       keys.first_field_expiry_ms - files.created_at_ms AS first_field_left_ms, keys.first_field_expiry_ms, keys.ttl_ms
FROM keys
LEFT JOIN files ON files.id = keys.file_id
WHERE keys.fields_with_ttl > 0
ORDER BY keys.memory_bytes DESC, keys.id
LIMIT :top;

-- @section  prefixes  By prefix
-- @column   prefix           prefix  Prefix
-- @column   hashes           count   Hashes
-- @column   fields           count   Fields
-- @column   fields_with_ttl  count   with TTL
-- @column   memory_bytes     bytes   Memory
SELECT prefixes.prefix, COUNT(*) AS hashes, SUM(keys.elements) AS fields, SUM(keys.fields_with_ttl) AS fields_with_ttl,
       SUM(keys.memory_bytes) AS memory_bytes, COUNT(*) OVER () AS total_rows
FROM keys
JOIN prefixes ON prefixes.id = keys.prefix_id
WHERE keys.fields_with_ttl > 0
GROUP BY prefixes.id, prefixes.prefix
ORDER BY memory_bytes DESC, prefixes.prefix, prefixes.id
LIMIT :top;
