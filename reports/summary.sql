-- @title    Summary
-- @summary  What is in the snapshot, whether it is sound and complete, and where its memory goes.
-- @order    10
-- @param    top  limit  16  Databases shown, those with the most memory; 0 shows all.

-- @facts
WITH f AS (
  SELECT COUNT(*) AS files, MIN(path) AS path, CASE WHEN COUNT(DISTINCT product) > 1 THEN 'servers' ELSE MIN(product) END AS product,
         CASE WHEN COUNT(DISTINCT COALESCE(server_version, '')) > 1 THEN 'of several versions' ELSE MIN(server_version) END AS server_version,
         MAX(rdb_version) AS rdb_version, MAX(created_at_ms) AS created_at_ms,
         SUM(COALESCE(file_bytes, snapshot_bytes)) AS file_bytes,
         SUM(keys_read) AS keys_read, SUM(keys_announced) AS keys_announced, COUNT(keys_announced) AS announcing,
         SUM(CASE WHEN complete = 1 THEN 0 ELSE 1 END) AS incomplete_files,
         -- A file whose checksum alone is wrong was read to its end.
         SUM(CASE WHEN complete = 1 OR checksum = 'mismatch' THEN 0 ELSE 1 END) AS cut_files,
         MIN(CASE WHEN checksum = 'mismatch' THEN NULL ELSE incomplete_reason END) AS incomplete_reason,
         SUM(CASE WHEN checksum = 'mismatch' THEN 1 ELSE 0 END) AS checksum_wrong,
         MIN(checksum) AS checksum_first, MAX(checksum) AS checksum_last,
         SUM(COALESCE(duplicate_keys, 0)) AS duplicate_keys,
         SUM(CASE WHEN duplicate_check = 'none' THEN 1 ELSE 0 END) AS unchecked_files,
         SUM(empty_keys) AS empty_keys, SUM(records_skipped) AS records_skipped,
         SUM(CASE WHEN trailing_kind = 'replication-mark' THEN 0 ELSE trailing_bytes END) AS trailing_bytes,
         MAX(NULLIF(trailing_kind, 'replication-mark')) AS trailing_kind,
         MAX(trailing_kind = 'replication-mark') AS marked,
         COUNT(created_at_ms) AS dated,
         COUNT(*) - COUNT(DISTINCT CASE WHEN checksum = 'ok' THEN checksum_stored || ' ' || snapshot_bytes ELSE id END) AS repeated_files,
         SUM(approximate_keys) AS approximate_keys, SUM(approximate_bytes) AS approximate_bytes
  FROM files
), judged AS (
  SELECT f.*,
         CASE WHEN announcing = files AND keys_announced <> keys_read THEN 1 ELSE 0 END AS count_differs,
         CASE WHEN incomplete_files = 0 AND checksum_wrong = 0 AND duplicate_keys = 0
               AND NOT (announcing = files AND keys_announced <> keys_read)
              THEN 1 ELSE 0 END AS sound,
         CASE WHEN checksum_first <> checksum_last THEN 'checksums of several kinds'
              WHEN checksum_first = 'ok' THEN 'checksum ok'
              WHEN checksum_first = 'off' THEN 'the server wrote no checksum'
              WHEN checksum_first = 'absent' THEN 'this version has no checksum'
              ELSE 'checksum not checked' END AS checksum_words
  FROM f
)
SELECT files, path,
       CASE WHEN files > 1 THEN files END AS several_files,
       CASE WHEN files = 1 THEN path END AS one_path,
       CASE product WHEN 'redis' THEN 'Redis' WHEN 'valkey' THEN 'Valkey' WHEN 'keydb' THEN 'KeyDB'
                    WHEN 'dragonfly' THEN 'Dragonfly' ELSE product END AS product_name,
       COALESCE(server_version, 'of unknown version') AS server_version,
       rdb_version, created_at_ms, file_bytes, keys_read, keys_announced,
       CASE WHEN sound = 1 AND announcing = files THEN checksum_words END AS sound_checksum,
       CASE WHEN sound = 1 AND announcing < files THEN checksum_words END AS sound_unannounced,
       CASE WHEN unchecked_files > 0 THEN 'duplicates not looked for' ELSE 'no duplicates' END AS duplicate_words,
       CASE WHEN trailing_bytes > 0 THEN 'more bytes after the end'
            WHEN marked THEN 'only the mark of a replication transfer after the end'
            ELSE 'nothing after the end' END AS trailing_words,
       CASE WHEN cut_files > 0 THEN COALESCE(incomplete_reason, 'the end was not reached') END AS incomplete_reason,
       CASE WHEN checksum_wrong > 0 THEN checksum_wrong END AS checksum_wrong,
       CASE WHEN duplicate_keys > 0 THEN duplicate_keys END AS duplicate_keys,
       CASE WHEN count_differs = 1 AND incomplete_files = 0 THEN keys_announced END AS differing_announcement,
       CASE WHEN records_skipped > 0 THEN records_skipped END AS records_skipped,
       CASE WHEN empty_keys > 0 THEN empty_keys END AS empty_keys,
       CASE WHEN trailing_bytes > 0 THEN trailing_bytes END AS trailing_bytes,
       CASE trailing_kind WHEN 'aof' THEN 'commands of an append-only file' WHEN 'zeros' THEN 'zeros'
                          WHEN 'another-snapshot' THEN 'another snapshot' ELSE 'of unknown kind' END AS trailing_kind,
       CASE WHEN dated = 0 THEN files END AS undated_files,
       CASE WHEN repeated_files > 0 THEN repeated_files END AS repeated_files,
       CASE WHEN approximate_keys > 0 THEN approximate_keys END AS approximate_keys, approximate_bytes
