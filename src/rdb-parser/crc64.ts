import { readFileSync } from 'node:fs';

/**
 * The snapshot's checksum: CRC-64 "Jones", reflected, initial value 0, no final XOR. "123456789" gives
 * 0xe9c6d914c4b8d9ca. Source: crc64.c, Redis 7.2. The arithmetic is in assembly/crc64.ts (WebAssembly).
 */
export class Crc64 {
  /** The checksum of the bytes so far, as an unsigned 64-bit integer. */
  value = 0n;

  /** Takes in `bytes[start .. end)`. */
  update(bytes: Uint8Array, start: number, end: number): void {
    let signed = BigInt.asIntN(64, this.value);
    for (let at = start; at < end; at += INPUT_BYTES) {
      const stop = Math.min(end, at + INPUT_BYTES);
      input.set(bytes.subarray(at, stop));
      signed = wasm.update(signed, 0, stop - at);
    }
    this.value = BigInt.asUintN(64, signed);
  }
}

/** Sixteen lower-case hexadecimal digits. */
export function checksumText(value: bigint): string {
  return value.toString(16).padStart(16, '0');
}

interface Crc64Exports {
  readonly memory: WebAssembly.Memory;
  readonly INPUT_BYTES: WebAssembly.Global;
  inputAddress(): number;
  init(): void;
  update(crc: bigint, from: number, length: number): bigint;
}

const wasm = instantiate();
const INPUT_BYTES = wasm.INPUT_BYTES.value as number;
const input = new Uint8Array(wasm.memory.buffer, wasm.inputAddress(), INPUT_BYTES);

function instantiate(): Crc64Exports {
  const code = readFileSync(new URL('./crc64.wasm', import.meta.url));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), {});
  const exports = instance.exports as Crc64Exports;
  exports.init();
  return exports;
}
