import type { BlockCosts, Encoding, MemoryModel, TableCosts } from '../memory/index.js';
import { MutableKeyRecord } from '../rdb-parser/key-record.js';
import { type DataType, INTEGER_CLASS, type IntegerClass, UNKNOWN } from '../rdb-parser/records.js';
import type { ValueLayout, ValueType } from '../rdb-parser/value-context.js';
import { BlockFigures, type CoreKind } from './block-figures.js';
import type { KeyCore } from './key-core.js';
import type { KeyKinds } from './key-kinds.js';
import type { Totals } from './totals.js';

/** A key whose figure the core does not know; fields as in assembly/plain-record.ts. */
export interface UntoldKey {
  /** Of a plain collection: its table in the core; NO_TABLE for all else. */
  readonly table: number;
  readonly elements: number;
  readonly typeCode: number;
  readonly keyBytes: number;
  readonly hasExpiry: boolean;
  /** Length of the string that the value is, or has as its only node. */
  readonly valueBytes: number;
  /** 0, or how wide the integer is that a string spells: 1 for up to 32 bits, 2 for more. */
  readonly integerWidth: number;
}

/** Also in assembly/record-run.ts. */
const NO_TABLE = -1;

/** Tables that the core knows, in its order; also in assembly/elements.ts. */
const TABLES: readonly { readonly holds: ValueLayout['holds']; readonly dataType: DataType }[] = [
  { holds: 'members', dataType: 'set' },
  { holds: 'scored', dataType: 'zset' },
  { holds: 'pairs', dataType: 'hash' },
];

/** Longest element, and longest field or value, whose cost the core is told. Also in assembly/elements.ts. */
const LONGEST_ELEMENT = 1024;
const LONGEST_IN_PAIR = 63;

/** No collection that the core takes has so many elements: the core counts in 32 bits. */
const NEVER = 2 ** 31 - 1;

/** An expiring key's place is so far behind that of one that does not. Also in assembly/shapes.ts. */
const HEADS = 1024;

/** In place of a kind: such keys are the decoder's. Also in assembly/shapes.ts. */
const LEFT_KIND = 0;
/** The core has no room for kinds beyond. */
const MAX_KIND = 255;
const NO_KIND: CoreKind = { id: LEFT_KIND, typeIndex: 0, totalsCell: -1 };

const INTEGER_CLASSES: readonly IntegerClass[] = [
  INTEGER_CLASS.none,
  INTEGER_CLASS.int32,
  INTEGER_CLASS.int64,
];

/**
 * Tells the core what keys take. What a key takes beside its value, the parts of streams and the elements of plain
 * collections, beforehand; the rest when the core meets a key that it does not know: the rule for all such values where
 * they lie in one block, else the model is asked as if it were read.
 */
export class KeyFigures {
  private readonly core: KeyCore;
  private readonly kinds: KeyKinds;
  private readonly totals: Totals;
  private readonly blocks: BlockFigures;
  private readonly record = new MutableKeyRecord();
  private model: MemoryModel | undefined;
  private tables: readonly (TableCosts | undefined)[] = [];

  constructor(core: KeyCore, kinds: KeyKinds, totals: Totals) {
    this.core = core;
    this.kinds = kinds;
    this.totals = totals;
    this.blocks = new BlockFigures(core);
  }

  /** @param model of the server that wrote the file; must not be at work when it is asked */
  startFile(model: MemoryModel | undefined): void {
    const { exports } = this.core;
    this.model = model;
    if (model !== undefined) {
      this.tellHeads(model);
      this.blocks.startFile(model);
      this.tellStreamCosts(model);
    }
    this.tables = TABLES.map(({ dataType }) => model?.tableCosts(dataType));
    this.tables.forEach((costs, table) => {
      exports.forgetTable(table);
      if (costs === undefined) return;
      const surelyFrom = Math.min(costs.surelyFrom, NEVER);
      const surelyWithTextFrom = Math.min(costs.surelyWithTextFrom, NEVER);
      exports.setTable(table, surelyFrom, surelyWithTextFrom, costs.ownBytes, costs.sampled ? 1 : 0);
      this.tellElements(costs, table);
    });
  }

  /** Tells the core what it does not know of such a key in that database. */
  tell(key: UntoldKey, type: ValueType, db: number): void {
    if (key.table !== NO_TABLE) {
      this.tellTable(key.table, key.elements, db);
      return;
    }
    if (type.dataType === 'stream') {
      const { id, typeIndex, totalsCell } = this.kindOf('stream', this.model!.streamCosts.encoding, db);
      this.core.exports.tellStreams(id, typeIndex, totalsCell);
      return;
    }
    const block = this.blockOf(key, type);
    if (block === undefined) this.tellShape(key, type, db);
    else this.blocks.tell(block, type, this.kindOf(type.dataType, block.encoding, db));
  }

