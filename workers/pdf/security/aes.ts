import { unsafe } from "@noble/ciphers/aes.js";
import { BLOCK, encryptedLength } from "./web-crypto.ts";

const ZERO_IV = new Uint8Array(BLOCK);

/** Expanded keys. Expanding a key takes longer than encrypting a short string. */
const encryptionRounds = new WeakMap<Uint8Array, Uint32Array>();
const decryptionRounds = new WeakMap<Uint8Array, Uint32Array>();

function roundsOf(
  known: WeakMap<Uint8Array, Uint32Array>,
  key: Uint8Array,
  expand: (key: Uint8Array) => Uint32Array,
): Uint32Array {
  const rounds = known.get(key) ?? expand(key);
  known.set(key, rounds);
  return rounds;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

/**
 * Encrypts whole blocks with AES-CBC, without padding (NIST SP 800-38A, 6.2).
 *
 * @param key must not be changed, because its expansion is cached
 */
export function encryptBlocks(
  key: Uint8Array,
  data: Uint8Array,
  iv: Uint8Array = ZERO_IV,
): Uint8Array<ArrayBuffer> {
  const out = data.slice();
  chainBlocks(key, viewOf(out), iv);
  return out;
}

/** Encrypts whole blocks in place. */
function chainBlocks(key: Uint8Array, view: DataView, iv: Uint8Array): void {
  const rounds = roundsOf(encryptionRounds, key, unsafe.expandKeyLE);
  const vector = viewOf(iv);
  let s0 = vector.getUint32(0, true);
  let s1 = vector.getUint32(4, true);
  let s2 = vector.getUint32(8, true);
  let s3 = vector.getUint32(12, true);
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    s0 ^= view.getUint32(at, true);
    s1 ^= view.getUint32(at + 4, true);
    s2 ^= view.getUint32(at + 8, true);
    s3 ^= view.getUint32(at + 12, true);
    ({ s0, s1, s2, s3 } = unsafe.encrypt(rounds, s0, s1, s2, s3));
    view.setUint32(at, s0, true);
    view.setUint32(at + 4, s1, true);
    view.setUint32(at + 8, s2, true);
    view.setUint32(at + 12, s3, true);
  }
}

/** Decrypts whole blocks: the reverse of {@link encryptBlocks}. */
export function decryptBlocks(key: Uint8Array, data: Uint8Array, iv: Uint8Array = ZERO_IV): Uint8Array {
  const rounds = roundsOf(decryptionRounds, key, unsafe.expandKeyDecLE);
  const out = new Uint8Array(data.length);
  const view = viewOf(out);
  const input = viewOf(data);
  let vector = viewOf(iv);
  let from = 0;
  for (let at = 0; at < data.length; at += BLOCK) {
    const { s0, s1, s2, s3 } = unsafe.decrypt(
      rounds,
      input.getUint32(at, true),
      input.getUint32(at + 4, true),
      input.getUint32(at + 8, true),
      input.getUint32(at + 12, true),
    );
    view.setUint32(at, s0 ^ vector.getUint32(from, true), true);
    view.setUint32(at + 4, s1 ^ vector.getUint32(from + 4, true), true);
    view.setUint32(at + 8, s2 ^ vector.getUint32(from + 8, true), true);
    view.setUint32(at + 12, s3 ^ vector.getUint32(from + 12, true), true);
    vector = input;
    from = at;
  }
  return out;
}

/** Encrypts with AES-CBC and PKCS #7 padding. The initialization vector comes first (ISO 32000-2, 7.6.3). */
export function encryptAes(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(encryptedLength(data.length));
  out.set(iv);
  out.set(data, BLOCK);
  out.fill(out.length - BLOCK - data.length, BLOCK + data.length);
  chainBlocks(key, viewOf(out.subarray(BLOCK)), iv);
  return out;
}

/**
 * Decrypts: the reverse of {@link encryptAes}. For truncated or wrongly padded data, returns the content of the whole
 * blocks, as other readers do.
 */
export function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array(0);
  const plain = decryptBlocks(key, data.subarray(BLOCK, whole), data.subarray(0, BLOCK));
  return plain.subarray(0, plain.length - paddingOf(plain));
}

/** Returns the number of padding bytes (PKCS #7; RFC 5652, 6.3); 0 when the padding is invalid. */
export function paddingOf(plain: Uint8Array): number {
  const count = plain.at(-1) ?? 0;
  if (count < 1 || count > BLOCK || count > plain.length) return 0;
  for (let back = 1; back <= count; back++) if (plain.at(-back) !== count) return 0;
  return count;
}
