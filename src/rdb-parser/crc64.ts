import { readFileSync } from 'node:fs';

/**
 * The snapshot's checksum: CRC-64 "Jones", reflected, initial value 0, no final XOR. "123456789" gives
 * 0xe9c6d914c4b8d9ca. Source: crc64.c, Redis 7.2. The arithmetic is in assembly/crc64.ts (WebAssembly).
 */
export class Crc64 {
  private readonly engine: ChecksumEngine;
  /** Of the bytes before those that the engine has, while it has any. */
  private settled = 0n;

  /** @param engine where the work is done: the owner's, for bytes that lie in memory of its own */
  constructor(engine: ChecksumEngine = sharedEngine) {
    this.engine = engine;
  }

  /** The checksum of the bytes so far, as an unsigned 64-bit integer. Takes some 50 us. */
  get value(): bigint {
    return this.engine.valueFor(this) ?? this.settled;
  }

  set value(value: bigint) {
    this.engine.leave(this);
    this.settled = value;
  }

  /** Takes in `bytes[start .. end)`. */
  update(bytes: Uint8Array, start: number, end: number): void {
    this.engine.update(this, bytes, start, end);
  }
}

/** What a WebAssembly module with assembly/crc64.ts in it exports. */
export interface ChecksumExports {
  readonly memory: WebAssembly.Memory;
  initChecksum(): void;
  startChecksum(before: bigint): void;
  addToChecksum(address: number, bytes: number): void;
  checksum(): bigint;
}

/** Works on one checksum at a time; another one that comes in between goes on where it was. */
export class ChecksumEngine {
  private readonly wasm: ChecksumExports;
  private readonly input: Uint8Array;
  private holder: Crc64 | undefined = undefined;

  /** @param input a place in the module's memory for bytes that lie elsewhere */
  constructor(wasm: ChecksumExports, input: Uint8Array) {
    wasm.initChecksum();
    this.wasm = wasm;
    this.input = input;
  }

  update(crc: Crc64, bytes: Uint8Array, start: number, end: number): void {
    const { wasm, input } = this;
    if (this.holder !== crc) this.hold(crc);
    if (bytes.buffer === wasm.memory.buffer) {
      wasm.addToChecksum(bytes.byteOffset + start, end - start);
      return;
    }
    for (let at = start; at < end; at += input.length) {
      const stop = Math.min(end, at + input.length);
      input.set(bytes.subarray(at, stop));
      wasm.addToChecksum(input.byteOffset, stop - at);
    }
  }

  /** Undefined when another checksum is being worked on. */
  valueFor(crc: Crc64): bigint | undefined {
    return this.holder === crc ? BigInt.asUintN(64, this.wasm.checksum()) : undefined;
  }

  leave(crc: Crc64): void {
    if (this.holder === crc) this.holder = undefined;
  }

  private hold(crc: Crc64): void {
    const { holder } = this;
    // Setting it makes the old holder let go.
    if (holder !== undefined) holder.value = BigInt.asUintN(64, this.wasm.checksum());
    this.wasm.startChecksum(BigInt.asIntN(64, crc.value));
    this.holder = crc;
  }
}

/** Sixteen lower-case hexadecimal digits. */
export function checksumText(value: bigint): string {
  return value.toString(16).padStart(16, '0');
}

interface Crc64Exports extends ChecksumExports {
  readonly INPUT_BYTES: WebAssembly.Global;
  inputAddress(): number;
}

function newEngine(): ChecksumEngine {
  const code = new WebAssembly.Module(readFileSync(new URL('./crc64.wasm', import.meta.url)));
  const wasm = new WebAssembly.Instance(code, {}).exports as unknown as Crc64Exports;
  const { buffer } = wasm.memory;
  return new ChecksumEngine(
    wasm,
    new Uint8Array(buffer, wasm.inputAddress(), wasm.INPUT_BYTES.value as number),
  );
}

const sharedEngine = newEngine();
