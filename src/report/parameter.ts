import type { ParameterDefinition, ParameterValue } from './definition.js';

/** Bound for `limit` 0: more rows than SQLite can hold in practice. */
export const NO_LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * A parameter's text as the value that is bound: `10MB`, `30d`, `2 %` are understood where the kind allows.
 * @throws Error with one sentence when the text is none of its kind
 */
export function parseParameter(
  definition: Pick<ParameterDefinition, 'name' | 'kind' | 'choices'>,
  text: string,
): ParameterValue {
  const { name, kind, choices } = definition;
  const trimmed = text.trim();
  switch (kind) {
    case 'text':
      return text;
    case 'choice':
      if (choices.includes(trimmed)) return trimmed;
      throw new Error(`${name} is one of ${choices.join(', ')}, not "${text}"`);
    case 'limit': {
      const limit = wholeNumber(name, trimmed, 'a number of rows, 0 for all');
      return limit === 0n ? NO_LIMIT : limit;
    }
    case 'count':
      return wholeNumber(name, trimmed, 'a whole number');
    case 'bytes':
      return scaled(name, trimmed, BYTE_UNITS, 'a size such as 500, 10KB, 1.5GB');
    case 'seconds':
      return scaled(name, trimmed, SECOND_UNITS, 'a time such as 90, 15min, 30d');
    case 'duration_ms':
      return scaled(name, trimmed, MILLISECOND_UNITS, 'a time such as 500ms, 90s, 30d');
    case 'ratio': {
      const percent = trimmed.endsWith('%');
      const number = decimal(
        name,
        percent ? trimmed.slice(0, -1).trim() : trimmed,
        'a share such as 0.02 or 2%',
      );
      return percent ? number / 100 : number;
    }
    case 'number':
      return decimal(name, trimmed, 'a number');
    default:
      return kind satisfies never;
  }
}

// Decimal units, as sizes are printed, and the binary ones of histogram borders.
const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const SECOND_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  min: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};
const MILLISECOND_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1e3,
  min: 60e3,
  h: 3600e3,
  d: 86_400e3,
  w: 604_800e3,
};

function wholeNumber(name: string, text: string, wanted: string): bigint {
  if (/^\d{1,15}$/.test(text)) return BigInt(text);
  throw new Error(`${name} is ${wanted}, not "${text}"`);
}

function decimal(name: string, text: string, wanted: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`${name} is ${wanted}, not "${text}"`);
}

function scaled(name: string, text: string, units: Readonly<Record<string, number>>, wanted: string): bigint {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  const unit = match === null ? undefined : units[match[2]!.toLowerCase()];
  if (match === null || unit === undefined) throw new Error(`${name} is ${wanted}, not "${text}"`);
  const value = Math.round(Number(match[1]) * unit);
  if (!Number.isSafeInteger(value))
    throw new Error(`${name} is ${wanted}, not "${text}", which is too large`);
  return BigInt(value);
}