  /** How a value that lies in one block costs; integers don't, nor do strings that may share their key's. */
  private blockOf({ integerWidth, valueBytes }: UntoldKey, type: ValueType): BlockCosts | undefined {
    const model = this.model!;
    if (type.dataType === 'string' && (integerWidth > 0 || valueBytes < model.jointBelow)) return undefined;
    return this.blocks.rangeOf(model, type, valueBytes);
  }

  private tellTable(table: number, elements: number, db: number): void {
    const { core } = this;
    const costs = this.tables[table]!;
    const kind = this.kindOf(TABLES[table]!.dataType, costs.encoding, db);
    if (kind === NO_KIND) {
      core.exports.forgetTable(table);
      return;
    }
    core.exports.tellTable(table, kind.id, kind.typeIndex, kind.totalsCell);
    core.exports.setTableCount(table, elements, costs.fixedBytes(elements), costs.entriesBytes(elements));
  }

  private tellShape(key: UntoldKey, type: ValueType, db: number): void {
    const model = this.model!;
    const isText = type.dataType === 'string';
    const isJoint = isText && key.integerWidth === 0 && key.valueBytes < model.jointBelow;
    const isTold = this.ask(model, key, type) && (isJoint || model.headBytes !== UNKNOWN);
    const kind = isTold ? this.kindOf(type.dataType, model.encoding, db) : NO_KIND;
    this.core.exports.tellShape(
      key.typeCode,
      key.hasExpiry ? 1 : 0,
      key.keyBytes,
      key.valueBytes,
      key.integerWidth,
      isText ? 1 : 0,
      model.memoryBytes,
      isJoint ? 0 : model.headBytes,
      kind.id,
      kind.typeIndex,
      kind.totalsCell,
    );
  }

  /** Of the key at hand; NO_KIND where the core has no room for it. */
  private kindOf(dataType: DataType, encoding: Encoding | undefined, db: number): CoreKind {
    const { record } = this;
    record.dataType = dataType;
    const { id, typeIndex } = this.kinds.of(record, encoding);
    return id > MAX_KIND ? NO_KIND : { id, typeIndex, totalsCell: this.totals.cellOf(db, id) };
  }

  /** Lets the model judge the key; false when it would have to see the elements. */
  private ask(model: MemoryModel, key: UntoldKey, { dataType, layout }: ValueType): boolean {
    const { record } = this;
    record.clearValue();
    record.typeCode = key.typeCode;
    record.dataType = dataType;
    record.keyLength = key.keyBytes;
    record.hasExpiry = key.hasExpiry;
    record.elementCount = key.elements;
    model.begin(record);
    switch (layout?.holds) {
      case 'text':
        record.payloadBytes = key.valueBytes;
        record.integerClass = INTEGER_CLASSES[key.integerWidth]!;
        break;
      case 'ziplist':
      case 'listpack':
        if (dataType === 'list' && model.listNode(layout.holds, key.valueBytes, key.elements)) return false;
        if (dataType !== 'list' && model.blob(layout.holds, key.elements, key.valueBytes)) return false;
        break;
      case 'intset':
        if (model.blob(layout.holds, key.elements, key.valueBytes)) return false;
        break;
      default:
        return false;
    }
    model.end(record);
    return model.misfit === '' && !model.approximate;
  }

  private tellStreamCosts({ streamCosts, profile }: MemoryModel): void {
    const { ownBytes, listpackCount, treeBytes, treeKeyBytes, treeNodeBytes, groups } = streamCosts;
    this.core.exports.setStreamCosts(
      profile.wordBits / 8,
      listpackCount === 'usable' ? 1 : 0,
      ownBytes,
      treeBytes,
      treeKeyBytes,
      treeNodeBytes ?? 0,
      groups === undefined ? 0 : 1,
      groups?.ownBytes ?? 0,
      groups?.consumerBytes ?? 0,
      groups?.pendingBytes ?? 0,
    );
  }

  private tellHeads(model: MemoryModel): void {
    const { doubles, exports } = this.core;
    const at = exports.headsAddress() / 8;
    const longest = exports.MAX_KEY_BYTES.value as number;
    for (let length = 0; length <= longest; length++) {
      doubles[at + length] = model.headBytesOf(length, false);
      doubles[at + HEADS + length] = model.headBytesOf(length, true);
    }
  }

  private tellElements(costs: TableCosts, table: number): void {
    const { core } = this;
    const at = core.exports.elementCostsAddress(table) / 8;
    if (TABLES[table]!.holds === 'pairs') {
      for (let field = 0; field <= LONGEST_IN_PAIR; field++) {
        for (let value = 0; value <= LONGEST_IN_PAIR; value++) {
          core.doubles[at + field * (LONGEST_IN_PAIR + 1) + value] = costs.elementBytes(field, value);
        }
      }
      return;
    }
    for (let length = 0; length <= LONGEST_ELEMENT; length++) {
      core.doubles[at + length] = costs.elementBytes(length, 0);
    }
  }
}
