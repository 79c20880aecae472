// Decodes one hostile snapshot in a process of its own and prints, as JSON, what came out and how much memory it took.
//
//   node test/fuzz/hostile.mjs CASE WAY SCALE     after npm run build; WAY: plain, deep, check, visit; SCALE 1 is the full size
//   node test/fuzz/hostile.mjs --all              every case in every way at full size (minutes)
//
// Snapshots are made while they are read, so that none of their bytes is held here.
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryModel, profileFor } from '../../dist/memory/index.js';
import { Decoder, RdbError } from '../../dist/rdb-parser/index.js';
import { fileSource } from '../../dist/source/file-source.js';
import { KeyComparison } from '../../dist/verify/key-comparison.js';

const hex = (text) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const HEADER = Buffer.from('REDIS0014');
const END = hex('ff 0000000000000000');

/** LEN in its 5- or 9-byte form. */
function length(value) {
  const bytes = Buffer.alloc(9, 0x81);
  bytes.writeBigUInt64BE(BigInt(value), 1);
  return bytes;
}

/** A listpack of ones that compresses 88 to 1, as LZF: 0xf9 0x01 0x01 ... Returns stored bytes and inflated length. */
function bomb(runs) {
  // header (6 bytes) and the first element as literals, then copies of 264 bytes from distance 2, then the end mark
  const inflated = 6 + 2 + runs * 264 + 1;
  const head = Buffer.alloc(6);
  head.writeUInt32LE(inflated, 0);
  head.writeUInt16LE(0xffff, 4);
  const copies = Buffer.alloc(runs * 3);
  for (let i = 0; i < copies.length; i += 3) copies.set([0xe0, 0xff, 0x01], i);
  const stored = Buffer.concat([hex('07'), head, hex('0101'), copies, hex('00ff')]);
  return Buffer.concat([hex('c3'), length(stored.length), length(inflated), stored]);
}

/** Pieces of a snapshot, `count` of them made by `make`. */
function* many(count, make) {
  for (let i = 0; i < count; i++) yield make(i);
}

const key = (i) => {
  const bytes = Buffer.alloc(5, 4);
  bytes.writeUInt32BE(i, 1);
  return bytes;
};

/** Each: what it is at scale 1, and its pieces. */
const CASES = {
  /** Half a gigabyte of packed elements out of six megabytes. */
  *'lzf-bomb'(scale) {
    yield HEADER;
    yield* many(Math.ceil(100 * scale), (i) => Buffer.concat([hex('14'), key(i), bomb(20_000)]));
    yield END;
  },
  /** The same as strings. */
  *'lzf-strings'(scale) {
    yield HEADER;
    yield* many(Math.ceil(1000 * scale), (i) => Buffer.concat([hex('00'), key(i), bomb(2000)]));
    yield END;
  },
  *'empty-collections'(scale) {
    yield HEADER;
    yield* many(Math.ceil(1_000_000 * scale), (i) => Buffer.concat([hex('01'), key(i), hex('00')]));
    yield END;
  },
  *'aux-fields'(scale) {
    yield HEADER;
    yield* many(Math.ceil(100_000 * scale), (i) =>
      Buffer.concat([hex('fa'), key(i), hex('4400'), Buffer.alloc(1024, 0x61)]),
    );
    yield END;
  },
  *functions(scale) {
    yield HEADER;
    const source = Buffer.from(`#!lua name=${'n'.repeat(480)}\n`);
    yield* many(Math.ceil(200_000 * scale), () => Buffer.concat([hex('f5'), length(source.length), source]));
    yield END;
  },
  *databases(scale) {
    yield HEADER;
    yield* many(Math.ceil(1_000_000 * scale), (i) =>
      Buffer.concat([hex('fe'), length(i), hex('fb 01 00 00'), key(i), hex('01 76')]),
    );
    yield END;
  },
  *'long-list'(scale) {
    yield HEADER;
    const count = Math.ceil(100_000_000 * scale);
    yield Buffer.concat([hex('01'), key(0), length(count)]);
    yield* many(count / 50_000, () => Buffer.alloc(100_000, hex('0178')));
    yield END;
  },
  /** Nobody has so many members twice over: half of them are looked at, then a quarter. */
  *'large-set'(scale) {
    yield HEADER;
    const count = Math.ceil(5_000_000 * scale);
    yield Buffer.concat([hex('02'), key(0), length(count)]);
    yield* many(count, key);
    yield END;
  },
  *groups(scale) {
    yield HEADER;
    const count = Math.ceil(1_000_000 * scale);
    yield Buffer.concat([hex('0f'), key(0), hex('00 00 00 00'), length(count)]);
    yield* many(count, (i) => Buffer.concat([key(i), hex('00 00 00 00')]));
    yield END;
  },
  *'long-group-names'(scale) {
    yield HEADER;
    const count = Math.ceil(20_000 * scale);
    yield Buffer.concat([hex('0f'), key(0), hex('00 00 00 00'), length(count)]);
    const name = Buffer.concat([length(10_000), Buffer.alloc(10_000, 0x67)]);
    yield* many(count, () => Buffer.concat([name, hex('00 00 00 00')]));
    yield END;
  },
  *pending(scale) {
    yield HEADER;
    const count = Math.ceil(5_000_000 * scale);
    const id = (i) => Buffer.concat([Buffer.alloc(11), key(i)]);
    yield Buffer.concat([hex('0f'), key(0), hex('00 00 00 00 01 0167 00 00'), length(count)]);
    yield* many(count, (i) => Buffer.concat([id(i), Buffer.alloc(8), hex('01')]));
    yield Buffer.concat([hex('01 0163'), Buffer.alloc(8), length(count)]);
    yield* many(count, id);
    yield END;
  },
  *templates(scale) {
    yield HEADER;
    yield* many(Math.ceil(2 ** 20 * scale), (i) => Buffer.concat([hex('f2'), length(i), hex('01 0161')]));
    yield END;
  },
  /** Long keys, each with a problem of its own. */
  *'long-keys'(scale) {
    yield HEADER;
    const name = Buffer.alloc(16_000_000, 0x6b);
    for (let i = 0; i < Math.ceil(300 * scale); i++) {
      yield Buffer.concat([hex('03'), length(name.length)]);
      yield name;
      yield Buffer.concat([length(i + 1), Buffer.alloc(2 * (i + 1), hex('00fd'))]);
    }
    yield END;
  },
  *'many-keys'(scale) {
    yield HEADER;
    yield* many(Math.ceil(15_000_000 * scale), (i) => Buffer.concat([hex('00'), key(i), hex('0176')]));
    yield END;
  },
  /** Counts that go on where nothing is any more. */
  *'endless-counts'() {
    yield HEADER;
    yield Buffer.concat([
      hex('0f'),
      key(0),
      hex('00 00 00 00'),
      length(2 ** 50),
      hex('0167 00 00 00'),
      length(2 ** 50),
    ]);
  },
  *'endless-string'() {
    yield HEADER;
    yield Buffer.concat([hex('00'), key(0), length(2 ** 52)]);
  },
};

