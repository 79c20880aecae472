// What crc64.wasm holds: the checksum, and a place to put bytes.

export { addToChecksum, checksum, initChecksum, startChecksum } from './crc64';

/** How many bytes fit. */
export const INPUT_BYTES: i32 = 64 << 10;
const INPUT = memory.data(64 << 10, 16);

export function inputAddress(): i32 {
  return <i32>INPUT;
}
