import type { DataType, ListContainer, Packing } from '../rdb-parser/records.js';

/** An element's first bytes and its whole length. */
export interface ElementText {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** One of the longest elements: an item or member, or a hash's field with its value. */
export interface LongElement {
  /** Place among the elements as the file has them, from 0; an array's own index as text. */
  readonly index: number | string;
  readonly text: ElementText;
  readonly value: ElementText | undefined;
  readonly score: number | undefined;
  /** Absolute; undefined for none. */
  readonly expiresAtMs: number | undefined;
}

export interface NodeLayout {
  readonly index: number;
  readonly container: ListContainer;
  readonly bytes: number;
  /** Undefined where only a walk would tell. */
  readonly elements: number | undefined;
}

export interface StreamNodeLayout {
  /** `ms-seq` of its first entry. */
  readonly id: string;
  readonly bytes: number;
}

export interface GroupLayout {
  readonly name: ElementText;
  readonly lastId: string;
  readonly consumers: number;
  readonly pending: number;
  readonly oldestPendingMs: number | undefined;
}

export interface ConsumerLayout {
  readonly group: ElementText;
  readonly name: ElementText;
  readonly pending: number;
  readonly seenMs: number;
  readonly activeMs: number | undefined;
}

/** How one key lies in the file and would lie in memory. Undefined is unknown, or does not apply. */
export interface KeyLayout {
  readonly key: Uint8Array;
  /** Undefined when the key was read at an offset and nobody said the database. */
  readonly db: number | undefined;
  readonly type: DataType;
  readonly typeCode: number;
  readonly typeName: string;
  readonly moduleName: string | undefined;
  readonly encoding: string | undefined;
  readonly memoryBytes: number;
  readonly memoryProfile: string;
  readonly offset: number;
  readonly serializedBytes: number;
  readonly valueBytes: number;
  readonly elements: number | undefined;
  readonly payloadBytes: number | undefined;
  readonly longestBytes: number | undefined;
  readonly packing: Packing | undefined;
  readonly blobBytes: number | undefined;
  /** Exact, as text. */
  readonly expiresAtMs: string | undefined;
  readonly createdAtMs: number | undefined;
  readonly idleSeconds: number | undefined;
  readonly freq: number | undefined;
  readonly fieldsWithTtl: number | undefined;
  readonly firstFieldExpiryMs: number | undefined;
  readonly longest: readonly LongElement[];
  /** The fields that expire first. */
  readonly expiring: readonly LongElement[];
  readonly nodes: NodesLayout | undefined;
  readonly stream: StreamLayout | undefined;
}

/** A list's nodes. */
export interface NodesLayout {
  readonly count: number;
  readonly plain: number;
  readonly bytes: number;
  readonly smallestBytes: number;
  readonly largest: readonly NodeLayout[];
}

export interface StreamLayout {
  readonly nodes: number;
  readonly listpackBytes: number;
  readonly lastId: string;
  readonly groups: number;
  readonly consumers: number;
  readonly pending: number;
  readonly largestNodes: readonly StreamNodeLayout[];
  /** Those with the most pending entries. */
  readonly groupList: readonly GroupLayout[];
  readonly consumerList: readonly ConsumerLayout[];
}
