import { closeSync, openSync, writeSync } from 'node:fs';
import { Crc64 } from '../../src/rdb-parser/crc64.js';

/** Writes a large snapshot record by record, with a right checksum, in little memory. */
export class SnapshotWriter {
  private readonly file: number;
  private readonly buffer = Buffer.alloc(2 ** 20);
  private used = 0;
  private readonly crc = new Crc64();

  constructor(path: string, keys: number, expires = 0) {
    this.file = openSync(path, 'w');
    this.text('REDIS0010'); // what Debian's redis-check-rdb 7.0 reads
    this.aux('redis-ver', '7.0.15');
    this.aux('redis-bits', '64');
    this.aux('ctime', '1796083200');
    this.byte(0xfe).length(0);
    this.byte(0xfb).length(keys).length(expires);
  }

  /** `key` = a string of `valueBytes` filler bytes, expiring at `expiresAtMs` when that is given. */
  string(key: string, valueBytes: number, expiresAtMs?: number): this {
    if (expiresAtMs !== undefined) this.expiry(expiresAtMs);
    this.byte(0).shortText(key).length(valueBytes);
    return this.filler(valueBytes);
  }

  /** A quicklist of `nodes` plain nodes of `nodeBytes` each. */
  plainList(key: string, nodes: number, nodeBytes: number): this {
    this.byte(18).shortText(key).length(nodes);
    for (let i = 0; i < nodes; i++) this.length(1).length(nodeBytes).filler(nodeBytes);
    return this;
  }

  /** A plain hash of small fields. */
  hash(key: string, fields: number): this {
    this.byte(4).shortText(key).length(fields);
    for (let i = 0; i < fields; i++) this.shortText(`field:${i}`).shortText(`value of ${i}`);
    return this;
  }

  end(): void {
    this.byte(0xff);
    this.flush();
    const trailer = Buffer.alloc(8);
    trailer.writeBigUInt64LE(this.crc.value);
    writeSync(this.file, trailer);
    closeSync(this.file);
  }

  private aux(name: string, value: string): void {
    this.byte(0xfa).shortText(name).shortText(value);
  }

  private expiry(ms: number): void {
    this.byte(0xfc).room(8);
    this.buffer.writeBigInt64LE(BigInt(ms), this.used);
    this.used += 8;
  }

  private byte(value: number): this {
    this.room(1);
    this.buffer[this.used++] = value;
    return this;
  }

  private length(value: number): this {
    this.room(9);
    if (value < 2 ** 6) this.buffer[this.used++] = value;
    else if (value < 2 ** 14) {
      this.buffer[this.used++] = 0x40 | (value >> 8);
      this.buffer[this.used++] = value & 0xff;
    } else {
      this.buffer[this.used++] = 0x80;
      this.used = this.buffer.writeUInt32BE(value, this.used);
    }
    return this;
  }

  private shortText(text: string): this {
    return this.length(text.length).text(text);
  }

  private text(text: string): this {
    this.room(text.length);
    this.used += this.buffer.write(text, this.used, 'latin1');
    return this;
  }

  private filler(bytes: number): this {
    let left = bytes;
    while (left > 0) {
      if (this.used === this.buffer.length) this.flush();
      const piece = Math.min(left, this.buffer.length - this.used);
      this.buffer.fill(0x78, this.used, this.used + piece);
      this.used += piece;
      left -= piece;
    }
    return this;
  }

  private room(bytes: number): this {
    if (this.used + bytes > this.buffer.length) this.flush();
    return this;
  }

  private flush(): void {
    this.crc.update(this.buffer, 0, this.used);
    writeSync(this.file, this.buffer, 0, this.used);
    this.used = 0;
  }
}
