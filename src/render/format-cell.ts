import { printableBytes, printableText } from '../rdb-parser/printable.js';
import type { Cell, ColumnKind, Sentence, ValuePart } from '../report/document.js';

/** How "unknown" and "does not apply" are shown. */
export const MISSING = '–';

/**
 * A value as people read it: `1.23 GB`, `3 d 4 h`, `41.2 %`. The one place where a number becomes text; no control
 * character comes out of it, whatever the cell holds.
 */
export function formatCell(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return MISSING;
  if (typeof cell === 'object') return printableBytes(Buffer.from(cell.hex, 'hex'));
  switch (kind) {
    case 'key':
      return printableText(String(cell));
    case 'prefix':
    case 'label':
    case 'text':
      return visibleText(String(cell));
    default: {
      const number = Number(cell);
      if (Number.isNaN(number)) return visibleText(String(cell));
      return formatNumber(number, String(cell), kind);
    }
  }
}

/** A sentence as people read it. */
export function formatSentence(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === 'string' ? part : formatPart(part))).join('');
}

/** A value inside a sentence, with its noun; an instant says that it is UTC. */
export function formatPart({ kind, value, noun }: ValuePart): string {
  const text = kind === 'ms' && value !== null ? `${formatCell(value, kind)} UTC` : formatCell(value, kind);
  return noun === undefined ? text : `${text} ${counted(noun, value)}`;
}

/** Text made safe to print, its backslashes kept: for what is printable already, or no key. */
export function visibleText(text: string): string {
  return text.includes('\\') ? text.split('\\').map(printableText).join('\\') : printableText(text);
}

type NumericKind = Exclude<ColumnKind, 'key' | 'prefix' | 'label' | 'text'>;

function formatNumber(number: number, text: string, kind: NumericKind): string {
  switch (kind) {
    case 'count':
      return /^-?\d+$/.test(text) ? grouped(text) : formatPlain(number);
    case 'bytes':
      return formatBytes(number);
    case 'binary_bytes':
      return formatBinaryBytes(number);
    case 'ratio':
      return formatShare(number);
    case 'ms':
      return formatInstant(number, text);
    case 'local_ms':
      return formatLocalInstant(number, text);
    case 'duration_ms':
      return formatDuration(number);
    case 'seconds':
      return formatDuration(number * 1000);
    case 'number':
      return /^-?\d+$/.test(text) ? text : formatPlain(number);
    case 'flag':
      return number === 0 ? 'no' : 'yes';
    default:
      return kind satisfies never;
  }
}

/** Three figures, decimal units: `999 B`, `1.00 KB`, `12.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = Math.abs(bytes);
  if (value < 999.5) return `${Math.round(bytes)} B`;
  let unit = -1;
  do {
    value /= 1000;
    unit++;
  } while (value >= 999.5 && unit < BYTE_UNITS.length - 1);
  return `${bytes < 0 ? '-' : ''}${threeFigures(value)} ${BYTE_UNITS[unit]}`;
}

const BYTE_UNITS = ['KB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** Powers of 1,024, for borders that are powers of two: `512 B`, `64 KiB`, `1.50 MiB`. */
function formatBinaryBytes(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log2(Math.max(Math.abs(bytes), 1)) / 10), BYTE_UNITS.length);
  if (unit === 0) return `${Math.round(bytes)} B`;
  const value = bytes / 1024 ** unit;
  return `${Number.isInteger(value) ? value : value.toFixed(2)} ${BYTE_UNITS[unit - 1]!.replace('B', 'iB')}`;
}

/** One decimal; a share that is there is never shown as nothing, one that is not all never as all. */
export function formatShare(ratio: number): string {
  if (ratio > 0 && ratio < 0.0005) return '<0.1 %';
  if (ratio < 0 && ratio > -0.0005) return '>-0.1 %';
  if (ratio < 1 && ratio >= 0.9995) return '>99.9 %';
  return `${(ratio * 100).toFixed(1)} %`;
}

/** Two units at most: `350 ms`, `12 s`, `3 d 4 h`; negative for what is past, `<1 ms` for what is shorter. */
export function formatDuration(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '';
  const rest = Math.abs(milliseconds);
  if (rest > 0 && rest < 1) return '<1 ms';
  if (rest < 1000) return `${sign}${Math.round(rest)} ms`;
  const largest = DURATION_UNITS.findIndex(([, size]) => rest >= size);
  const [name, size] = DURATION_UNITS[largest]!;
  const whole = Math.floor(rest / size);
  const next = DURATION_UNITS[largest + 1];
  const part = next === undefined || whole >= 100 ? 0 : Math.floor((rest - whole * size) / next[1]);
  return `${sign}${grouped(String(whole))} ${name}${next === undefined || part === 0 ? '' : ` ${part} ${next[0]}`}`;
}

const DURATION_UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['y', 365 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** ECMAScript's own range of instants, ±8.64e15 ms. */
const LAST_INSTANT_MS = 8.64e15;

/** `2026-11-29 03:00:12`, with milliseconds where there are any; raw beyond what a calendar holds. */
function formatInstant(ms: number, text: string): string {
  if (Math.abs(ms) > LAST_INSTANT_MS) return `${grouped(text)} ms`;
  const iso = new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
  return iso.replace(/^[+-]0*(?=\d{4,}-)/, iso.startsWith('-') ? '-' : '').replace(/\.000$/, '');
}

/** The same in the reader's zone, with its offset: `2026-11-29 04:00:12 +01:00`. */
function formatLocalInstant(ms: number, text: string): string {
  if (Math.abs(ms) > LAST_INSTANT_MS) return `${grouped(text)} ms`;
  const offset = -new Date(ms).getTimezoneOffset();
  const shifted = formatInstant(ms + offset * 60_000, text);
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${shifted} ${offset < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

/** Any number: whole ones grouped, others with three figures. */
function formatPlain(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return grouped(String(Math.round(value)));
  if (Math.abs(value) >= 1) return `${value < 0 ? '-' : ''}${threeFigures(Math.abs(value))}`;
  return String(Number(value.toPrecision(2)));
}

function threeFigures(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function counted(noun: string, value: Cell): string {
  if (value === 1) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
