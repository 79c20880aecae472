import type { ByteSource } from '../source/byte-source.js';
import { readAux } from './aux.js';
import { ByteReader, MAX_CONTIGUOUS } from './byte-reader.js';
import { ValueChecks } from './checks/value-checks.js';
import { Crc64, checksumText } from './crc64.js';
import { RdbError } from './errors.js';
import { MutableKeyRecord } from './key-record.js';
import { NoMeter } from './no-meter.js';
import { OPCODE_AUX, OPCODE_EOF, type Opcode, type OpcodeContext, opcodeTable } from './opcodes.js';
import type { RecordRun } from './record-run.js';
import {
  type Dialect,
  type ElementVisitor,
  type KeyRecord,
  type ProblemCode,
  type SnapshotFacts,
  UNKNOWN,
  type ValueMeter,
} from './records.js';
import type { LengthCounter } from './short-lengths.js';
import { MutableSnapshotFacts } from './snapshot-facts.js';
import { newStringHead, readStringHead, StringBytes } from './string.js';
import { countTrailing } from './trailing.js';
import { ValueContext, type ValueType } from './value-context.js';
import { valueTypeTable } from './value-types.js';

export interface DecoderOptions {
  /** Walk packed blobs for their longest element. */
  readonly deep?: boolean;
  /**
   * Look into every value for what is wrong with it, as far as that can be told, and tell it in `facts.problems`:
   * packed values whose parts disagree, members that come twice, streams whose counts are wrong. Neither a meter nor a
   * visitor sees anything then.
   */
  readonly check?: boolean;
  /** Sees every element; slower. */
  readonly visitor?: ElementVisitor;
  /** Asked before the value of each key is read: who is to see its elements. */
  readonly visitorFor?: (record: KeyRecord) => ElementVisitor | undefined;
  /** The 40 bytes that a replication stream announced as its end mark. */
  readonly replicationMark?: Uint8Array;
  /** Bytes of input held at a time; for tests of window borders. */
  readonly windowBytes?: number;
  /** Where input is held, if whoever takes the keys wants it in a place of its own. */
  readonly window?: DecoderWindow | undefined;
}

/** A place from which whoever takes the keys need not copy them, and what works on bytes there. */
export interface DecoderWindow {
  /** At least 2^18. */
  readonly bytes: Uint8Array;
  /** Passes over the elements of big collections. */
  readonly lengthCounter: LengthCounter;
  readonly checksum: Crc64;
}

/** The header: five letters and four digits, or six and three. */
const MAGIC_BYTES = 9;
/** The trailer exists from this version on. Source: rdb.c rdbLoadRio, "rdbver >= 5" (Redis 2.6). */
const CHECKSUM_VERSION = 5;
/** Newest versions whose every record is known. */
const NEWEST_KNOWN: Readonly<Record<'REDIS' | 'VALKEY', number>> = { REDIS: 15, VALKEY: 81 };
/** Beyond these a header is no server's: old Redis Enterprise files reuse opcodes with other meanings. */
const HIGHEST_VERSION = 999;
/** Longer keys are kept cut to this, with a problem told. */
const MAX_KEY_BYTES = 2 ** 24;

/**
 * Reads a snapshot key by key, synchronously, in one pass and bounded memory.
 *
 * `readHeader()` reads up to the first key; then each `next()` fills `record` with one key until it returns false, when
 * `facts` is final. All objects are reused: copy what you keep.
 * @throws RdbError from `readHeader` and `next`, with offset, database and key; SourceError from the source passes through
 */
