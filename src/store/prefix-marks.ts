import { MISFITS, type Misfit } from '../memory/misfit.js';
import { COMPRESSED_KINDS, CONTENT_KINDS } from '../rdb-parser/content.js';
import { doubled } from './growing.js';

/** What keys may be marked with: what long strings hold, and what alone keeps a collection from being packed. */
const MARKS: readonly string[] = [...CONTENT_KINDS.map((kind) => `content:${kind}`), ...MISFITS];

/** Prefixes and marks told apart; what comes when there are more is counted at the root. */
const MAX_CELLS = 2 ** 16;
const ROOT = 0;

/** Numbers of a cell, in this order. */
const STRIDE = 7;

export interface PrefixMark {
  /** A node of the prefix tree as keys were told it: it may have become part of another. */
  readonly prefixId: number;
  readonly mark: string;
  /** 1 for contents that are compressed already. */
  readonly compressed: number;
  readonly keys: number;
  readonly memoryBytes: number;
  readonly serializedBytes: number;
  readonly payloadBytes: number;
  readonly elements: number;
  readonly firstKeyId: number;
  readonly lastKeyId: number;
}

/** Sums over keys that have something remarkable, by prefix: few keys have, and memory is bounded. */
export class PrefixMarks {
  private readonly cells = new Map<number, number>();
  private values = new Float64Array(64 * STRIDE);

  /** @param payloadBytes of the string, whose first bytes say what it holds */
  addContent(
    contentKind: number,
    prefixId: number,
    keyId: number,
    memoryBytes: number,
    serializedBytes: number,
    payloadBytes: number,
  ): void {
    this.add(contentKind, prefixId, keyId, memoryBytes, serializedBytes, payloadBytes, 1);
  }

  /** @param payloadBytes, elements 0 where they are not known */
  addMisfit(
    misfit: Misfit,
    prefixId: number,
    keyId: number,
    memoryBytes: number,
    serializedBytes: number,
    payloadBytes: number,
    elements: number,
  ): void {
    if (misfit === '') return;
    const mark = CONTENT_KINDS.length + MISFITS.indexOf(misfit);
    this.add(mark, prefixId, keyId, memoryBytes, serializedBytes, payloadBytes, elements);
  }

  *rows(): Generator<PrefixMark> {
    for (const [place, cell] of this.cells) {
      const at = cell * STRIDE;
      const mark = place % MARKS.length;
      const kind = CONTENT_KINDS[mark];
      yield {
        prefixId: Math.floor(place / MARKS.length),
        mark: MARKS[mark]!,
        compressed: kind !== undefined && COMPRESSED_KINDS.has(kind) ? 1 : 0,
        keys: this.values[at]!,
        memoryBytes: this.values[at + 1]!,
        serializedBytes: this.values[at + 2]!,
        payloadBytes: this.values[at + 3]!,
        elements: this.values[at + 4]!,
        firstKeyId: this.values[at + 5]!,
        lastKeyId: this.values[at + 6]!,
      };
    }
  }

  private add(
    mark: number,
    prefixId: number,
    keyId: number,
    memoryBytes: number,
    serializedBytes: number,
    payloadBytes: number,
    elements: number,
  ): void {
    const at = this.cellOf(prefixId * MARKS.length + mark, mark) * STRIDE;
    const values = this.values;
    values[at] = values[at]! + 1;
    values[at + 1] = values[at + 1]! + memoryBytes;
    values[at + 2] = values[at + 2]! + serializedBytes;
    values[at + 3] = values[at + 3]! + payloadBytes;
    values[at + 4] = values[at + 4]! + elements;
    if (values[at + 5] === 0) values[at + 5] = keyId;
    values[at + 6] = keyId;
  }

  private cellOf(place: number, mark: number): number {
    const known = this.cells.get(place);
    if (known !== undefined) return known;
    const atRoot = ROOT * MARKS.length + mark;
    if (this.cells.size >= MAX_CELLS && place !== atRoot) return this.cellOf(atRoot, mark);
    const cell = this.cells.size;
    this.cells.set(place, cell);
    if (this.values.length < (cell + 1) * STRIDE) this.values = doubled(this.values);
    return cell;
  }
}
