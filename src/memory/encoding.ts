/** What OBJECT ENCODING says; `unknown` is what Redis 5.0 says of a stream. */
export type Encoding =
  | 'int'
  | 'embstr'
  | 'raw'
  | 'linkedlist'
  | 'ziplist'
  | 'listpack'
  | 'quicklist'
  | 'intset'
  | 'hashtable'
  | 'skiplist'
  | 'listpackex'
  | 'stream'
  | 'unknown'
  | 'sliced-array'
  | 'template-listpack'
  | 'template-array';
