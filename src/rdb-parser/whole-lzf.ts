import { readFileSync } from 'node:fs';
import { RdbError } from './errors.js';

interface LzfExports {
  readonly memory: WebAssembly.Memory;
  readonly INPUT_BYTES: WebAssembly.Global;
  readonly OUTPUT_BYTES: WebAssembly.Global;
  readonly RUN_PAST_END: WebAssembly.Global;
  readonly CUT_INSTRUCTION: WebAssembly.Global;
  readonly BAD_REFERENCE: WebAssembly.Global;
  readonly TOO_LONG: WebAssembly.Global;
  inputAddress(): number;
  outputAddress(): number;
  faultAt(): number;
  faultDistance(): number;
  inflate(stored: number, limit: number): number;
}

const wasm = instantiate();

/** Most bytes that can be inflated at once: compressed, and inflated. */
export const MOST_STORED = wasm.INPUT_BYTES.value as number;
export const MOST_INFLATED = wasm.OUTPUT_BYTES.value as number;

const input = new Uint8Array(wasm.memory.buffer, wasm.inputAddress(), MOST_STORED);
const output = new Uint8Array(wasm.memory.buffer, wasm.outputAddress(), MOST_INFLATED);

/**
 * Inflates an LZF string that lies in memory whole; its bytes are the first of what is returned, until the next call.
 * The arithmetic is in assembly/lzf.ts (WebAssembly).
 * @param stored compressed bytes, at most MOST_STORED
 * @param length inflated bytes as announced, at most MOST_INFLATED
 * @param offset where it starts in the snapshot, for faults
 * @throws RdbError `bad-lzf`
 */
export function inflateWhole(
  bytes: Uint8Array,
  at: number,
  stored: number,
  length: number,
  offset: number,
): Uint8Array {
  input.set(bytes.subarray(at, at + stored));
  const made = wasm.inflate(stored, length);
  if (made === length) return output;
  const problem =
    made >= 0 ? `${made} bytes come out of it, ${length} are announced` : faultText(made, length);
  throw new RdbError('bad-lzf', `an LZF string is damaged: ${problem}`, {
    offset,
    blobOffset: made >= 0 ? made : wasm.faultAt(),
  });
}

function faultText(fault: number, length: number): string {
  switch (fault) {
    case wasm.RUN_PAST_END.value:
      return 'a run of bytes goes past its end';
    case wasm.CUT_INSTRUCTION.value:
      return 'it ends inside an instruction';
    case wasm.TOO_LONG.value:
      return `more comes out of it than the ${length} bytes announced`;
    default:
      return `it refers ${wasm.faultDistance()} bytes back, ${wasm.faultAt()} are there`;
  }
}

function instantiate(): LzfExports {
  const code = readFileSync(new URL('./lzf.wasm', import.meta.url));
  return new WebAssembly.Instance(new WebAssembly.Module(code), {}).exports as LzfExports;
}
