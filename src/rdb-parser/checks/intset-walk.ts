import { readU32le } from '../byte-reader.js';
import { ElementWalk } from './element-walk.js';

const HEADER_BYTES = 8;

/** Source: intset.c intsetValidateIntegrity (Redis 7.2): not empty, ascending, nothing twice. */
export class IntsetWalk extends ElementWalk {
  private width = 0;

  constructor() {
    super('intset');
  }

  next(): boolean {
    const { at, width, high, low } = this;
    if (at === this.end) return false;
    if (at + width > this.end) throw this.fault('an integer goes past its end');
    this.setInteger(at, width);
    const ascends = this.high > high || (this.high === high && this.low >>> 0 > low >>> 0);
    if (this.count > 0 && !ascends) throw this.fault('its integers do not ascend');
    this.at = at + width;
    this.count++;
    return true;
  }

  protected readHeader(): void {
    this.width = readU32le(this.bytes, this.start);
    this.at = this.start + HEADER_BYTES;
  }
}