export class Decoder {
  private readonly reader: ByteReader;
  private readonly mutableFacts = new MutableSnapshotFacts();
  private readonly mutableRecord = new MutableKeyRecord();
  private readonly values: ValueContext;
  private readonly opcodeContext: OpcodeContext;
  /** For AUX fields read while a key is at hand, whose bytes may lie in the other context's text. */
  private readonly memberContext: OpcodeContext;
  private readonly head = newStringHead();
  private readonly keyText: StringBytes;
  private readonly replicationMark: Uint8Array | undefined;
  private readonly visitorFor: DecoderOptions['visitorFor'];
  private types: readonly (ValueType | undefined)[] = valueTypeTable('redis');
  private opcodes: readonly (Opcode | undefined)[] = opcodeTable('redis');
  private ownKey = new Uint8Array(256);
  private headerRead = false;
  /** Not everything was read: there is no checksum, and no count. */
  private moved = false;
  /** A record whose type byte was read: its key follows. */
  private pendingType: ValueType | undefined = undefined;
  private recordStart = UNKNOWN;
  private inKey = false;
  private typeOffset = 0;
  private database: ReturnType<MutableSnapshotFacts['database']> | undefined = undefined;
  private databaseNumber = UNKNOWN;

  constructor(source: ByteSource, options: DecoderOptions = {}) {
    const { windowBytes, window } = options;
    const checksum = window?.checksum ?? new Crc64();
    checksum.value = 0n;
    this.reader = new ByteReader(source, { windowBytes, window: window?.bytes, checksum });
    this.reader.beforeDiscard = () => this.keepKey();
    this.replicationMark = options.replicationMark;
    this.visitorFor = options.visitorFor;
    this.keyText = new StringBytes(this.reader);
    const { mutableFacts: facts, mutableRecord: record } = this;
    this.values = new ValueContext({
      reader: this.reader,
      record,
      meter: new NoMeter(),
      visitor: options.visitor,
      deep: options.deep ?? false,
      lengthCounter: window?.lengthCounter,
      problem: (code, severity, text, offset) => this.problem(code, severity, text, offset),
    });
    if (options.check === true) this.values.meter = this.values.checks = new ValueChecks(this.values);
    this.opcodeContext = {
      reader: this.reader,
      record,
      facts,
      values: this.values,
      text: this.keyText,
      setDialect: (dialect) => this.setDialect(dialect),
    };
    this.memberContext = { ...this.opcodeContext, text: new StringBytes(this.reader) };
  }

  /** The key at hand. Overwritten by `next()`. */
  get record(): KeyRecord {
    return this.mutableRecord;
  }

  get facts(): SnapshotFacts {
    return this.mutableFacts;
  }

  /** Listens to values; set between `readHeader()` and the first `next()`, when the server's version is known. */
  set meter(meter: ValueMeter) {
    this.values.meter = meter;
  }

  /** Looks into the elements of the keys that follow. */
  set visitor(visitor: ElementVisitor | undefined) {
    this.values.visitor = visitor;
  }

  /** Bytes of the snapshot read so far. */
  get offset(): number {
    return this.reader.offset;
  }

  /** Reads magic, AUX fields and whatever else stands before the first key. */
  readHeader(): void {
    if (this.headerRead) return;
    this.headerRead = true;
    this.guard(() => {
      this.readMagic();
      this.advance();
    });
  }

  /** Moves to the next key; false when the snapshot is read to its end. */
  next(): boolean {
    this.readHeader();
    try {
      if (this.pendingType === undefined) {
        if (this.mutableFacts.complete) return false;
        this.advance();
        if (this.pendingType === undefined) return false;
      }
      this.readRecord(this.pendingType);
      return true;
    } catch (error) {
      throw this.located(error);
    }
  }

  /**
   * Lets `run` take the records that come next, as many as it likes; those that it leaves come with `next()`. `record`
   * holds none of them. Returns how many it took.
   */
  takeRun(run: RecordRun): number {
    const { reader, mutableFacts: facts, mutableRecord: record } = this;
    // KeyDB's members' expiries stand behind the records that they belong to.
    if (this.pendingType !== undefined || facts.complete || facts.dialect === 'keydb') return 0;
    const taken = run.take(reader, record.db, facts.dialect);
    if (taken === undefined || taken.keys === 0) return 0;
    reader.pos += taken.bytes;
    this.countKeys(taken.keys, taken.keysWithExpiry);
    return taken.keys;
  }

