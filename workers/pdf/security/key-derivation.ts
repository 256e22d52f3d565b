import { md5 } from "@noble/hashes/legacy.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { rc4 } from "./rc4.ts";

/** The padding of passwords to 32 bytes (ISO 32000-2, 7.6.4.3.2). */
const PADDING = Uint8Array.of(
  ...[0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08],
  ...[0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a],
);

/** The encryption dictionary of revisions 2 to 4 (ISO 32000-2, 7.6.4.2). */
interface LegacyParameters {
  readonly revision: 2 | 3 | 4;
  /** The file key's length in bytes. */
  readonly keyLength: number;
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly permissions: number;
  /** The first string of the trailer's `ID`. */
  readonly fileId: Uint8Array;
  readonly encryptMetadata: boolean;
}

/**
 * Returns the file key of revisions 2 to 4 if `password` is the user or the owner password (ISO 32000-2, 7.6.4.4,
 * Algorithms 6 and 7).
 */
export function legacyFileKey(password: Uint8Array, parameters: LegacyParameters): Uint8Array | undefined {
  for (const candidate of [password, ...userPasswordsOf(password, parameters)]) {
    const key = keyOfUser(candidate, parameters);
    if (key) return key;
  }
  return undefined;
}

function keyOfUser(password: Uint8Array, parameters: LegacyParameters): Uint8Array | undefined {
  const { revision, keyLength, owner, user, permissions, fileId, encryptMetadata } = parameters;
  // Algorithm 2.
  let digest = md5(
    concatBytes(
      padded(password),
      owner.subarray(0, 32),
      Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24),
      fileId,
      revision >= 4 && !encryptMetadata ? new Uint8Array(4).fill(255) : new Uint8Array(0),
    ),
  );
  if (revision >= 3) for (let round = 0; round < 50; round++) digest = md5(digest.subarray(0, keyLength));
  const key = digest.slice(0, keyLength);
  // Algorithms 4 and 5.
  let check = revision === 2 ? PADDING : md5(concatBytes(PADDING, fileId));
  for (let round = 0; round < (revision === 2 ? 1 : 20); round++) check = rc4(xored(key, round), check);
  return check.every((byte, index) => byte === user[index]) ? key : undefined;
}

/**
 * Decrypts `O` with an owner password. The result is the user password if the owner password is right. Algorithm 3
 * hashes whole digests again, but most writers hash only the length of the key, so both are tried.
 */
function userPasswordsOf(password: Uint8Array, parameters: LegacyParameters): Uint8Array[] {
  const { revision, keyLength, owner } = parameters;
  const first = md5(padded(password));
  const lengths = revision === 2 ? [first.length] : [...new Set([keyLength, first.length])];
  return lengths.map((hashed) => {
    let digest = first;
    if (revision >= 3) for (let round = 0; round < 50; round++) digest = md5(digest.subarray(0, hashed));
    const key = digest.subarray(0, keyLength);
    let found: Uint8Array = owner.subarray(0, 32);
    for (let round = revision === 2 ? 0 : 19; round >= 0; round--) found = rc4(xored(key, round), found);
    return found;
  });
}

const padded = (password: Uint8Array) => concatBytes(password, PADDING).slice(0, 32);
const xored = (key: Uint8Array, value: number) => key.map((byte) => byte ^ value);

/** Returns the key of one object in revisions 2 to 4 (ISO 32000-2, 7.6.3, Algorithm 1). AES adds a salt. */
export function objectKey(fileKey: Uint8Array, num: number, gen: number, aes: boolean): Uint8Array {
  const salt = aes ? [0x73, 0x41, 0x6c, 0x54] : [];
  const suffix = Uint8Array.of(num, num >> 8, num >> 16, gen, gen >> 8, ...salt);
  return md5(concatBytes(fileKey, suffix)).subarray(0, Math.min(fileKey.length + 5, 16));
}
