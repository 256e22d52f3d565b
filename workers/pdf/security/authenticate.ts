import { equalBytes } from "../../io/equal-bytes.ts";
import { BLOCK, decryptBlocks } from "./aes.ts";
import { damaged, type StandardEncryption } from "./encryption-dictionary.ts";
import { hash2B } from "./hash-2b.ts";
import { legacyFileKey } from "./key-derivation.ts";
import { legacyPasswords, modernPasswords } from "./passwords.ts";

/**
 * Checks the user or the owner password of a document (ISO 32000-2, 7.6.4). Returns the file key; undefined for another
 * password.
 *
 * @throws {ServiceError} `damaged_file` when the file identifier is lost and may be why the password is not right
 */
export async function authenticate(
  encryption: StandardEncryption,
  password: string,
): Promise<Uint8Array | undefined> {
  const { revision } = encryption;
  return revision === 5 || revision === 6
    ? modernFileKey({ ...encryption, revision }, password)
    : legacyKey({ ...encryption, revision }, password);
}

/** Returns the file key of revisions 2 to 4. */
function legacyKey(
  encryption: StandardEncryption & { readonly revision: 2 | 3 | 4 },
  password: string,
): Uint8Array | undefined {
  const { keyLengths, fileId = new Uint8Array(0) } = encryption;
  const encryptMetadata = encryption.filters.metadata;
  for (const keyLength of keyLengths) {
    for (const bytes of legacyPasswords(password)) {
      const key = legacyFileKey(bytes, { ...encryption, keyLength, fileId, encryptMetadata });
      if (key) return key;
    }
  }
  if (encryption.fileId === undefined) {
    throw damaged("no password opens it without its file identifier, which is missing");
  }
  return undefined;
}

/**
 * Returns the file key of revisions 5 and 6 (Algorithm 2.A). Hashes take most of the time, so the hash for the user key
 * comes first: if `Perms` confirms the key, no other hash is needed.
 */
async function modernFileKey(
  encryption: StandardEncryption & { readonly revision: 5 | 6 },
  password: string,
): Promise<Uint8Array | undefined> {
  const { revision, owner, user, ownerKey, userKey } = encryption;
  for (const bytes of modernPasswords(password)) {
    const hash = (salt: Uint8Array, salted?: Uint8Array) => hash2B(revision, bytes, salt, salted);
    const key = decryptBlocks(await hash(user.subarray(40, 48)), userKey);
    if (isConfirmed(key, encryption)) return key;
    if (equalBytes(await hash(user.subarray(32, 40)), user.subarray(0, 32))) return key;
    if (equalBytes(await hash(owner.subarray(32, 40), user), owner.subarray(0, 32))) {
      return decryptBlocks(await hash(owner.subarray(40, 48), user), ownerKey);
    }
  }
  return undefined;
}

/** Returns whether a file key decrypts `Perms` to the permissions of the file (Algorithm 13). */
function isConfirmed(key: Uint8Array, { perms, permissions }: StandardEncryption): boolean {
  if (perms.length < BLOCK) return false;
  const bytes = decryptBlocks(key, perms);
  const view = new DataView(bytes.buffer, bytes.byteOffset, BLOCK);
  const isMarked = String.fromCharCode(...bytes.subarray(9, 12)) === "adb";
  return isMarked && view.getInt32(0, true) === permissions && view.getInt32(4, true) === -1;
}
