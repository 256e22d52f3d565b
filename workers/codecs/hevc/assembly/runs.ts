/** Copies and fills of a few bytes, by powers of two. memory.copy and memory.fill are slower for these. */

/** Copies 4, 8, 16 or 32 bytes. */
export function copyRun(to: usize, from: usize, count: usize): void {
  if (count === 4) store<u32>(to, load<u32>(from));
  else if (count === 8) store<u64>(to, load<u64>(from));
  else {
    v128.store(to, v128.load(from));
    if (count > 16) v128.store(to, v128.load(from, 16), 16);
  }
}

/** Fills 1, 2, 4, 8, 16, 32 or 64 bytes. */
export function fillRun(to: usize, value: u32, count: usize): void {
  const four = value * 0x01010101;
  if (count === 1) store<u8>(to, value as u8);
  else if (count === 2) store<u16>(to, four as u16);
  else if (count === 4) store<u32>(to, four);
  else if (count === 8) store<u64>(to, ((four as u64) << 32) | (four as u64));
  else {
    const many = i8x16.splat(value as i8);
    for (let at: usize = 0; at < count; at += 16) v128.store(to + at, many);
  }
}
