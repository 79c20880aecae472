import type { Database } from 'better-sqlite3';
import { DistinctEstimate } from './distinct-estimate.js';
import { asBytes } from './function-arguments.js';
import { keyValue } from './key-value.js';
import { nameFaultMask, nameFaultText } from './name-faults.js';
import { hasWord, headBytes, repeatedSegment, segmentAt } from './pattern-segments.js';

/** Adds the SQL functions that judge names: what design rules ask of keys and prefixes. NULL for NULL. */
export function registerDesignFunctions(database: Database): void {
  const options = { deterministic: true } as const;
  database.function('name_faults', options, (key: unknown) => {
    const name = typeof key === 'string' ? key : asBytes(key);
    return name === null ? null : nameFaultText(nameFaultMask(name));
  });
  database.function('segment', options, (text: unknown, separators: unknown, place: unknown) =>
    text === null ? null : segmentAt(String(text), String(separators), Math.trunc(Number(place))),
  );
  database.function('repeated_segment', options, (prefix: unknown, separators: unknown) =>
    prefix === null ? null : repeatedSegment(String(prefix), String(separators)),
  );
  database.function('has_word', options, (text: unknown, words: unknown) =>
    text === null ? null : Number(hasWord(String(text), String(words))),
  );
  database.function('key_head', options, (key: unknown, separators: unknown, depth: unknown) => {
    const bytes = asBytes(key);
    return bytes === null ? null : keyValue(headBytes(bytes, String(separators), Number(depth)));
  });
  database.aggregate<DistinctEstimate>('approx_distinct', {
    start: () => new DistinctEstimate(),
    step: (estimate, value: unknown) => {
      const bytes = asBytes(value);
      if (bytes !== null) estimate.add(bytes);
    },
    result: (estimate) => estimate.value,
  });
}
