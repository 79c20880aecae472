// One bump allocator; everything is reserved by `init`, so that the views which JavaScript holds stay valid. Reserved
// memory that is never touched takes no room.

let top: usize = 0;

/** Memory that starts on a cache line, zeroed. */
export function reserve(bytes: usize): usize {
  if (top === 0) top = (__heap_base + 63) & ~63;
  const start = top;
  top += (bytes + 63) & ~63;
  const pages = <i32>((top + 0xffff) >>> 16);
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) unreachable();
  return start;
}
