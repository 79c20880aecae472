import type { SnapshotFacts } from '../rdb-parser/records.js';

/** What the one who loads a file knows of it besides the decoder. */
export interface FileLoadInfo {
  /** As the user named it; `-` for a pipe. */
  readonly path: string;
  /** How the bytes came: plain, gzip, zstd, ... joined by +. */
  readonly container: string;
  /** undefined for a pipe. */
  readonly fileBytes: number | undefined;
  /** In words: server version, word size, allocator. */
  readonly memoryProfile: string;
  /** What the key tables take besides the keys, by db. */
  readonly keyspaceOverheadBytes: ReadonlyMap<number, number>;
  /** Keys whose memory figure stands for something that the file does not tell: a module's value. */
  readonly approximate: { readonly keys: number; readonly memoryBytes: number };
  /** Why reading stopped before the end; undefined when it did not. */
  readonly incompleteReason: string | undefined;
  readonly loadMs: number;
}

/** What was counted of one file's keys. */
export interface FileCounts {
  readonly keysRead: number;
  readonly keysWithExpiry: number;
  /** Keys past their time at the snapshot's; undefined when that is unknown. */
  readonly keysExpired: number | undefined;
  readonly keysAbsurdExpiry: number;
  /** 0 without one. */
  readonly firstAbsurdKeyId: number;
  readonly emptyKeys: number;
  /** Consumer groups that are not listed, for want of room. */
  readonly streamGroupsDropped: number;
}

/** Everything about one file that its row and the tables that hang on it say. */
export interface LoadedFile extends FileCounts {
  readonly id: number;
  readonly facts: SnapshotFacts;
  readonly info: FileLoadInfo;
  /** undefined when duplicates were not looked for. */
  readonly duplicates: DuplicateFacts | undefined;
}

/** Rows whose key came before in the same file and db. */
export interface DuplicateFacts {
  readonly count: number;
  /** `hashed`: there were too many to compare all keys, so the count rests on 64-bit hashes. */
  readonly check: 'exact' | 'hashed';
  /** The first row found to repeat another; 0 without one. */
  readonly firstRow: number;
}
