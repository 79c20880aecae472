-- @title    Functions
-- @summary  Libraries of server functions that the snapshot carries.
-- @order    83

-- @section  functions  Libraries
-- @empty    The snapshot carries no libraries of functions.
-- @column   name         text   Library
-- @column   engine       label  Language
-- @column   bytes        bytes  Source
-- @column   file_offset  number?  Byte in file
SELECT name, engine, bytes, file_offset
FROM functions
ORDER BY bytes DESC, name, file_id, file_offset;