  /**
   * Makes `next()` go on with the record that starts at `offset`, as `KeyRecord.offset` tells it. Database numbers and
   * the checksum are lost.
   * @param seek moves the source; without it everything in between is read, and the way back is short
   */
  moveTo(offset: number, seek?: (offset: number) => void): void {
    this.readHeader();
    this.moved = true;
    if (this.pendingType !== undefined && this.recordStart === offset) return;
    this.guard(() => {
      this.pendingType = undefined;
      this.mutableFacts.complete = false;
      this.reader.moveTo(offset, seek);
    });
  }

  private guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      throw this.located(error);
    }
  }

  private readMagic(): void {
    const { reader, mutableFacts: facts } = this;
    if (reader.atEnd()) throw new RdbError('not-rdb', 'the input is empty', { offset: 0 });
    const first = reader.buffer.slice(reader.pos, Math.min(reader.end, reader.pos + 16));
    try {
      reader.ensure(MAGIC_BYTES);
    } catch (error) {
      if (!looksLikeMagic(first)) throw notRdb(first);
      throw error;
    }
    const bytes = reader.buffer.slice(reader.pos, reader.pos + MAGIC_BYTES);
    const magic = new TextDecoder('latin1').decode(bytes);
    const parts = /^(REDIS)(\d{4})$|^(VALKEY)(\d{3})$/.exec(magic);
    if (parts === null) throw notRdb(reader.buffer.slice(reader.pos, Math.min(reader.end, reader.pos + 16)));
    reader.pos += MAGIC_BYTES;
    const family = parts[1] === 'REDIS' ? 'REDIS' : 'VALKEY';
    facts.magic = magic;
    facts.rdbVersion = Number(parts[2] ?? parts[4]);
    if (family === 'VALKEY') this.setDialect('valkey');
    if (facts.rdbVersion < 1 || facts.rdbVersion > HIGHEST_VERSION) {
      throw new RdbError('unsupported-version', `RDB version ${facts.rdbVersion} is no released server's`, {
        offset: 0,
      });
    }
    if (facts.rdbVersion > NEWEST_KNOWN[family]) {
      this.problem(
        'newer-version',
        'warning',
        `RDB version ${facts.rdbVersion} is newer than ${NEWEST_KNOWN[family]}, the newest known here; reading on until a record that is not known`,
      );
    }
  }

  /** Reads opcodes up to the next value type byte (then `pendingType` is set) or the end of the snapshot. */
  private advance(): void {
    const { reader } = this;
    this.mutableRecord.clearAttributes();
    this.recordStart = UNKNOWN;
    this.inKey = false;
    for (;;) {
      if (reader.pos >= reader.end) reader.ensure(1);
      const start = reader.offset;
      const byte = reader.buffer[reader.pos++]!;
      const type = this.types[byte];
      if (type !== undefined) {
        if (this.recordStart === UNKNOWN) this.recordStart = start;
        this.pendingType = type;
        this.typeOffset = start;
        return;
      }
      if (byte === OPCODE_EOF) {
        this.finish();
        return;
      }
      const opcode = this.opcodes[byte];
      if (opcode === undefined) throw this.unknown(byte, start);
      if (this.recordStart === UNKNOWN && belongsToKey(byte)) this.recordStart = start;
      opcode.read(this.opcodeContext);
    }
  }

  private readRecord(type: ValueType): void {
    const { reader, mutableRecord: record, values } = this;
    record.typeCode = type.code;
    record.typeName = type.name;
    record.dataType = type.dataType;
    record.offset = this.recordStart;
    record.clearValue();
    this.readKey();
    this.inKey = true;
    if (this.visitorFor !== undefined) values.visitor = this.visitorFor(record);
    const valueAt = reader.offset;
    type.decode(values);
    record.valueBytes = reader.offset - valueAt;
    record.serializedBytes = reader.offset - this.typeOffset;
    this.pendingType = undefined;
    if (this.mutableFacts.dialect !== 'valkey') this.readMemberExpiries();
    if (record.elementCount === 0 && record.dataType !== 'stream') this.reportEmpty();
    values.meter.end(record);
    this.countKeys(1, record.hasExpiry ? 1 : 0);
  }

  /** The key stays where it is in the window; `keepKey` saves it when the window moves on. */
  private readKey(): void {
    const { reader, mutableRecord: record, head } = this;
    readStringHead(reader, head);
    if (head.form === 'raw' && head.length <= MAX_CONTIGUOUS) {
      reader.ensure(head.length);
      record.keyBuffer = reader.buffer;
      record.keyStart = reader.pos;
      record.keyLength = head.length;
      reader.pos += head.length;
      return;
    }
    this.keyText.read(reader, head, MAX_KEY_BYTES);
    record.keyBuffer = this.keyText.bytes;
    record.keyStart = 0;
    record.keyLength = this.keyText.kept;
    if (head.length > MAX_KEY_BYTES) {
      this.problem(
        'key-cut',
        'warning',
        `keys longer than ${MAX_KEY_BYTES} bytes are shown by their first bytes only`,
      );
    }
  }

  /** Saves the key's bytes before the reader's window gives them up. */
  private keepKey(): void {
    const record = this.mutableRecord;
    if (record.keyBuffer !== this.reader.buffer) return;
    if (this.ownKey.length < record.keyLength) this.ownKey = new Uint8Array(MAX_CONTIGUOUS);
    this.ownKey.set(record.keyBuffer.subarray(record.keyStart, record.keyStart + record.keyLength));
    record.keyBuffer = this.ownKey;
    record.keyStart = 0;
  }

  /** KeyDB writes members' expiries as AUX fields behind the key they belong to. */
  private readMemberExpiries(): void {
    const { reader } = this;
    while (!reader.atEnd() && reader.buffer[reader.pos] === OPCODE_AUX) {
      reader.ensure(2);
      const length = reader.buffer[reader.pos + 1]!;
      if (length !== MEMBER_EXPIRY_KEY.length && length !== MEMBER_EXPIRY_WHEN.length) return;
      reader.ensure(2 + length);
      const name = Buffer.from(reader.buffer.subarray(reader.pos + 2, reader.pos + 2 + length)).toString(
        'latin1',
      );
      if (name !== MEMBER_EXPIRY_KEY && name !== MEMBER_EXPIRY_WHEN) return;
      reader.pos++;
      readAux(this.memberContext);
    }
  }

  private countKeys(keys: number, withExpiry: number): void {
    const { mutableFacts: facts, mutableRecord: record } = this;
    facts.keysRead += keys;
    if (this.database === undefined || this.databaseNumber !== record.db) {
      this.database = facts.database(record.db);
      this.databaseNumber = record.db;
    }
    this.database.keysRead += keys;
    this.database.expiresRead += withExpiry;
  }

  private reportEmpty(): void {
    this.problem(
      'empty-collection',
      'info',
      'collections without elements, which servers drop when they load the file',
    );
  }

  /** EOF was read: checksum, then whatever follows. */
  private finish(): void {
    const { reader, mutableFacts: facts } = this;
    if (this.moved) {
      facts.complete = true;
      return;
    }
    if (facts.rdbVersion >= CHECKSUM_VERSION) {
      const computed = reader.checksumHere();
      const low = reader.u32le();
      const stored = (BigInt(reader.u32le()) << 32n) | BigInt(low);
      facts.checksumStored = checksumText(stored);
      facts.checksumComputed = checksumText(computed);
      facts.checksum = stored === 0n ? 'off' : stored === computed ? 'ok' : 'mismatch';
      if (facts.checksum === 'mismatch') {
        this.problem(
          'checksum-mismatch',
          'error',
          `the file says its checksum is ${facts.checksumStored}, its bytes give ${facts.checksumComputed}`,
        );
      }
    } else facts.checksum = 'absent';
    facts.complete = true;
    facts.snapshotBytes = reader.offset;
    this.compareCounts();
    const trailing = countTrailing(reader, this.replicationMark);
    facts.trailingBytes = trailing.bytes;
    facts.trailingKind = trailing.kind;
    if (trailing.kind === 'unknown' || trailing.kind === 'another-snapshot') {
      this.problem('trailing-bytes', 'warning', `${trailing.bytes} bytes follow the end of the snapshot`);
    }
  }

  /** RESIZEDB is a hint, but a normal save's hint is exact. */
  private compareCounts(): void {
    for (const { db, keysAnnounced, keysRead, expiresAnnounced, expiresRead } of this.mutableFacts
      .databases) {
      if (keysAnnounced === UNKNOWN) continue;
      // KeyDB counts keys whose members expire among those with an expiry
      const expiresDiffer = this.mutableFacts.dialect !== 'keydb' && expiresAnnounced !== expiresRead;
      if (keysAnnounced === keysRead && !expiresDiffer) continue;
      this.problem(
        'count-mismatch',
        'warning',
        `db ${db} announces ${keysAnnounced} keys (${expiresAnnounced} with an expiry), ${keysRead} (${expiresRead}) were read`,
      );
    }
  }

  private setDialect(dialect: Dialect): void {
    const { mutableFacts: facts } = this;
    if (facts.dialect === dialect) return;
    facts.dialect = facts.product = dialect;
    this.types = valueTypeTable(dialect);
    this.opcodes = opcodeTable(dialect);
  }

  private unknown(byte: number, offset: number): RdbError {
    const { dialect, magic, keysRead } = this.mutableFacts;
    const code = byte >= LOWEST_OPCODE ? 'unknown-opcode' : 'unknown-value-type';
    const what = byte >= LOWEST_OPCODE ? 'an opcode' : 'a value type';
    return new RdbError(
      code,
      `byte ${byte} (0x${byte.toString(16)}) is ${what} that is not known for ${dialect} (${magic}); ${keysRead} keys were read before it`,
      { offset },
    );
  }

  private problem(
    code: ProblemCode,
    severity: 'info' | 'warning' | 'error',
    text: string,
    offset = this.reader.offset,
  ): void {
    const record = this.mutableRecord;
    this.mutableFacts.addProblem({
      code,
      severity,
      text,
      offset,
      db: record.db,
      key: this.inKey ? keyStartOf(record) : undefined,
    });
  }

  /** The one place that adds what the decoder knows to a fault: database, key, what was read. */
  private located(error: unknown): unknown {
    if (!(error instanceof RdbError)) return error;
    const { mutableFacts: facts, mutableRecord: record } = this;
    facts.snapshotBytes = this.reader.offset;
    if (facts.rdbVersion === 0) return error;
    if (!this.inKey) return error.within({ db: record.db });
    return error.within({
      db: record.db,
      key: keyOf(record),
      reading: `${record.dataType} (${record.typeName})`,
    });
  }
}

