import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { encryptBlocks } from "./aes.ts";
import { BLOCK } from "./web-crypto.ts";

/** A round encrypts so many copies of its text. */
const COPIES = 64;
const FEWEST_ROUNDS = 64;
/**
 * WebCrypto's round takes 0.02 ms in Chromium and several times as long as our own where it works on another thread,
 * as in Node: rounds in a row show which it is. The first ones take long in any case.
 */
const PROBED_ROUNDS = 4;
const OWN_ROUND_MS = 0.08;
/** It is given up after so many; the next hash, which may be of a moment when less goes on, does not try as long. */
const MOST_PROBED = { first: 24, later: 8 };

let mostProbed = MOST_PROBED.first;
/** Where it has been quick once, it is only busy when it is not. */
let hasBeenQuick = false;

type Digest = "SHA-256" | "SHA-384" | "SHA-512";
/** By the first 16 bytes of what was encrypted, as a number modulo 3. */
const DIGESTS: readonly Digest[] = ["SHA-256", "SHA-384", "SHA-512"];
const OWN_DIGESTS = { "SHA-256": sha256, "SHA-384": sha384, "SHA-512": sha512 };

/** What a round is made of. */
interface RoundCiphers {
  /** AES-128-CBC over whole blocks with no padding. */
  encrypt(key: Uint8Array, iv: Uint8Array, data: Uint8Array<ArrayBuffer>): Awaitable;
  digest(name: Digest, data: Uint8Array<ArrayBuffer>): Awaitable;
}
type Awaitable = Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

const OWN: RoundCiphers = {
  encrypt: (key, iv, data) => encryptBlocks(key, data, iv),
  digest: (name, data) => Uint8Array.from(OWN_DIGESTS[name](data)),
};

const webCrypto = (subtle: SubtleCrypto): RoundCiphers => ({
  async encrypt(key, iv, data) {
    const imported = await subtle.importKey("raw", key.slice(), "AES-CBC", false, ["encrypt"]);
    const padded = await subtle.encrypt({ name: "AES-CBC", iv: iv.slice() }, imported, data);
    return new Uint8Array(padded, 0, data.length);
  },
  digest: async (name, data) => new Uint8Array(await subtle.digest(name, data)),
});

/**
 * The hash of revision 6 (ISO 32000-2, 7.6.4.3, Algorithm 2.B), 32 bytes; and of revision 5, which is that of Adobe's
 * extension level 3 to PDF 1.7 and SHA-256 alone.
 *
 * @param password at most 127 bytes
 * @param salt 8 bytes of `U` or `O`
 * @param user for an owner's password, the 48 bytes of `U`
 */
export async function modernHash(
  revision: 5 | 6,
  password: Uint8Array,
  salt: Uint8Array,
  user: Uint8Array = new Uint8Array(0),
): Promise<Uint8Array> {
  let key: Uint8Array = sha256(concatBytes(password, salt, user));
  if (revision === 5) return key;
  // Absent on plain-HTTP origins.
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  let ciphers = subtle ? webCrypto(subtle) : OWN;
  let start = performance.now();
  for (let round = 0, last = 0; round < FEWEST_ROUNDS || last > round - 32; round++) {
    if (!hasBeenQuick && ciphers !== OWN && round > 0 && round % PROBED_ROUNDS === 0) {
      const now = performance.now();
      hasBeenQuick = now - start <= PROBED_ROUNDS * OWN_ROUND_MS;
      start = now;
      if (!hasBeenQuick && round >= mostProbed) {
        ciphers = OWN;
        mostProbed = MOST_PROBED.later;
      }
    }
    const data = copiesOf(concatBytes(password, key, user));
    const encrypted = await ciphers.encrypt(key.subarray(0, BLOCK), key.subarray(BLOCK, 2 * BLOCK), data);
    // 256 is 1 modulo 3, so that the number is what its bytes' sum is.
    const sum = encrypted.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
    key = await ciphers.digest(DIGESTS[sum % 3] ?? "SHA-256", encrypted);
    last = encrypted.at(-1) ?? 0;
  }
  return key.slice(0, 32);
}

function copiesOf(once: Uint8Array): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(once.length * COPIES);
  data.set(once);
  for (let length = once.length; length < data.length; length *= 2) data.copyWithin(length, 0, length);
  return data;
}
