/** What a table or view holds; `internal` ones are there but rarely asked. */
export interface TableGuide {
  readonly about: string;
  readonly internal?: true;
  readonly columns: Readonly<Record<string, string>>;
}

/** Sums that several tables have. */
const SUMS = {
  keys: 'number of keys',
  memory_bytes: 'modelled memory, as MEMORY USAGE would say',
  serialized_bytes: 'bytes in the file, as written',
  elements: 'members, items, fields, entries; 1 for a string',
  keys_without_ttl: 'keys that never expire',
  memory_without_ttl: 'bytes of memory in them',
} as const;

/** Every table and view for people who write SQL; a test holds it against the schema. */
export const SCHEMA_GUIDE: Readonly<Record<string, TableGuide>> = {
  keys: {
    about: 'One row per key: the table to start from.',
    columns: {
      id: 'row number, in the order of the file',
      file_id: 'which file, see files',
      db: 'database number',
      key: 'the name: text, or a BLOB where it is no valid UTF-8 (printable(key) shows either)',
      type: 'as TYPE says: string, list, set, zset, hash, stream, ...; "module" for a module\'s value',
      encoding: 'as OBJECT ENCODING says after loading',
      module: "the module's type name, NULL for other keys",
      elements: 'LLEN, SCARD, ZCARD, HLEN, XLEN; 1 for a string; NULL where unknown',
      memory_bytes: SUMS.memory_bytes,
      serialized_bytes: SUMS.serialized_bytes,
      payload_bytes: "the user's own bytes (STRLEN); NULL where that would need unpacking",
      largest_element_bytes: 'longest element, field or value; NULL where that would need unpacking',
      expires_at_ms: 'when it expires, ms since 1970; NULL: never',
      ttl_ms: 'ms left when the file was saved; negative: expired already',
      idle_seconds: 'seconds since last use; NULL unless the server evicts by LRU',
      freq: 'LFU counter 0-255; NULL unless the server evicts by LFU',
      fields_with_ttl: 'hash fields with an expiry of their own',
      first_field_expiry_ms: 'the soonest of them',
      slot: 'cluster slot, 0-16383',
      prefix_id: 'its pattern, see prefixes',
      file_offset: 'first byte of its record in the snapshot',
    },
  },
  prefixes: {
    about: 'The prefix tree, ids as placeholders; every node holds the sums of all keys below it.',
    columns: {
      id: 'what keys.prefix_id points to',
      parent_id: 'the prefix above; NULL for the root',
      depth: 'number of segments; 0 for the root',
      prefix: 'as printed: user:{n}:session',
      own_keys: 'keys that end here; their sum over all nodes is the number of keys',
      ...SUMS,
      key_name_bytes: 'bytes of the names themselves',
      expired_keys: 'past their time when the file was saved',
      largest_key_bytes: 'memory of the largest key',
    },
  },
  prefix_types: {
    about: 'The sums of prefixes by type, over all keys below as in prefixes.',
    columns: { prefix_id: 'see prefixes', type: 'type of the keys', ...SUMS },
  },
  prefix_marks: {
    about:
      'Keys with something remarkable, by their own prefix: what long strings hold, what keeps values from packing.',
    columns: {
      prefix_id: 'see prefixes',
      mark: 'content:json, content:gzip, ... of strings from 1,000 bytes on; one-long-element, one-text-member, integers-over-limit',
      compressed: '1: what the string holds is compressed already',
      keys: 'number of keys',
      memory_bytes: 'their memory',
      serialized_bytes: 'their bytes in the file',
      payload_bytes: "the user's own bytes in them",
      elements: 'their elements',
      first_key_id: 'the first of them, see keys',
      last_key_id: 'the last',
    },
  },
  types: {
    about: 'Sums by type and encoding.',
    columns: { type: 'type', encoding: 'encoding', ...SUMS, largest_key_bytes: 'memory of the largest key' },
  },
  files: {
    about: 'One row per snapshot file: what it is, whether it is whole.',
    columns: {
      id: 'what file_id points to',
      path: 'as it was given',
      container: 'how it was wrapped: plain, gzip, zstd, lz4, ...',
      file_bytes: 'size on disk; NULL for a pipe',
      snapshot_bytes: 'size unpacked',
      dialect: 'whose type numbers: redis, valkey, keydb, dragonfly',
      product: 'whose server wrote it',
      rdb_version: 'version of the file format',
      server_version: 'version of the server',
      bits: 'word size of the server: 32 or 64',
      created_at_ms: 'when it was saved, by its own clock',
      used_memory_bytes: 'memory that the server used then (used-mem)',
      modelled_bytes: 'sum of keys.memory_bytes',
      keyspace_overhead_bytes: "the key tables' own memory, in no key",
      unexplained_bytes:
        'used_memory_bytes less those two; negative where MEMORY USAGE itself counts too much; NULL where unknown',
      approximate_keys: 'keys counted by their size on disk: only their module knows what they take',
      approximate_bytes: 'their part of modelled_bytes',
      memory_profile: 'the server that memory was modelled for',
      checksum: 'ok, mismatch, off, absent, unchecked',
      checksum_stored: 'as the file says it',
      checksum_computed: 'as its bytes give it',
      complete: '1: read to the end, nothing damaged',
      incomplete_reason: 'else why not',
      keys_announced: 'number of keys that the file promises',
      expires_announced: 'and of those with a TTL',
      keys_read: 'number of keys read',
      keys_with_expiry: 'of them with a TTL',
      keys_expired: 'of them past their time when saved; NULL where that time is unknown',
      keys_absurd_expiry: 'of them with an expiry before 1990 or over 100 years ahead',
      duplicate_keys: 'keys that stand in the file more than once; NULL: not looked for',
      duplicate_check: 'how they were looked for: exact, hashed, none',
      empty_keys: 'keys that hold an empty collection',
      records_skipped: 'records of other products that were passed over',
      trailing_bytes: 'bytes after the end of the snapshot',
      trailing_kind: 'what they look like',
      loaded_at_ms: 'when this database was written',
      load_ms: 'how long that took',
    },
  },
  databases: {
    about: 'One row per database number and file.',
    columns: {
      file_id: 'see files',
      db: 'database number',
      keys_announced: 'number of keys that the file promises',
      expires_announced: 'and of those with a TTL',
      keys_read: 'number of keys read',
      keys_with_expiry: 'of them with a TTL',
      memory_bytes: SUMS.memory_bytes,
      keyspace_overhead_bytes: "the key tables' own memory",
    },
  },
  streams: {
    about: 'Streams, one row each.',
    columns: {
      key_id: 'keys.id',
      file_id: 'see files',
      db: 'database number',
      key: 'the name',
      entries: 'XLEN',
      nodes: 'packed blocks of entries',
      groups: 'consumer groups',
      consumers: 'consumers of all groups',
      pending: 'entries delivered and not acknowledged, over all groups',
      last_id: 'last id given',
      oldest_pending_ms: 'when the longest waiting one was delivered',
      memory_bytes: SUMS.memory_bytes,
    },
  },
  stream_groups: {
    about: 'Consumer groups of streams.',
    columns: {
      key_id: 'keys.id of the stream',
      name: 'name of the group',
      last_id: 'last id delivered',
      consumers: 'its consumers',
      pending: 'delivered and not acknowledged',
      oldest_pending_ms: 'when the longest waiting one was delivered',
    },
  },
  modules: {
    about: "Modules' values, by module.",
    columns: {
      module: "the module's type name",
      keys: SUMS.keys,
      serialized_bytes: SUMS.serialized_bytes,
      memory_bytes: 'bytes in the file with an estimate of overhead: only the module knows its memory',
    },
  },
  functions: {
    about: 'Libraries of server functions.',
    columns: {
      file_id: 'see files',
      name: 'name of the library',
      engine: 'its language',
      bytes: 'length of its source',
      file_offset: 'first byte of its record',
    },
  },
  module_aux: {
    about: 'What modules keep in the file outside of keys.',
    columns: {
      file_id: 'see files',
      module: "the module's type name",
      version: 'its encoding version',
      placed: 'before or after the keys',
      serialized_bytes: SUMS.serialized_bytes,
      file_offset: 'first byte of its record',
    },
  },
  expiry_buckets: {
    about: 'Keys by the moment they expire; a wide row lacks those that have narrow rows inside it.',
    columns: {
      start_ms: 'first ms of the span',
      width_ms: 'its length',
      keys: SUMS.keys,
      memory_bytes: SUMS.memory_bytes,
    },
  },
  size_buckets: {
    about: 'Power-of-two histograms by type.',
    columns: {
      type: 'type of the keys',
      measure: 'what is counted: memory, elements, ...',
      bucket: 'b holds 2^b to 2^(b+1) - 1; -1 holds 0',
      keys: SUMS.keys,
      total: 'sum of the measure',
    },
  },
  slot_totals: {
    about: 'Sums by cluster slot.',
    columns: { slot: 'cluster slot', keys: SUMS.keys, memory_bytes: SUMS.memory_bytes },
  },
  problems: {
    about: 'What was wrong with a file, one row per kind of trouble.',
    columns: {
      file_id: 'see files',
      code: 'kind of trouble',
      severity: 'info, warning, error',
      text: 'a sentence',
      file_offset: 'where it was first seen',
      db: 'in which database',
      key: 'at which key',
      count: 'how often',
    },
  },
  aux_fields: {
    about: 'What the server says about itself in the file.',
    columns: { file_id: 'see files', name: 'name of the field', value: 'its value' },
  },
  meta: {
    about: 'How this database was made.',
    columns: {
      name: 'schema_version, tool_version, options, separators, pattern_rules, ...',
      value: 'its value',
    },
  },
  totals: {
    about: 'Sums by file, database, type and encoding: what the summary adds up.',
    internal: true,
    columns: {
      file_id: 'see files',
      db: 'database number',
      kind_id: 'see kinds',
      ...SUMS,
      key_name_bytes: 'bytes of the names themselves',
      expired_keys: 'past their time when the file was saved',
      expired_memory_bytes: 'bytes of memory in them',
      largest_key_bytes: 'memory of the largest key',
      largest_key_id: 'its keys.id',
    },
  },
  largest_keys: {
    about: 'The first thousand keys by each measure: reports need not sort all of them.',
    internal: true,
    columns: {
      ranking:
        'memory_bytes, elements, serialized_bytes, largest_element_bytes; memory_without_ttl: of keys that never expire',
      key_id: 'see keys.id',
      value: 'the number that they are ranked by',
    },
  },
  kinds: {
    about: 'Types and encodings by number.',
    internal: true,
    columns: { id: 'number', type: 'type', encoding: 'encoding', module: "the module's type name" },
  },
  key_rows: {
    about: 'What the view keys is made of.',
    internal: true,
    columns: {},
  },
  prefix_aliases: {
    about: 'Prefixes that were folded into another while loading.',
    internal: true,
    columns: { id: 'as in key_rows.prefix_id', prefix_id: 'see prefixes' },
  },
};

