/** RC4, whose two directions are the same. Only for reading what old files hold; nothing is written with it. */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = new Uint8Array(256);
  for (let index = 0; index < 256; index++) state[index] = index;
  for (let index = 0, swap = 0; index < 256; index++) {
    const held = state[index] as number;
    swap = (swap + held + (key[index % key.length] as number)) & 255;
    state[index] = state[swap] as number;
    state[swap] = held;
  }
  const out = new Uint8Array(data.length);
  let i = 0;
  let j = 0;
  for (let at = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    const held = state[i] as number;
    j = (j + held) & 255;
    const other = state[j] as number;
    state[i] = other;
    state[j] = held;
    out[at] = (data[at] as number) ^ (state[(held + other) & 255] as number);
  }
  return out;
}
