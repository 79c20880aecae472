import { basename } from 'node:path';
import type { LoadProgress } from '../load.js';
import { formatBytes, formatCell, formatShare, visibleText } from '../render/format-cell.js';
import { bar, cutMiddle, textWidth } from '../render/text-width.js';
import type { CliOutput } from './context.js';

/**
 * One line on a terminal that is drawn again and again: bytes, keys, rates, time left. Where there is no terminal
 * nothing is written.
 */
export class ProgressLine {
  readonly #output: CliOutput;
  #shown = false;

  constructor(output: CliOutput) {
    this.#output = output;
  }

  readonly update = (progress: LoadProgress): void => {
    if (!this.#output.isTerminal) return;
    this.#shown = true;
    // Progress is no result: an error of the stream must not end the work.
    this.#output.write(`\r${progressText(progress, this.#output.columns ?? 80)}\u001b[K`).catch(() => {});
  };

  /** Takes the line away. */
  async clear(): Promise<void> {
    if (this.#shown) await this.#output.write('\r\u001b[K');
    this.#shown = false;
  }
}

/** The line, at most one column less than the terminal has; what matters least goes first. */
export function progressText(progress: LoadProgress, columns: number): string {
  const { input, fileNumber, files, bytesRead, totalBytes, keys, elapsedMs } = progress;
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const name = cutMiddle(visibleText(input === '-' ? 'standard input' : basename(input)), 24);
  const label = files > 1 ? `Loading ${name} (${fileNumber}/${files})` : `Loading ${name}`;
  const share =
    totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytesRead / totalBytes);
  const size =
    totalBytes === undefined
      ? formatBytes(bytesRead)
      : `${formatBytes(bytesRead)}/${formatBytes(totalBytes)}`;
  const parts = [
    label,
    ...(share === undefined ? [] : [bar(share, 20), formatShare(share).replace(/\.\d /, ' ')]),
    size,
    `${compact(keys)} keys`,
    `${compact(keys / seconds)} keys/s`,
    `${formatBytes(bytesRead / seconds)}/s`,
    ...(share === undefined || share === 0 || share === 1
      ? []
      : [`ETA ${clock((seconds * (1 - share)) / share)}`]),
  ];
  // What goes first when the terminal is narrow: the rate in bytes, the bar, the rate in keys.
  const dispensable = [parts.length - 2 - (parts.at(-1)!.startsWith('ETA') ? 0 : -1), 1];
  for (const index of dispensable) {
    if (textWidth(parts.join('  ')) < columns) break;
    parts[index] = '';
  }
  const line = parts.filter((part) => part !== '').join('  ');
  return textWidth(line) < columns ? line : cutMiddle(line, columns - 1);
}

function compact(value: number): string {
  if (value < 10_000) return formatCell(Math.round(value), 'count');
  return value < 999_500
    ? `${Math.round(value / 1000)} k`
    : `${(value / 1e6).toFixed(value < 99.5e6 ? 1 : 0)} M`;
}

/** `0:06`, `12:30`, `1:02:03`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
