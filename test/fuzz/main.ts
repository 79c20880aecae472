import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCorpus } from './corpus.js';
import { fuzzRound } from './rounds.js';
import { startWatchdog } from './watchdog.js';

const USAGE = `npm run fuzz -- [options]

Damages snapshots and decodes them in every way, until something comes out that must not; then decodes
the snapshots of hostile.mjs at their full size.

  --seconds N     how long (600)
  --seed TEXT     one round with this seed, to see a fault again
  --rounds-only   without the hostile snapshots, which take minutes
`;

/** What the whole process may take, decoding the worst there is. */
const MOST_BYTES = 256 * 2 ** 20;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    'rounds-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else if (values.seed !== undefined) {
  fuzzRound(readCorpus(fixtures()), values.seed);
  console.log(`seed ${values.seed}: no fault`);
} else {
  fuzz(Number(values.seconds));
  if (!values['rounds-only']) {
    const hostile = fileURLToPath(new URL('../../../test/fuzz/hostile.mjs', import.meta.url));
    execFileSync(process.execPath, [hostile, '--all'], { stdio: 'inherit' });
  }
}

function fuzz(seconds: number): void {
  const corpus = readCorpus(fixtures());
  const watchdog = startWatchdog();
  const session = Date.now().toString(36);
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  for (; performance.now() < end; rounds++) {
    const seed = `${session} ${rounds}`;
    watchdog.beat(seed);
    fuzzRound(corpus, seed);
    const { rss } = process.memoryUsage();
    if (rounds % 256 === 0 && rss > MOST_BYTES) throw new Error(`seed ${seed}: ${rss} bytes of memory`);
  }
  console.log(`${rounds} rounds over ${corpus.length} snapshots, no fault (seeds "${session} 0" and on)`);
  void watchdog.stop();
}

/** The corpus, seen from the folder that this is compiled to. */
function fixtures(): URL {
  return new URL('../../../fixtures/', import.meta.url);
}
