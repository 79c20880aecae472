import type { TableCosts, ValueCosts } from '../memory/index.js';
import type { DataType } from '../rdb-parser/records.js';
import type { ValueLayout } from '../rdb-parser/value-context.js';
import type { KeyCore } from './key-core.js';
import type { KeyKind } from './key-kinds.js';

/** Tables that the core knows, in its order; also in assembly/elements.ts. */
const TABLES: readonly { readonly holds: ValueLayout['holds']; readonly dataType: DataType }[] = [
  { holds: 'members', dataType: 'set' },
  { holds: 'scored', dataType: 'zset' },
  { holds: 'pairs', dataType: 'hash' },
];

/** Longest element, and longest field or value, whose cost the core is told. */
const LONGEST_ELEMENT = 1024;
const LONGEST_IN_PAIR = 63;

/** An expiring key's place is so far behind that of one that does not. */
const HEADS = 1024;

/** Tells the core what keys cost without their values, and what plain collections do that a server keeps as tables. */
export class CostTables {
  private readonly core: KeyCore;
  private costs: readonly (TableCosts | undefined)[] = [];

  constructor(core: KeyCore) {
    this.core = core;
  }

  /** @param costs of the model of the server that wrote the file */
  startFile(costs: ValueCosts | undefined): void {
    const { exports } = this.core;
    if (costs !== undefined) this.tellHeads(costs);
    this.costs = TABLES.map(({ dataType }) => costs?.tableCosts(dataType));
    this.costs.forEach((known, table) => {
      exports.forgetTable(table);
      if (known === undefined) return;
      exports.setTable(
        table,
        known.surelyFrom,
        known.surelyWithTextFrom,
        known.ownBytes,
        known.sampled ? 1 : 0,
      );
      this.tellElements(known, table);
    });
  }

  /** A key of a plain collection's type came the ordinary way: which kind of key its tables are. */
  learn(holds: ValueLayout['holds'], kind: KeyKind, totalsCell: number): void {
    const table = TABLES.findIndex((known) => known.holds === holds);
    const costs = this.costs[table];
    if (costs === undefined || kind.encoding !== costs.encoding) return;
    this.core.exports.learnTable(table, kind.id, kind.typeIndex, totalsCell);
  }

  /** The core has met a collection of so many elements for the first time. */
  tell(table: number, count: number): void {
    const costs = this.costs[table]!;
    this.core.exports.setTableCount(table, count, costs.fixedBytes(count), costs.entriesBytes(count));
  }

  private tellHeads(costs: ValueCosts): void {
    const { doubles, exports } = this.core;
    const at = exports.headsAddress() / 8;
    const longest = exports.MAX_KEY_BYTES.value as number;
    for (let length = 0; length <= longest; length++) {
      doubles[at + length] = costs.headBytesOf(length, false);
      doubles[at + HEADS + length] = costs.headBytesOf(length, true);
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