FROM judged;

-- @note     {one_path:text}: {product_name} {server_version}, RDB {rdb_version:number}, saved {created_at_ms:ms}, {file_bytes:bytes}.
-- @note     {several_files:count file}: {product_name} {server_version}, RDB {rdb_version:number}, the last one saved {created_at_ms:ms}, {file_bytes:bytes} in all.
-- @good     Sound: {sound_checksum}, {keys_read:count key} read of {keys_announced:count} announced, {duplicate_words}, {trailing_words}.
-- @good     Sound: {sound_unannounced}, {keys_read:count key} read (the file announces no number), {duplicate_words}, {trailing_words}.
-- @error    Incomplete: {incomplete_reason:text}. The {keys_read:count key} before that place are counted here, nothing after it.
-- @error    The checksum is wrong ({checksum_wrong:count file}): changed or damaged after the server wrote it. It was read to its end, but single values can't be trusted.
-- @error    More than once in the file: {duplicate_keys:count key}; a server would refuse to load it.
-- @warning  The same snapshot as another one, by its checksum: {repeated_files:count file}. Its keys are counted each time.
-- @warning  The file announces {differing_announcement:count key}; read: {keys_read:count}.
-- @warning  Passed over: {records_skipped:count record} of other products.
-- @warning  With an empty collection, which a server would drop: {empty_keys:count key}.
-- @warning  {trailing_bytes:bytes} follow the end of the snapshot: {trailing_kind}.
-- @warning  {undated_files:count file} without the time of saving: times left until expiry are unknown.
-- @note     Counted by size on disk: {approximate_keys:count key} ({approximate_bytes:bytes}); what such values take in memory only their module knows.

