import type { BlockCosts, MemoryModel } from '../memory/index.js';
import type { ValueType } from '../rdb-parser/value-context.js';
import type { KeyCore } from './key-core.js';

/** A kind of key in the core's words. */
export interface CoreKind {
  readonly id: number;
  readonly typeIndex: number;
  readonly totalsCell: number;
}

/** No value that the core takes is so long: it counts in 32 bits. */
const NEVER = 2 ** 31 - 1;

/** Tells the core what values take that lie in one block, by their length: what the allocator gives, and the rules. */
export class BlockFigures {
  private readonly core: KeyCore;
  private readonly usableBytes: Uint16Array;

  constructor(core: KeyCore) {
    const { exports, bytes } = core;
    const tabled = (exports.MAX_TABLED_BYTES.value as number) + 1;
    this.core = core;
    this.usableBytes = new Uint16Array(bytes.buffer, exports.usableBytesAddress(), tabled);
  }

  /** Tells what the server's allocator gives. */
  startFile({ profile }: MemoryModel): void {
    const { usableBytes } = this;
    // Whatever is between two blocks' sizes gets the larger one.
    for (let requested = 0; requested < usableBytes.length; ) {
      const usable = profile.allocator.usable(requested);
      usableBytes.fill(usable, requested, usable + 1);
      requested = usable + 1;
    }
  }

  /** The rule for a value of that length; undefined where the core has to be told of it in another way. */
  rangeOf(model: MemoryModel, type: ValueType, valueBytes: number): BlockCosts | undefined {
    return model
      .blockCosts(type)
      .find((costs) => costs.fromBytes <= valueBytes && valueBytes <= this.lastOf(costs));
  }

  /** @param kind of all keys with such values */
  tell(costs: BlockCosts, type: ValueType, kind: CoreKind): void {
    const { fromBytes, ownBytes, extraBytes, counted } = costs;
    const lengths = this.lastOf(costs) - fromBytes + 1;
    const isUsable = counted === 'usable' ? 1 : 0;
    const { id, typeIndex, totalsCell } = kind;
    this.core.exports.tellBlock(
      type.code,
      fromBytes,
      lengths,
      ownBytes,
      extraBytes,
      isUsable,
      id,
      typeIndex,
      totalsCell,
    );
  }

  /** The longest value whose block the core can tell. */
  private lastOf({ upToBytes, extraBytes, counted }: BlockCosts): number {
    return Math.min(upToBytes, (counted === 'usable' ? this.usableBytes.length : NEVER) - 1 - extraBytes);
  }
}
