import { type ChildProcess, fork } from 'node:child_process';
import { openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMemoryModel, type MemoryModel, profileFor } from '../../src/memory/index.js';
import { bytesSource, Decoder, RdbError } from '../../src/rdb-parser/index.js';

/*
 * What memory models add to decoding: `decode-rounds.js PATH ROUNDS SERVER...` prints CPU seconds as JSON.
 *
 * Processes, some for each server and some without a model, hold the snapshot's start in memory and decode it in turn, a
 * tenth of a second each, so that whatever else the machine does falls on all of them. Of each process the least of its
 * rounds counts, and of a server's processes the one in the middle.
 */

const START_BYTES = 60e6;
/** Processes for each server: what the compiler inlines differs from process to process. */
const PROCESSES = 3;
/** The first rounds are slower: the code is not optimised yet. */
const WARM_UP = 3;
const ALONE = 'none';

const [path = '', roundsText = '', ...servers] = process.argv.slice(2);
if (process.send === undefined) {
  const seconds = await compare(path, Number(roundsText), [ALONE, ...servers]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(seconds))}\n`);
} else serve(path, servers[0] ?? ALONE);

async function compare(
  snapshot: string,
  rounds: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const children: { readonly name: string; readonly child: ChildProcess; least: number }[] = [];
  for (let process = 0; process < PROCESSES; process++) {
    for (const name of names) {
      children.push({ name, child: await startChild(snapshot, name), least: Number.POSITIVE_INFINITY });
    }
  }
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const each of children) {
      const seconds = await decodeIn(each.child);
      if (round >= WARM_UP) each.least = Math.min(each.least, seconds);
    }
  }
  for (const { child } of children) child.disconnect();
  return new Map(
    names.map((name) => {
      const sorted = children.filter((each) => each.name === name).map(({ least }) => least);
      return [name, sorted.sort((a, b) => a - b)[PROCESSES >> 1]!];
    }),
  );
}

function startChild(snapshot: string, server: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), [snapshot, '', server]);
  return new Promise((resolve) => child.once('message', () => resolve(child)));
}

function decodeIn(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (seconds: number) => resolve(seconds));
    child.send('decode');
  });
}

function serve(snapshot: string, server: string): void {
  const bytes = Buffer.alloc(START_BYTES);
  const read = readSync(openSync(snapshot, 'r'), bytes, 0, bytes.length, 0);
  const start = bytes.subarray(0, read);
  process.on('message', () => {
    const before = process.cpuUsage();
    decode(start, server);
    const { user, system } = process.cpuUsage(before);
    process.send?.((user + system) / 1e6);
  });
  process.send?.('ready');
}

function decode(bytes: Uint8Array, server: string): void {
  const decoder = new Decoder(bytesSource(bytes));
  decoder.readHeader();
  if (server !== ALONE) decoder.meter = modelOf(server, decoder);
  try {
    while (decoder.next()) {
      // The decoder's work alone is measured.
    }
  } catch (error) {
    if (!(error instanceof RdbError)) throw error; // the start of a snapshot ends in the middle of a key
  }
}

function modelOf(server: string, { facts }: Decoder): MemoryModel {
  const serverVersion = server === 'own' ? facts.serverVersion : server;
  return createMemoryModel(profileFor({ dialect: facts.product, serverVersion }).profile);
}