-- @section  overview  At a glance
-- @record
-- @facts
WITH t AS (
  SELECT SUM(keys) AS keys, SUM(memory_bytes) AS memory_bytes, SUM(memory_without_ttl) AS memory_without_ttl,
         SUM(CASE WHEN db <> 0 THEN keys ELSE 0 END) AS keys_outside_db0
  FROM totals
), f AS (
  SELECT SUM(keyspace_overhead_bytes) AS overhead, SUM(used_memory_bytes) AS used, COUNT(*) AS files,
         COUNT(used_memory_bytes) AS telling, SUM(unexplained_bytes) AS unexplained,
         -- What a server takes for itself and its clients: docs/memory-model.md has what was measured.
         SUM(CASE WHEN memory_profile LIKE '%, cluster%' THEN 5000000 ELSE 3000000 END) AS bare_server
  FROM files
), largest AS (
  SELECT largest_key_id FROM totals ORDER BY largest_key_bytes DESC, largest_key_id LIMIT 1
)
SELECT (SELECT COUNT(*) FROM (SELECT DISTINCT db FROM totals) AS d) AS databases,
       CASE WHEN t.keys_outside_db0 > 0 THEN t.keys_outside_db0 END AS keys_outside_db0,
       COALESCE(t.memory_bytes, 0) AS modelled,
       f.overhead,
       CASE WHEN f.telling = f.files AND f.used > 0 THEN f.used END AS used,
       (COALESCE(t.memory_bytes, 0) + f.overhead) * 1.0 / NULLIF(f.used, 0) AS explained,
       CASE WHEN f.unexplained BETWEEN 0.05 * f.used AND f.bare_server THEN f.unexplained END AS bare_server,
       CASE WHEN f.unexplained < 0 THEN -f.unexplained END AS overcounted,
       t.memory_without_ttl * 1.0 / NULLIF(t.memory_bytes, 0) AS memory_share_without_ttl,
       k.type AS biggest_type, k.key AS biggest_key, k.elements AS biggest_elements, k.db AS biggest_db,
       CASE WHEN k.type <> 'string' THEN k.type END AS biggest_collection,
       CASE WHEN k.expires_at_ms IS NULL THEN 'no TTL' ELSE 'with a TTL' END AS biggest_ttl
FROM t CROSS JOIN f
LEFT JOIN keys AS k ON k.id = (SELECT largest_key_id FROM largest);
-- @column   keys                   count  Keys
-- @column   memory_bytes           bytes  Memory
-- @column   no_ttl_share           ratio  No TTL
-- @column   evictable_share        ratio  Evictable
-- @column   expired_share          ratio  Expired
-- @column   biggest_key_bytes      bytes  Biggest key
-- @column   modelled_for           label  Modelled for
-- @remark   keys                   in {databases:count database}, {keys_outside_db0:count} of them outside db 0
-- @remark   keys                   in {databases:count database}
-- @remark   memory_bytes           keys {modelled:bytes} + key tables {overhead:bytes}; the server said {used:bytes} used: the other {bare_server:bytes} is about what it takes for itself
-- @remark   memory_bytes           keys {modelled:bytes} + key tables {overhead:bytes}; the server said {used:bytes} used, {overcounted:bytes} less: MEMORY USAGE overcounts some types (section memory)
-- @remark   memory_bytes           keys {modelled:bytes} + key tables {overhead:bytes}; the server said {used:bytes} used: {explained:ratio} explained
-- @remark   memory_bytes           keys {modelled:bytes} + key tables {overhead:bytes}
-- @remark   no_ttl_share           of keys, {memory_share_without_ttl:ratio} of memory (report no-ttl)
-- @remark   evictable_share        of memory is in keys with a TTL: all that a volatile-* policy can evict
-- @remark   expired_share          of keys were past their time when the file was saved
-- @remark   biggest_key_bytes      {biggest_collection} {biggest_key:key}, {biggest_elements:count element}, {biggest_ttl}
-- @remark   biggest_key_bytes      {biggest_type} {biggest_key:key}, {biggest_ttl}
SELECT COALESCE(SUM(keys), 0) AS keys,
       COALESCE(SUM(memory_bytes), 0) + (SELECT COALESCE(SUM(keyspace_overhead_bytes), 0) FROM files) AS memory_bytes,
       SUM(keys_without_ttl) * 1.0 / NULLIF(SUM(keys), 0) AS no_ttl_share,
       1.0 - SUM(memory_without_ttl) * 1.0 / NULLIF(SUM(memory_bytes), 0) AS evictable_share,
       CASE WHEN (SELECT COUNT(created_at_ms) FROM files) > 0
            THEN SUM(expired_keys) * 1.0 / NULLIF(SUM(keys), 0) END AS expired_share,
       MAX(largest_key_bytes) AS biggest_key_bytes,
       (SELECT CASE WHEN MIN(memory_profile) = MAX(memory_profile) THEN MIN(memory_profile)
                    ELSE MIN(memory_profile) || '; ' || MAX(memory_profile) END FROM files) AS modelled_for
