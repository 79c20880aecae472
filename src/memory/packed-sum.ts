import type { IntegerClass } from '../rdb-parser/records.js';
import { EMPTY_LISTPACK_BYTES, listpackEntryBytes } from './listpack.js';
import { ZiplistSum } from './ziplist.js';

/** Adds up the blob that a small collection would be packed into, whichever packing the server has. */
export class PackedSum {
  private readonly listpack: boolean;
  private readonly ziplist = new ZiplistSum();
  private listpackBytes = EMPTY_LISTPACK_BYTES;

  constructor(packing: 'ziplist' | 'listpack') {
    this.listpack = packing === 'listpack';
  }

  reset(): void {
    this.listpackBytes = EMPTY_LISTPACK_BYTES;
    this.ziplist.reset();
  }

  add(length: number, integer: IntegerClass): void {
    if (this.listpack) this.listpackBytes += listpackEntryBytes(length, integer);
    else this.ziplist.add(length, integer);
  }

  get bytes(): number {
    return this.listpack ? this.listpackBytes : this.ziplist.bytes;
  }
}
