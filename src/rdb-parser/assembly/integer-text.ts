/** How many characters an integer's text has. */
export function textLength(value: i32): i32 {
  let size = <u32>(value < 0 ? -(<i64>value) : value);
  let length = value < 0 ? 2 : 1;
  while (size >= 10) {
    size /= 10;
    length++;
  }
  return length;
}
