import { ZSTDDecoder } from 'zstddec/stream';

/**
 * One decompression context of the zstd library compiled to WebAssembly. The package's own generator never looks at
 * the library's answer, so that damaged data makes it loop for ever; its exports are driven here instead.
 */
export class ZstdStream {
  /** What the last `step` gave; a view that the next step overwrites. */
  output: Uint8Array = new Uint8Array(0);
  /** The last step filled the output buffer: there may be more without new input. */
  outputFull = false;
  /** A frame is complete and all its bytes have been given. */
  frameEnded = false;
  /** The library's complaint; the stream is unusable after one. */
  problem: string | undefined;

  readonly #wasm: ZstdExports;
  readonly #context: number;
  readonly #structs: number;
  readonly #inputAddress: number;
  readonly #outputAddress: number;

  constructor(wasm: ZstdExports) {
    this.#wasm = wasm;
    this.#context = wasm.ZSTD_createDCtx();
    this.#structs = wasm.malloc(STRUCT_BYTES * 2);
    this.#inputAddress = wasm.malloc(BUFFER_BYTES);
    this.#outputAddress = wasm.malloc(BUFFER_BYTES);
  }

  /** Unpacks some of `input` and returns how many of its bytes were used. */
  step(input: Uint8Array): number {
    const wasm = this.#wasm;
    const given = Math.min(input.length, BUFFER_BYTES);
    new Uint8Array(wasm.memory.buffer, this.#inputAddress, given).set(input.subarray(0, given));
    const into = new DataView(wasm.memory.buffer, this.#structs, STRUCT_BYTES * 2);
    into.setUint32(0, this.#outputAddress, true);
    into.setUint32(4, BUFFER_BYTES, true);
    into.setUint32(8, 0, true);
    into.setUint32(12, this.#inputAddress, true);
    into.setUint32(16, given, true);
    into.setUint32(20, 0, true);
    const answer =
      wasm.ZSTD_decompressStream(this.#context, this.#structs, this.#structs + STRUCT_BYTES) >>> 0;
    // The call may have grown the memory, which detaches earlier views.
    const from = new DataView(wasm.memory.buffer, this.#structs, STRUCT_BYTES * 2);
    const produced = from.getUint32(8, true);
    this.output = new Uint8Array(wasm.memory.buffer, this.#outputAddress, produced);
    this.outputFull = produced === BUFFER_BYTES;
    this.frameEnded = answer === 0;
    this.problem = answer > FIRST_ERROR ? problemText(2 ** 32 - answer) : undefined;
    return from.getUint32(20, true);
  }

  close(): void {
    this.#wasm.ZSTD_freeDCtx(this.#context);
    for (const address of [this.#structs, this.#inputAddress, this.#outputAddress]) this.#wasm.free(address);
  }
}

/** A stream on the one shared WebAssembly instance of this thread. */
export async function openZstdStream(): Promise<ZstdStream> {
  loading ??= loadWasm();
  return new ZstdStream(await loading);
}

/** The part of zstd.h 1.5.7 that is used. Addresses and sizes are those of 32-bit WebAssembly. */
interface ZstdExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(address: number): void;
  ZSTD_createDCtx(): number;
  ZSTD_freeDCtx(context: number): number;
  ZSTD_decompressStream(context: number, output: number, input: number): number;
}

let loading: Promise<ZstdExports> | undefined;

async function loadWasm(): Promise<ZstdExports> {
  const loader = new ExportsLoader();
  await loader.init();
  if (loader.exports === undefined) throw new Error('the zstd decoder did not load');
  return loader.exports;
}

/** Keeps the exports that the package hides. */
class ExportsLoader extends ZSTDDecoder {
  exports: ZstdExports | undefined;

  override init(): Promise<void> {
    const keep = super._init;
    this._init = (result) => {
      keep.call(this, result);
      this.exports = result.instance.exports as unknown as ZstdExports;
    };
    return super.init();
  }
}

/** ZSTD_inBuffer and ZSTD_outBuffer: address, size, position. Source: zstd.h 1.5.7. */
const STRUCT_BYTES = 12;
const BUFFER_BYTES = 128 * 1024;

/** Answers above this are errors: minus ZSTD_error_maxCode (120). Source: error_private.h 1.5.7, `ERR_isError`. */
const FIRST_ERROR = 2 ** 32 - 120;

/** Source: zstd_errors.h 1.5.7, `ZSTD_ErrorCode`. */
const PROBLEMS: Readonly<Record<number, string>> = {
  10: 'no zstd magic',
  14: 'unsupported frame parameter',
  16: 'window too large',
  20: 'corrupted block',
  22: 'wrong checksum',
  24: 'corrupted literals',
  30: 'corrupted dictionary',
  32: 'wrong dictionary',
  64: 'out of memory',
};

function problemText(code: number): string {
  return PROBLEMS[code] ?? `error ${code}`;
}
