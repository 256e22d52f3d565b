/**
 * RC4 over data in chunks. Encryption and decryption are the same. Used for reading old files only.
 */
export class Rc4 {
  readonly #state = new Uint8Array(256);
  #i = 0;
  #j = 0;

  constructor(key: Uint8Array) {
    const state = this.#state;
    for (let index = 0; index < 256; index++) state[index] = index;
    for (let index = 0, swap = 0; index < 256; index++) {
      const held = state[index] as number;
      swap = (swap + held + (key[index % key.length] as number)) & 255;
      state[index] = state[swap] as number;
      state[swap] = held;
    }
  }

  /** Encrypts or decrypts the next bytes. */
  next(data: Uint8Array): Uint8Array<ArrayBuffer> {
    const state = this.#state;
    const out = new Uint8Array(data.length);
    let i = this.#i;
    let j = this.#j;
    for (let at = 0; at < data.length; at++) {
      i = (i + 1) & 255;
      const held = state[i] as number;
      j = (j + held) & 255;
      const other = state[j] as number;
      state[i] = other;
      state[j] = held;
      out[at] = (data[at] as number) ^ (state[(held + other) & 255] as number);
    }
    this.#i = i;
    this.#j = j;
    return out;
  }
}

/** Encrypts or decrypts data with RC4. */
export const rc4 = (key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> => new Rc4(key).next(data);