/** SQL functions that reports and queries have besides SQLite's own. */
export const FUNCTION_GUIDE: readonly (readonly [call: string, meaning: string])[] = [
  ["key_prefix(key, ':', 2)", 'the first two segments of a key, ids as placeholders'],
  ['hash_slot(key)', 'its cluster slot'],
  ['hash_tag(key)', 'what stands in {braces}; NULL without'],
  ['size_bucket(bytes)', 'b with 2^b <= bytes < 2^(b+1); -1 for 0'],
  [
    'name_faults(key)',
    'what the naming rules have against a name: space, control, not-utf8, ...; NULL when clean',
  ],
  ["segment(key, ':', -1)", 'the n-th segment, -1 for the last'],
  ["without_placeholders('user:{n}')", 'the text without the placeholders of ids'],
  ["repeated_segment('order:order_items', ':')", 'what the last segment only says again; NULL when nothing'],
  ["has_word(key, 'cache,session')", '1 when one of the words is in the text'],
  ["key_head(key, ':', 2)", "the key's own first segments, ids and all"],
  ['approx_distinct(key)', 'aggregate: different values; exact up to 4,096, then within about 1 %'],
  ["modelled_bytes('redis 7.2', 'hash', 9, 3, 4, 10, 0, NULL)", 'memory of a key that is not there'],
  ["name_saving('redis 7.2', 1000, 30000, 10)", 'memory that names save that are 10 bytes shorter'],
  [
    "packing_limit('redis 7.2', 'hash', 'entries')",
    'where the server stops packing: hash, zset, set, intset; entries or bytes',
  ],
  ["packing_setting('redis 7.2', 'hash', 'bytes')", "that setting's name in redis.conf"],
  ['printable(key)', 'the key with every unprintable byte as \\xNN'],
];

export const EXAMPLE_QUERIES: readonly (readonly [question: string, sql: string])[] = [
  [
    'the ten largest hashes',
    "SELECT key, elements, memory_bytes FROM keys WHERE type = 'hash' ORDER BY memory_bytes DESC LIMIT 10",
  ],
  [
    'memory by first segment',
    'SELECT prefix, keys, memory_bytes FROM prefixes WHERE depth = 1 ORDER BY memory_bytes DESC',
  ],
  [
    'what expires within an hour',
    'SELECT COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes FROM keys WHERE ttl_ms BETWEEN 0 AND 3600000',
  ],
];