/** A source over pieces, made when they are asked for. */
function pieceSource(pieces) {
  let piece = Buffer.alloc(0);
  return {
    read(into, at) {
      let filled = 0;
      while (at + filled < into.length) {
        if (piece.length === 0) {
          const next = pieces.next();
          if (next.done) break;
          piece = next.value;
          continue;
        }
        const count = Math.min(piece.length, into.length - at - filled);
        into.set(piece.subarray(0, count), at + filled);
        piece = piece.subarray(count);
        filled += count;
      }
      return filled;
    },
    close() {},
  };
}

/** A string of a gigabyte in a file that takes no room. */
function sparseSource(scale) {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-hostile-'));
  const path = join(folder, 'sparse.rdb');
  const bytes = Math.ceil(2 ** 30 * scale);
  const head = Buffer.concat([HEADER, hex('00'), key(0), length(bytes)]);
  const file = openSync(path, 'w');
  writeSync(file, head, 0, head.length, 0);
  ftruncateSync(file, head.length + bytes);
  writeSync(file, END, 0, END.length, head.length + bytes);
  closeSync(file);
  const source = fileSource(path);
  rmSync(folder, { recursive: true });
  return source;
}

const touch = (part) => part?.bytes?.[0];
const VISITOR = {
  keepBytes: 256,
  item: touch,
  member: touch,
  scored: touch,
  pair: touch,
  listNode() {},
  streamNode() {},
  streamGroup: touch,
  streamConsumer: touch,
  arrayElement() {},
};

function run(name, way, scale) {
  const source = name === 'sparse-string' ? sparseSource(scale) : pieceSource(CASES[name](scale));
  const options = {
    deep: way === 'deep',
    check: way === 'check',
    ...(way === 'visit' ? { visitor: VISITOR } : {}),
  };
  const decoder = new Decoder(source, options);
  const comparison = way === 'check' ? new KeyComparison() : undefined;
  let error;
  try {
    decoder.readHeader();
    if (way !== 'check') decoder.meter = createMemoryModel(profileFor({ serverVersion: '7.2' }).profile);
    while (decoder.next()) comparison?.repeats(decoder.record);
  } catch (fault) {
    if (!(fault instanceof RdbError)) throw fault;
    error = fault.code;
  }
  const { keysRead, complete, problems } = decoder.facts;
  const { maxRSS, userCPUTime } = process.resourceUsage();
  return {
    name,
    way,
    keys: keysRead,
    complete,
    error,
    elements: decoder.record.elementCount,
    problems: problems
      .filter(({ severity }) => severity === 'error')
      .map(({ text }) => text)
      .slice(0, 3),
    comparedShare: comparison?.share,
    bytes: decoder.offset,
    rssBytes: maxRSS * 1024,
    cpuMs: Math.round(userCPUTime / 1000),
  };
}

const NAMES = [...Object.keys(CASES), 'sparse-string'];
const [name, way = 'plain', scale = '1'] = process.argv.slice(2);
if (name === '--all') {
  for (const each of NAMES) {
    for (const eachWay of ['plain', 'deep', 'check', 'visit']) {
      const said = JSON.parse(
        execFileSync(process.execPath, [fileURLToPath(import.meta.url), each, eachWay, scale], {
          encoding: 'utf8',
        }),
      );
      const rss = `${(said.rssBytes / 2 ** 20).toFixed(0)} MiB`;
      console.log(
        `${each} (${eachWay}): ${rss}, ${said.cpuMs} ms CPU for ${said.bytes} bytes, ${said.keys} keys${said.error === undefined ? '' : `, ${said.error}`}`,
      );
      if (said.rssBytes > 256 * 2 ** 20) {
        console.log('  MORE THAN 256 MiB');
        process.exitCode = 1;
      }
    }
  }
} else console.log(JSON.stringify(run(name, way, Number(scale))));
