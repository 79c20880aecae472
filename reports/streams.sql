-- @title    Streams
-- @summary  Streams with their consumer groups: entries, what was delivered and never acknowledged, who fell behind.
-- @order    80
-- @param    top  limit  10  Rows per table; 0 shows all.

-- @section  streams  Streams
-- @empty    The snapshot holds no streams.
-- @column   key                    key    Key
-- @column   entries                count  Entries
-- @column   memory_bytes           bytes  Memory
-- @column   groups                 count  Groups
-- @column   consumers              count  Consumers
-- @column   pending                count  Pending
-- @column   oldest_pending_age_ms  duration_ms  Oldest waits
-- @column   last_id                label?  Last id
-- @column   nodes                  count?  Blocks
-- @column   db                     number?  DB
SELECT streams.key, streams.entries, streams.memory_bytes, streams.groups, streams.consumers, streams.pending,
       CASE WHEN files.created_at_ms < streams.oldest_pending_ms THEN 0
            ELSE files.created_at_ms - streams.oldest_pending_ms END AS oldest_pending_age_ms,
       streams.last_id, streams.nodes, streams.db, COUNT(*) OVER () AS total_rows
FROM streams
LEFT JOIN files ON files.id = streams.file_id
ORDER BY streams.memory_bytes DESC, streams.key_id
LIMIT :top;

-- @section  groups  Consumer groups with the most pending
-- @column   key                    key    Stream
-- @column   group_name             key    Group
-- @column   consumers              count  Consumers
-- @column   pending                count  Pending
-- @column   oldest_pending_age_ms  duration_ms  Oldest waits
-- @column   last_id                label?  Last delivered
SELECT streams.key, stream_groups.name AS group_name, stream_groups.consumers, stream_groups.pending,
       CASE WHEN files.created_at_ms < stream_groups.oldest_pending_ms THEN 0
            ELSE files.created_at_ms - stream_groups.oldest_pending_ms END AS oldest_pending_age_ms,
       stream_groups.last_id,
       COUNT(*) OVER () AS total_rows
FROM stream_groups
JOIN streams ON streams.key_id = stream_groups.key_id
LEFT JOIN files ON files.id = streams.file_id
ORDER BY stream_groups.pending DESC, streams.key_id, stream_groups.name
LIMIT :top;
