import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { BLOCK, encryptBlocks } from "./aes.ts";

/** The copies of the input in one round. */
const COPIES = 64;
const FEWEST_ROUNDS = 64;
/**
 * How many rounds are timed together. A WebCrypto round takes 0.02 ms in Chromium. Where WebCrypto works on another
 * thread, as in Node, it takes several times as long as a round with the JavaScript ciphers (noble). The first rounds are
 * always slow.
 */
const PROBED_ROUNDS = 4;
/** The time of one round with the JavaScript ciphers. */
const OWN_ROUND_MS = 0.08;
/** WebCrypto is replaced if no probe was fast after this many rounds. Later hashes try again, for fewer rounds. */
const MOST_PROBED = { first: 24, later: 8 };

let mostProbed = MOST_PROBED.first;
/** Whether a probe was fast. WebCrypto then stays in use: a later slow round is due to other work. */
let hasBeenFast = false;

type Digest = "SHA-256" | "SHA-384" | "SHA-512";
/** Indexed by the first 16 encrypted bytes, as a number modulo 3. */
const DIGESTS: readonly Digest[] = ["SHA-256", "SHA-384", "SHA-512"];
const OWN_DIGESTS = { "SHA-256": sha256, "SHA-384": sha384, "SHA-512": sha512 };

/** The operations of a round. */
interface RoundCiphers {
  /** Encrypts whole blocks with AES-128-CBC, without padding. */
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
 * Returns the 32-byte hash of revision 6 (ISO 32000-2, 7.6.4.3, Algorithm 2.B), or of revision 5, which is SHA-256 alone
 * (Adobe's extension level 3 to PDF 1.7).
 *
 * @param password at most 127 bytes
 * @param salt 8 bytes of `U` or `O`
 * @param user for an owner password, the 48 bytes of `U`
 */
export async function hash2B(
  revision: 5 | 6,
  password: Uint8Array,
  salt: Uint8Array,
  user: Uint8Array = new Uint8Array(0),
): Promise<Uint8Array> {
  let key: Uint8Array = sha256(concatBytes(password, salt, user));
  if (revision === 5) return key;
  // Undefined on plain-HTTP origins.
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  let ciphers = subtle ? webCrypto(subtle) : OWN;
  let start = performance.now();
  for (let round = 0, last = 0; round < FEWEST_ROUNDS || last > round - 32; round++) {
    if (!hasBeenFast && ciphers !== OWN && round > 0 && round % PROBED_ROUNDS === 0) {
      const now = performance.now();
      hasBeenFast = now - start <= PROBED_ROUNDS * OWN_ROUND_MS;
      start = now;
      if (!hasBeenFast && round >= mostProbed) {
        ciphers = OWN;
        mostProbed = MOST_PROBED.later;
      }
    }
    const data = copiesOf(concatBytes(password, key, user));
    const encrypted = await ciphers.encrypt(key.subarray(0, BLOCK), key.subarray(BLOCK, 2 * BLOCK), data);
    // 256 is 1 modulo 3, so the number and the sum of its bytes are equal modulo 3.
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
