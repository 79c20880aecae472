import { readFileSync } from 'node:fs';
import type { ChecksumExports } from '../rdb-parser/crc64.js';

/** What assembly/key-core.ts and its neighbours export; flags are 0 or 1, addresses are bytes in `memory`. */
export interface KeyCoreExports extends ChecksumExports {
  readonly KEY_BYTES: WebAssembly.Global;
  init(
    nodeCapacity: number,
    types: number,
    totalsCells: number,
    nodeLimit: number,
    childLimit: number,
    depthLimit: number,
    treeSeed: bigint,
    hashSeed: bigint,
    pageBufferBytes: number,
    windowBytes: number,
    expiryPlaces: number,
    nearSeconds: number,
    earliestExpiryMs: number,
    hashBytes: number,
    distinctHashes: number,
  ): void;
  reserveRules(bytes: number): number;
  useRules(
    rules: number,
    ruleCount: number,
    ranges: number,
    rangeClasses: number,
    rangeCount: number,
    asciiClasses: number,
    classCount: number,
    transitions: number,
    finals: number,
    scopes: number,
    scopeCount: number,
  ): void;
  addSeparator(byte: number): void;
  keyAddress(): number;
  pagesAddress(): number;
  windowAddress(): number;
  factsAddress(): number;
  takeKey(
    address: number,
    length: number,
    salt: number,
    type: number,
    hasExpiry: number,
    expired: number,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
  ): number;
  loadKey(
    address: number,
    length: number,
    salt: number,
    type: number,
    hasExpiry: number,
    expired: number,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
    largestElement: number,
    totalsCell: number,
    row: number,
    keepsHash: number,
  ): number;
  readonly MAX_KEY_BYTES: WebAssembly.Global;
  headsAddress(): number;
  readonly skimmedTo: WebAssembly.Global;
  lengthCountsAddress(): number;
  pairCountsAddress(): number;
  skim(from: number, end: number, most: number, behind: number): number;
  skimPairs(from: number, end: number, most: number): number;
  elementCostsAddress(table: number): number;
  forgetTable(table: number): void;
  setTable(
    table: number,
    surelyFrom: number,
    surelyWithTextFrom: number,
    ownBytes: number,
    sampled: number,
  ): void;
  setTableCount(table: number, count: number, fixedBytes: number, entriesBytes: number): void;
  setRunType(typeCode: number, form: number, keptUpTo: number): void;
  startRunFile(file: number, jointBelow: number, widestInteger: number): void;
  startRunDatabase(
    db: number,
    salt: number,
    createdAtMs: number,
    earliestExpiryMs: number,
    latestExpiryMs: number,
    hashedRows: number,
    contentFromBytes: number,
  ): void;
  tellShape(
    typeCode: number,
    hasExpiry: number,
    keyBytes: number,
    valueBytes: number,
    integer: number,
    isText: number,
    memoryBytes: number,
    headBytes: number,
    kind: number,
    type: number,
    totalsCell: number,
  ): void;
  readonly MAX_TABLED_BYTES: WebAssembly.Global;
  usableBytesAddress(): number;
  tellBlock(
    typeCode: number,
    fromBytes: number,
    lengths: number,
    ownBytes: number,
    extraBytes: number,
    isUsable: number,
    kind: number,
    type: number,
    totalsCell: number,
  ): void;
  setStreamCosts(
    wordBytes: number,
    countsUsableBytes: number,
    own: number,
    tree: number,
    treeKey: number,
    treeNodeBytes: number,
    hasGroups: number,
    group: number,
    consumer: number,
    pendingEntry: number,
  ): void;
  streamGroupsAddress(): number;
  tellStreams(kind: number, type: number, totalsCell: number): void;
  tellTable(table: number, kind: number, type: number, totalsCell: number): void;
  takeRun(from: number, end: number, fileOffset: number, row: number): void;
  outcomeAddress(): number;
  startExpiries(createdAtMs: number): void;
  countExpiry(expiresAtMs: number, memoryBytes: number): void;
  countWaiting(): void;
  readonly MOST_ROWS: WebAssembly.Global;
  layOutNear(): number;
  layOutFarNumbers(): number;
  layOutFar(): number;
  countSpans(factor: number): number;
  joinBuckets(factor: number, leastKeys: number, most: number): number;
  expiryBucketsAddress(): number;
  expiryRowsAddress(): number;
  contentsAddress(): number;
  slotsAddress(): number;
  slotsUsed(): number;
  sizesAddress(): number;
  totalsAddress(): number;
  ranksAddress(): number;
  rankCountsAddress(): number;
  forgetHashes(): void;
  takeDown(part: number): number;
  startSearch(part: number, keysPutDown: number): void;
  broughtAddress(): number;
  searchBrought(chunkCount: number): void;
  searchKept(part: number): void;
  repeatCount(): number;
  pairsAddress(): number;
  sawAllHashes(): number;
  startReading(address: number, length: number): void;
  readSegment(): void;

  nodesAddress(): number;
  arenaAddress(): number;
  cellsAddress(): number;
  nodeCount(): number;
  find(parent: number, separator: number, address: number, length: number): number;
  attach(node: number, parent: number): void;
  createRest(parent: number, separator: number): number;
  addNode(from: number, to: number): void;

  startPage(address: number, bytes: number): void;
  movePage(address: number): void;
  pageContent(): number;
  pageCells(): number;
  reserveCell(bytes: number): number;
  encodeRow(
    rowId: number,
    isText: number,
    kind: number,
    db: number,
    file: number,
    prefix: number,
    slot: number,
    elements: number,
    memoryBytes: number,
    serializedBytes: number,
    fileOffset: number,
    payloadBytes: number,
    largestElement: number,
    hasExpiry: number,
    expiresAt: number,
    idleSeconds: number,
    freq: number,
    fieldsWithTtl: number,
    firstFieldExpiry: number,
  ): number;
  encodeStreamRow(
    rowId: number,
    isText: number,
    kind: number,
    db: number,
    file: number,
    prefix: number,
    slot: number,
    elements: number,
    memoryBytes: number,
    serializedBytes: number,
    fileOffset: number,
    payloadBytes: number,
    largestElement: number,
    hasExpiry: number,
    expiresAt: number,
    idleSeconds: number,
    freq: number,
    fieldsWithTtl: number,
    firstFieldExpiry: number,
    nodes: number,
    groups: number,
    consumers: number,
    pending: number,
    oldestPendingMs: number,
    lastMs: bigint,
    lastSeq: bigint,
  ): number;
}

let compiled: WebAssembly.Module | undefined;

/** A core of its own, with memory of its own. */
export function instantiateKeyCore(): KeyCoreExports {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./key-core.wasm', import.meta.url)));
  return new WebAssembly.Instance(compiled, {}).exports as KeyCoreExports;
}
