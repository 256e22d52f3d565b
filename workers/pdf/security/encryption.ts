import { concatBytes } from "@noble/hashes/utils.js";
import type { ProtectOptions } from "../../../src/shared/protocol.ts";
import { PdfDict, PdfName, type PdfObject, PdfString } from "../syntax/objects.ts";
import { BLOCK, encryptAes, encryptBlocks } from "./aes.ts";
import { hash2B } from "./hash-2b.ts";
import { passwordToWrite } from "./passwords.ts";
import { permissionBits } from "./permissions.ts";

/** Cryptographically random bytes; requested in large blocks, because each request costs. */
class RandomBytes {
  #pool = new Uint8Array(0);
  #used = 0;

  /** Returns bytes that no other call returns. */
  take(count: number): Uint8Array<ArrayBuffer> {
    if (this.#used + count > this.#pool.length) {
      this.#pool = crypto.getRandomValues(new Uint8Array(Math.max(count, 1 << 14)));
      this.#used = 0;
    }
    const taken = this.#pool.slice(this.#used, this.#used + count);
    this.#used += count;
    return taken;
  }
}

/** A new encryption: AES-256, revision 6 (ISO 32000-2, 7.6.4.4). */
export interface Encryption {
  readonly fileKey: Uint8Array<ArrayBuffer>;
  readonly random: RandomBytes;
  /** The encryption dictionary. Its hashes take a while. */
  readonly dict: Promise<PdfDict>;
}

/**
 * Makes the keys for protecting a document.
 *
 * @throws {ServiceError} `invalid_parameter` for a password that is too long
 */
export function newEncryption(options: ProtectOptions): Encryption {
  const { ownerPassword } = options;
  const user = passwordToWrite(options.password, "password");
  const owner = ownerPassword === undefined ? undefined : passwordToWrite(ownerPassword, "owner_password");
  const permissions = permissionBits(options.permissions);
  const random = new RandomBytes();
  const fileKey = crypto.getRandomValues(new Uint8Array(32));
  const dict = encryptionDictionary({ user, owner }, permissions, { fileKey, random });
  // Awaited at the end of the file. Until then a failure must not count as unhandled.
  dict.catch(() => {});
  return { fileKey, random, dict };
}

type Secrets = Pick<Encryption, "fileKey" | "random">;

async function encryptionDictionary(
  passwords: { readonly user: Uint8Array; readonly owner: Uint8Array | undefined },
  permissions: number,
  secrets: Secrets,
): Promise<PdfDict> {
  const { random } = secrets;
  const [U, UE] = await passwordEntries(passwords.user, secrets);
  // Random bytes look like the entries of an unknown owner password, and save half of the time.
  const [O, OE] = passwords.owner
    ? await passwordEntries(passwords.owner, secrets, U)
    : [random.take(48), random.take(32)];
  const hex = (bytes: Uint8Array) => new PdfString(bytes, true);
  return dictionary({
    Filter: PdfName.of("Standard"),
    V: 5,
    R: 6,
    Length: 256,
    CF: dictionary({ StdCF: cryptFilter() }),
    StmF: PdfName.of("StdCF"),
    StrF: PdfName.of("StdCF"),
    O: hex(O),
    U: hex(U),
    OE: hex(OE),
    UE: hex(UE),
    P: permissions,
    Perms: hex(encryptedPermissions(permissions, secrets)),
    EncryptMetadata: true,
  });
}

function cryptFilter(): PdfDict {
  return dictionary({
    Type: PdfName.of("CryptFilter"),
    CFM: PdfName.of("AESV3"),
    AuthEvent: PdfName.of("DocOpen"),
    Length: 32,
  });
}

/**
 * Returns the entries `U` and `UE`, or `O` and `OE` (Algorithms 8 and 9).
 *
 * @param user for the owner password, the 48 bytes of `U`
 */
async function passwordEntries(
  password: Uint8Array,
  { fileKey, random }: Secrets,
  user?: Uint8Array,
): Promise<readonly [proof: Uint8Array, key: Uint8Array]> {
  const salts = random.take(16);
  const [hash, keyKey] = await Promise.all([
    hash2B(6, password, salts.subarray(0, 8), user),
    hash2B(6, password, salts.subarray(8), user),
  ]);
  return [concatBytes(hash, salts), encryptBlocks(keyKey, fileKey)];
}

/** Returns the entry `Perms` (Algorithm 10). */
function encryptedPermissions(permissions: number, { fileKey, random }: Secrets): Uint8Array {
  const block = new Uint8Array(BLOCK).fill(255);
  new DataView(block.buffer).setInt32(0, permissions, true);
  block.set([0x54, 0x61, 0x64, 0x62], 8);
  block.set(random.take(4), 12);
  // AES-ECB of one block is AES-CBC with a zero vector.
  return encryptBlocks(fileKey, block);
}

function dictionary(entries: Record<string, PdfObject>): PdfDict {
  return PdfDict.from(Object.entries(entries));
}

/** Encrypts a string and keeps its form. */
export function encryptString({ fileKey, random }: Secrets, string: PdfString): PdfString {
  return new PdfString(encryptAes(fileKey, random.take(BLOCK), string.bytes), string.hex);
}
