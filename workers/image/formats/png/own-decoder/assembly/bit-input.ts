/** The input, bit by bit. */

/** The next bits, the first in the lowest place, and how many they are. */
export let bits: u64 = 0;
export let bitCount: u32 = 0;
/** Where input is read. */
export let from: usize = 0;

/** Where the input stands that has not been looked at yet. */
export function inputAt(): usize {
  return from - ((bitCount >> 3) as usize);
}

/** Says where the input is. What waits in bits has been looked at. */
export function setInput(at: usize): void {
  from = at;
  bitCount &= 7;
  bits &= ((1 << bitCount) - 1) as u64;
}

/** Takes so many bits, of which there must be enough. */
export function take(count: u32): u32 {
  const taken = (bits as u32) & ((1 << count) - 1);
  bits >>= count;
  bitCount -= count;
  return taken;
}

/** Takes in as much as there is room for: at least 56 bits are there then. */
export function refill(): void {
  bits |= load<u64>(from) << bitCount;
  from += (63 - bitCount) >> 3;
  bitCount |= 56;
}

/** Goes on where a loop with variables of its own has come to. */
export function setBits(waiting: u64, count: u32, at: usize): void {
  bits = waiting;
  bitCount = count;
  from = at;
}

/** Goes back to whole bytes of input: what waits stands in it still. */
export function dropBits(): void {
  from -= (bitCount >> 3) as usize;
  bits = 0;
  bitCount = 0;
}