/** A copy of the key's bytes. */
export function keyOf(record: KeyRecord): Uint8Array {
  return record.keyBuffer.slice(record.keyStart, record.keyStart + record.keyLength);
}

/** Hundreds of problems are kept, and a key may have megabytes. */
const PROBLEM_KEY_BYTES = 1024;

function keyStartOf({ keyBuffer, keyStart, keyLength }: KeyRecord): Uint8Array {
  return keyBuffer.slice(keyStart, keyStart + Math.min(keyLength, PROBLEM_KEY_BYTES));
}

const MEMBER_EXPIRY_KEY = 'keydb-subexpire-key';
const MEMBER_EXPIRY_WHEN = 'keydb-subexpire-when';

/** Types grow up from 0, opcodes down from 255; nothing known stands between. */
const LOWEST_OPCODE = 200;

/** Opcodes that say something of the next key: its record starts with them. */
function belongsToKey(byte: number): boolean {
  return (byte >= 248 && byte <= 253 && byte !== 250 && byte !== 251) || byte === 243 || byte === 220;
}

function looksLikeMagic(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes);
  return 'REDIS'.startsWith(text.slice(0, 5)) || 'VALKEY'.startsWith(text.slice(0, 6));
}

function notRdb(bytes: Uint8Array): RdbError {
  const hex = Buffer.from(bytes)
    .toString('hex')
    .replace(/(..)(?=.)/g, '$1 ');
  return new RdbError('not-rdb', `the input does not start like an RDB file: ${hex}`, { offset: 0 });
}