FROM totals;

-- @section  types  By type
-- @empty    The snapshot holds no keys.
-- @column   type               label  Type
-- @column   keys               count  Keys
-- @column   key_share          ratio  of keys
-- @column   memory_bytes       bytes  Memory
-- @column   memory_share       ratio  of memory
-- @column   no_ttl_share       ratio  No TTL
-- @column   serialized_bytes   bytes?  On disk
-- @column   elements           count?  Elements
-- @column   largest_key_bytes  bytes  Largest
-- @chart    bars  type  memory_bytes
SELECT kinds.type,
       SUM(totals.keys) AS keys,
       SUM(totals.keys) * 1.0 / NULLIF((SELECT SUM(keys) FROM totals), 0) AS key_share,
       SUM(totals.memory_bytes) AS memory_bytes,
       SUM(totals.memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       SUM(totals.keys_without_ttl) * 1.0 / NULLIF(SUM(totals.keys), 0) AS no_ttl_share,
       SUM(totals.serialized_bytes) AS serialized_bytes,
       SUM(totals.elements) AS elements,
       MAX(totals.largest_key_bytes) AS largest_key_bytes
FROM totals
JOIN kinds ON kinds.id = totals.kind_id
GROUP BY kinds.type
ORDER BY memory_bytes DESC, kinds.type;

-- @section  encodings  By encoding
-- @column   type               label  Type
-- @column   encoding           label  Encoding
-- @column   keys               count  Keys
-- @column   key_share          ratio  of keys
-- @column   memory_bytes       bytes  Memory
-- @column   memory_share       ratio  of memory
-- @column   average_key_bytes  bytes  Average
-- @column   largest_key_bytes  bytes  Largest
SELECT kinds.type, kinds.encoding,
       SUM(totals.keys) AS keys,
       SUM(totals.keys) * 1.0 / NULLIF((SELECT SUM(keys) FROM totals), 0) AS key_share,
       SUM(totals.memory_bytes) AS memory_bytes,
       SUM(totals.memory_bytes) * 1.0 / NULLIF((SELECT SUM(memory_bytes) FROM totals), 0) AS memory_share,
       ROUND(SUM(totals.memory_bytes) * 1.0 / NULLIF(SUM(totals.keys), 0)) AS average_key_bytes,
       MAX(totals.largest_key_bytes) AS largest_key_bytes
FROM totals
JOIN kinds ON kinds.id = totals.kind_id
GROUP BY kinds.type, kinds.encoding
ORDER BY memory_bytes DESC, kinds.type, kinds.encoding;

-- @section  databases  By database
-- @column   db                       number  Database
-- @column   keys                     count   Keys
-- @column   memory_bytes             bytes   Memory
-- @column   keyspace_overhead_bytes  bytes   Key tables
-- @column   no_ttl_share             ratio   No TTL
WITH by_db AS (
  SELECT db, SUM(keys_read) AS keys, SUM(memory_bytes) AS memory_bytes,
         SUM(keyspace_overhead_bytes) AS keyspace_overhead_bytes,
         1.0 - SUM(keys_with_expiry) * 1.0 / NULLIF(SUM(keys_read), 0) AS no_ttl_share, COUNT(*) OVER () AS total_rows
  FROM databases
  GROUP BY db
), heaviest AS (
  SELECT * FROM by_db WHERE total_rows > 1 ORDER BY memory_bytes DESC, db LIMIT :top
)
SELECT db, keys, memory_bytes, keyspace_overhead_bytes, no_ttl_share, total_rows FROM heaviest ORDER BY db;

-- @section  memory  Memory against what the server used
-- @note     Keys and key tables are modelled for {modelled_for:text}: what MEMORY USAGE would say after a load.
-- @note     The rest, {bare_server:bytes}, is about what a server takes for itself and its clients, however few its keys: 1 to 3 MB, up to 5 MB in a cluster.
-- @note     The rest is clients, buffers, replication and scripts, which a snapshot does not hold, and the model's error: {ordinary_rest:ratio} of what was used.
-- @warning  The keys add up to {overcounted:bytes} more than the server used: MEMORY USAGE counts more than there is for large sets, streams and small integers, depending on the version; or the server packs more than its defaults say (load with --config).
-- @note     {silent_files:count file} without used-mem: there is nothing to compare with.
-- @facts
WITH f AS (
  SELECT COUNT(*) AS files, COUNT(used_memory_bytes) AS telling, SUM(used_memory_bytes) AS used,
         SUM(unexplained_bytes) AS unexplained,
         SUM(CASE WHEN memory_profile LIKE '%, cluster%' THEN 5000000 ELSE 3000000 END) AS bare_server,
         MIN(memory_profile) AS first_profile, MAX(memory_profile) AS last_profile
  FROM files
)
SELECT CASE WHEN first_profile = last_profile THEN first_profile
            ELSE first_profile || '; ' || last_profile END AS modelled_for,
       CASE WHEN telling < files THEN files - telling END AS silent_files,
       CASE WHEN telling = files AND unexplained BETWEEN 0 AND bare_server THEN unexplained END AS bare_server,
       CASE WHEN telling = files AND unexplained > bare_server THEN unexplained * 1.0 / NULLIF(used, 0) END AS ordinary_rest,
       CASE WHEN telling = files AND unexplained < 0 THEN -unexplained END AS overcounted
FROM f;
-- @column   part          label  Part
-- @column   memory_bytes  bytes  Memory
-- @column   used_share    ratio  of used
WITH parts AS (
  SELECT SUM(modelled_bytes - approximate_bytes) AS modelled,
         CASE WHEN SUM(approximate_keys) > 0 THEN SUM(approximate_bytes) END AS approximate,
         SUM(keyspace_overhead_bytes) AS overhead,
         CASE WHEN COUNT(*) = COUNT(used_memory_bytes) THEN SUM(unexplained_bytes) END AS unexplained,
         CASE WHEN COUNT(*) = COUNT(used_memory_bytes) THEN SUM(used_memory_bytes) END AS used
  FROM files
), lines AS (
  SELECT 1 AS place, 'keys' AS part, modelled AS memory_bytes, used FROM parts
  UNION ALL SELECT 2, 'keys of modules, by their size on disk', approximate, used FROM parts
  UNION ALL SELECT 3, 'key tables', overhead, used FROM parts
  UNION ALL SELECT 4, 'not explained', unexplained, used FROM parts
  UNION ALL SELECT 5, 'used-mem, as the server said', used, used FROM parts
)
SELECT part, memory_bytes, memory_bytes * 1.0 / NULLIF(used, 0) AS used_share
FROM lines
WHERE memory_bytes IS NOT NULL
ORDER BY place;

-- @section  problems  Problems found while reading
-- @column   severity     label   Severity
-- @column   code         label   Problem
-- @column   occurrences  count   Times
-- @column   description  text    What
-- @column   db           number?  Database
-- @column   key          key?    First key
-- @column   file_offset  number?  First byte
SELECT severity, code, count AS occurrences, text AS description, db, key, file_offset
FROM problems
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, count DESC, code, file_id, file_offset;

-- @section  files  By file
-- @column   path               text   File
-- @column   keys               count  Keys
-- @column   memory_bytes       bytes  Memory
-- @column   used_memory_bytes  bytes  Used
-- @column   created_at_ms      ms     Saved
-- @column   checksum           label  Checksum
-- @column   complete           flag   Complete
SELECT path, keys_read AS keys, modelled_bytes + keyspace_overhead_bytes AS memory_bytes, used_memory_bytes,
       created_at_ms, checksum, complete
FROM files
WHERE (SELECT COUNT(*) FROM files) > 1
ORDER BY id;
