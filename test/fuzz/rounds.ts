import { createMemoryModel, profileFor } from '../../src/memory/index.js';
import { bytesSource, Decoder, type DecoderOptions, RdbError } from '../../src/rdb-parser/index.js';
import { seededRandom } from '../seeded.js';
import type { Specimen } from './corpus.js';
import { CountingMeter, CountingVisitor } from './counting.js';
import { mutant, type Pick } from './mutations.js';

/** Times that a byte may be looked at as a value's part: LZF makes at most 88 bytes of one (3 bytes give 264). */
const PARTS_PER_BYTE = 90;
/** CPU time that a snapshot of a few kilobytes may take, in microseconds; far more than any should. */
const MOST_CPU_US = 2_000_000;

/** A round's outcome that must not be. */
export class FuzzFault extends Error {
  override readonly name = 'FuzzFault';
}

/** Small, so that rounds are cheap; more than a piece that is looked at as a whole. */
const WINDOW_BYTES = 2 ** 17;

interface Way {
  readonly name: string;
  readonly options: DecoderOptions;
  readonly pieceBytes?: number;
  readonly meter?: 'counting' | 'memory';
}

const WAYS: readonly Way[] = [
  { name: 'plain', options: {} },
  { name: 'in small pieces', options: {}, pieceBytes: 3 },
  { name: 'deep', options: { deep: true } },
  { name: 'checked', options: { check: true } },
  { name: 'checked in small pieces', options: { check: true }, pieceBytes: 5 },
  { name: 'visited', options: { visitor: new CountingVisitor() } },
  { name: 'metered', options: {}, meter: 'counting' },
  { name: 'with a memory model', options: {}, meter: 'memory' },
];

/**
 * One mutant, gone through in every way.
 * @throws FuzzFault when anything but an RdbError comes out, or when it takes more work than its bytes justify
 */
export function fuzzRound(corpus: readonly Specimen[], seed: string): void {
  const random = seededRandom(seed);
  const pick: Pick = (below) => Math.floor(random() * below);
  const bytes = mutant(corpus, pick);
  for (const way of WAYS) goThrough(bytes, way, seed);
}

function goThrough(bytes: Uint8Array, way: Way, seed: string): void {
  const complain = (what: string, cause?: unknown): never => {
    throw new FuzzFault(`seed ${seed}, ${way.name}: ${what}\n${Buffer.from(bytes).toString('hex')}`, {
      cause,
    });
  };
  const visitor = way.options.visitor instanceof CountingVisitor ? way.options.visitor : undefined;
  if (visitor !== undefined) visitor.parts = 0;
  const meter = new CountingMeter();
  const before = process.cpuUsage();
  let keys = 0;
  try {
    const decoder = new Decoder(bytesSource(bytes, way.pieceBytes), {
      windowBytes: WINDOW_BYTES,
      ...way.options,
    });
    decoder.readHeader();
    const { product, serverVersion, rdbVersion } = decoder.facts;
    if (way.meter === 'counting') decoder.meter = meter;
    if (way.meter === 'memory') {
      decoder.meter = createMemoryModel(profileFor({ dialect: product, serverVersion, rdbVersion }).profile);
    }
    while (decoder.next()) keys++;
    if (!decoder.facts.complete) complain('it ended before its end');
    if (decoder.facts.keysRead !== keys) complain('it counts other keys than it gives');
  } catch (error) {
    if (error instanceof FuzzFault) throw error;
    if (!(error instanceof RdbError)) complain(`threw ${String(error)}`, error);
    else if (!Number.isSafeInteger(error.at.offset) || error.at.offset > bytes.length) {
      complain(`a fault at byte ${error.at.offset} of ${bytes.length}`, error);
    }
  }
  const { user } = process.cpuUsage(before);
  const parts = meter.parts + (visitor?.parts ?? 0);
  if (parts > PARTS_PER_BYTE * bytes.length) complain(`${parts} parts in ${bytes.length} bytes`);
  if (user > MOST_CPU_US) complain(`${user} µs for ${bytes.length} bytes`);
}
