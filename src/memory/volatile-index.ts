import type { Allocator } from './allocator.js';
import { RaxShape } from './rax.js';

/** A vector's head: length and room. Source: vset.c, `pVector` (Valkey 9.0). */
const VECTOR_HEADER_BYTES = 8;
/** Fields that one vector indexes. Source: vset.c, VOLATILESET_VECTOR_BUCKET_MAX_SIZE (Valkey 9.0). */
const VECTOR_FIELDS = 127;
/** Widest span of expiries that share a bucket. Source: vset.c, VOLATILESET_BUCKET_INTERVAL_MAX (Valkey 9.0). */
const BUCKET_MS = 2 ** 13;
/** How full a bucket is on average that was split in halves whenever it overflowed. */
const SPLIT_FILL = Math.LN2;
/** sizeof(rax) with its allocated size. Source: rax.h (Valkey 8.1). */
const RAX_BYTES = 32;
const KEY_BYTES = 8;
/** Expiries kept at most: 512 KiB. Beyond, the rest is taken to cost as much per field. */
const KEPT_EXPIRIES = 2 ** 16;

/**
 * Valkey's index of a hash's fields that expire: nothing for one (a tagged pointer), a vector of pointers for up to 127,
 * then a radix tree of buckets, each a pointer or a vector, for spans of 8 seconds or, where many expire, less.
 *
 * Source: vset.c (Valkey 9.0), checked on the tree of May 2026; where buckets are split is random there, expected here.
 */
export class VolatileIndex {
  private readonly allocator: Allocator;
  private readonly wordBytes: number;
  private readonly tree: RaxShape;
  private readonly key = new Uint8Array(KEY_BYTES);
  private readonly keyView = new DataView(this.key.buffer);
  private fields = 0;
  private expiries = new Float64Array(64);

  constructor(allocator: Allocator, wordBytes: number) {
    this.allocator = allocator;
    this.wordBytes = wordBytes;
    this.tree = new RaxShape(allocator, wordBytes, true);
  }

  reset(): void {
    this.fields = 0;
  }

  /** A field that expires at that instant. */
  add(expiresAtMs: number): void {
    const { fields } = this;
    this.fields++;
    if (fields >= KEPT_EXPIRIES) return;
    if (fields === this.expiries.length) {
      const grown = new Float64Array(fields * 2);
      grown.set(this.expiries);
      this.expiries = grown;
    }
    this.expiries[fields] = expiresAtMs;
  }

  bytes(): number {
    if (this.fields <= VECTOR_FIELDS) return this.bucketBytes(this.fields);
    const kept = this.expiries.subarray(0, Math.min(this.fields, KEPT_EXPIRIES)).sort();
    this.tree.reset();
    let bytes = 0;
    let start = 0;
    while (start < kept.length) {
      const bucket = Math.floor(kept[start]! / BUCKET_MS);
      let end = start + 1;
      while (end < kept.length && Math.floor(kept[end]! / BUCKET_MS) === bucket) end++;
      bytes += this.spanBytes(bucket, end - start);
      start = end;
    }
    this.tree.finish();
    return ((RAX_BYTES + this.tree.bytes + bytes) * this.fields) / kept.length;
  }

  /** The buckets of one span, which are also put into the tree. */
  private spanBytes(bucket: number, fields: number): number {
    const buckets = fields <= VECTOR_FIELDS ? 1 : Math.ceil(fields / (VECTOR_FIELDS * SPLIT_FILL));
    for (let i = 1; i <= buckets; i++) {
      this.keyView.setBigUint64(
        0,
        BigInt.asUintN(64, BigInt(bucket * BUCKET_MS + Math.round((i * BUCKET_MS) / buckets))),
      );
      this.tree.add(this.key, 0, KEY_BYTES);
    }
    return buckets === 1
      ? this.bucketBytes(fields)
      : buckets * this.bucketBytes(Math.round(fields / buckets));
  }

  private bucketBytes(fields: number): number {
    if (fields < 2) return 0;
    return this.allocator.usable(VECTOR_HEADER_BYTES + this.wordBytes * fields);
  }
}
