import { readFileSync } from 'node:fs';

/**
 * The snapshot's checksum: CRC-64 "Jones", reflected, initial value 0, no final XOR. "123456789" gives
 * 0xe9c6d914c4b8d9ca. Source: crc64.c, Redis 7.2. The arithmetic is in assembly/crc64.ts (WebAssembly).
 */
export class Crc64 {
  /** The checksum of the bytes so far, as an unsigned 64-bit integer. */
  value = 0n;
  private readonly engine: Engine;

  constructor(engine: Engine = sharedEngine) {
    this.engine = engine;
  }

  /** Takes in `bytes[start .. end)`. */
  update(bytes: Uint8Array, start: number, end: number): void {
    const { input, wasm } = this.engine;
    let signed = BigInt.asIntN(64, this.value);
    if (bytes.buffer === input.buffer) {
      signed = wasm.update(signed, bytes.byteOffset + start - input.byteOffset, end - start);
    } else {
      for (let at = start; at < end; at += input.length) {
        const stop = Math.min(end, at + input.length);
        input.set(bytes.subarray(at, stop));
        signed = wasm.update(signed, 0, stop - at);
      }
    }
    this.value = BigInt.asUintN(64, signed);
  }
}

/** A buffer, and a checksum that takes its bytes in where they are instead of copying them first. */
export interface ChecksummedBuffer {
  /** 1 MiB. */
  readonly bytes: Uint8Array;
  readonly checksum: Crc64;
}

export function checksummedBuffer(): ChecksummedBuffer {
  const engine = newEngine();
  return { bytes: engine.input, checksum: new Crc64(engine) };
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

/** An instance of the code with memory of its own. */
interface Engine {
  readonly wasm: Crc64Exports;
  readonly input: Uint8Array;
}

const code = new WebAssembly.Module(readFileSync(new URL('./crc64.wasm', import.meta.url)));
const sharedEngine = newEngine();

function newEngine(): Engine {
  const wasm = new WebAssembly.Instance(code, {}).exports as Crc64Exports;
  wasm.init();
  const input = new Uint8Array(wasm.memory.buffer, wasm.inputAddress(), wasm.INPUT_BYTES.value as number);
  return { wasm, input };
}
