import { UNKNOWN } from '../rdb-parser/records.js';
import type { ModelledKey } from './key-sample.js';

/** What the server says of one key: undefined where it has no such key or no answer. */
export interface ServerAnswer {
  readonly memoryBytes: number | undefined;
  readonly encoding: string | undefined;
}

/** How the figures of one type and encoding came out. */
export interface KindErrors {
  readonly type: string;
  /** As modelled; undefined where the model has none. */
  readonly encoding: string | undefined;
  /** Keys for which the server gave a figure. */
  keys: number;
  exact: number;
  within1Percent: number;
  modelledBytes: number;
  serverBytes: number;
  otherEncodings: number;
  /** Keys that the server does not have. */
  missing: number;
  /** The largest error, as a share of the server's figure. */
  worst: number;
}

/** A key that came out differently. */
export interface KeyError extends ModelledKey {
  readonly serverBytes: number;
  readonly serverEncoding: string | undefined;
}

/** Keys told one by one. */
const LISTED = 100;

/** Gathers how far the modelled figures are from a server's. */
export class ErrorTable {
  private readonly byKind = new Map<string, KindErrors>();
  private readonly wrong = new KeptKeys();
  private readonly misencoded = new KeptKeys();

  add(key: ModelledKey, answer: ServerAnswer): void {
    const row = this.kindOf(key);
    const { memoryBytes: serverBytes, encoding: serverEncoding } = answer;
    if (serverBytes === undefined) {
      row.missing++;
      return;
    }
    const error = shareOf(key.memoryBytes, serverBytes);
    row.keys++;
    row.modelledBytes += key.memoryBytes;
    row.serverBytes += serverBytes;
    if (key.memoryBytes === serverBytes) row.exact++;
    if (error <= 0.01) row.within1Percent++;
    if (error > row.worst) row.worst = error;
    if (error > 0) this.wrong.add({ ...key, serverBytes, serverEncoding });
    if (serverEncoding === undefined || serverEncoding === key.encoding) return;
    row.otherEncodings++;
    this.misencoded.add({ ...key, serverBytes, serverEncoding });
  }

  /** By memory. */
  rows(): readonly KindErrors[] {
    return [...this.byKind.values()].sort(
      (a, b) =>
        b.serverBytes - a.serverBytes || (nameOf(a.type, a.encoding) < nameOf(b.type, b.encoding) ? -1 : 1),
    );
  }

  /** The keys that are furthest from the server's figure, worst first. */
  worstKeys(): readonly KeyError[] {
    return this.wrong.keys();
  }

  /** Keys for which the server tells another encoding. */
  otherEncodings(): readonly KeyError[] {
    return this.misencoded.keys();
  }

  private kindOf({ type, encoding }: ModelledKey): KindErrors {
    const name = nameOf(type, encoding);
    const known = this.byKind.get(name);
    if (known !== undefined) return known;
    const zero = { keys: 0, exact: 0, within1Percent: 0, modelledBytes: 0, serverBytes: 0 };
    const row: KindErrors = { type, encoding, ...zero, otherEncodings: 0, missing: 0, worst: 0 };
    this.byKind.set(name, row);
    return row;
  }
}

/** The worst of the keys it is given. */
class KeptKeys {
  private kept: KeyError[] = [];

  add(key: KeyError): void {
    this.kept.push(key);
    if (this.kept.length > 2 * LISTED) this.kept = [...this.keys()];
  }

  keys(): readonly KeyError[] {
    return this.kept.sort(worseFirst).slice(0, LISTED);
  }
}

/** All kinds together. */
export function totalErrors(rows: readonly KindErrors[]): KindErrors {
  const sum = (of: (row: KindErrors) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    type: 'all',
    encoding: undefined,
    keys: sum((row) => row.keys),
    exact: sum((row) => row.exact),
    within1Percent: sum((row) => row.within1Percent),
    modelledBytes: sum((row) => row.modelledBytes),
    serverBytes: sum((row) => row.serverBytes),
    otherEncodings: sum((row) => row.otherEncodings),
    missing: sum((row) => row.missing),
    worst: rows.reduce((worst, row) => Math.max(worst, row.worst), 0),
  };
}

/** The distance of two figures as a share of the second. */
export function shareOf(modelledBytes: number, serverBytes: number): number {
  if (modelledBytes === serverBytes) return 0;
  return serverBytes === 0 ? Number.POSITIVE_INFINITY : Math.abs(modelledBytes - serverBytes) / serverBytes;
}

/** Elements where they are known. */
export function knownElements({ elements }: ModelledKey): number | null {
  return elements === UNKNOWN ? null : elements;
}

function worseFirst(a: KeyError, b: KeyError): number {
  return (
    shareOf(b.memoryBytes, b.serverBytes) - shareOf(a.memoryBytes, a.serverBytes) ||
    b.serverBytes - a.serverBytes ||
    a.db - b.db ||
    Buffer.compare(a.key, b.key)
  );
}

function nameOf(type: string, encoding: string | undefined): string {
  return `${type} ${encoding ?? ''}`;
}
