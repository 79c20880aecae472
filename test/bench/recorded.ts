import { readFileSync } from 'node:fs';

/** How much worse a ratio may get before the check fails: noise of shared machines stays below. */
const ALLOWED_WORSENING = 1.3;

export interface Verdict {
  readonly holds: boolean;
  readonly lines: readonly string[];
}

/** Holds ratios to redis-check-rdb of the same run against the recorded ones. */
export function checkAgainstRecorded(path: string, ratios: Readonly<Record<string, number>>): Verdict {
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
  const results = Object.entries(ratios).map(([name, ratio]) => {
    const before = recorded[name];
    if (before === undefined) throw new Error(`${path} has no figure for ${name}`);
    const holds = ratio <= before * ALLOWED_WORSENING;
    const verdict = holds ? 'holds' : 'is more than 30 % worse';
    return {
      holds,
      line: `${name}: ${ratio.toFixed(2)} of redis-check-rdb, recorded ${before.toFixed(2)}: ${verdict}`,
    };
  });
  return { holds: results.every(({ holds }) => holds), lines: results.map(({ line }) => line) };
}
