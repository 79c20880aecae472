import { readU32le } from '../byte-reader.js';
import { ElementWalk } from './element-walk.js';

const END = 0xff;
const LONG_LENGTH = 254;

/** Source: zipmap.c zipmapValidateIntegrity (Redis 7.2). */
export class ZipmapWalk extends ElementWalk {
  constructor() {
    super('zipmap');
  }

  next(): boolean {
    const { bytes, start, at, end } = this;
    const first = bytes[at]!;
    const isValue = this.count % 2 === 1;
    if (first === END) {
      if (isValue) throw this.fault('its last field has no value');
      if (at + 1 !== end) throw this.fault(`its fields end at byte ${at - start} of ${end - start}`);
      const announced = bytes[start]!;
      if (announced < LONG_LENGTH && announced * 2 !== this.count) {
        throw this.fault(`it announces ${announced} fields and holds ${this.count / 2}`);
      }
      return false;
    }
    const long = first === LONG_LENGTH;
    const length = long ? readU32le(bytes, at + 1) : first;
    const unusedAt = at + (long ? 5 : 1);
    const textAt = isValue ? unusedAt + 1 : unusedAt;
    const next = textAt + length + (isValue ? bytes[unusedAt]! : 0);
    if (!(next < end)) throw this.fault('a field or value goes past its end');
    this.setText(textAt, length);
    this.at = next;
    this.count++;
    return true;
  }

  protected readHeader(): void {
    this.at = this.start + 1;
  }
}
