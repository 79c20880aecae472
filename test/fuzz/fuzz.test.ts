import { afterAll, expect, it } from 'vitest';
import { readCorpus } from './corpus.js';
import { fuzzRound } from './rounds.js';
import { startWatchdog } from './watchdog.js';

/** A bounded run, the same each time; `npm run fuzz` goes on with other seeds. */
const ROUNDS = 1200;

const corpus = readCorpus(new URL('../../fixtures/', import.meta.url));
const watchdog = startWatchdog();
afterAll(watchdog.stop);

it('has a corpus of every fixture', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(40);
});

it(`survives ${ROUNDS} damaged snapshots, with nothing but located errors`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const seed = `bounded ${round}`;
    watchdog.beat(seed);
    fuzzRound(corpus, seed);
  }
});
