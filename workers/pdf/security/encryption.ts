import type { Permission } from "../../protocol.ts";
import { PdfDict, PdfName, type PdfObject, PdfString } from "../syntax/objects.ts";
import { BLOCK, encryptAes, encryptBlock, encryptBlocks } from "./aes.ts";
import { modernHash } from "./modern-hash.ts";
import { passwordToWrite } from "./passwords.ts";

/** The bits of `P` (ISO 32000-2, Table 22), counted from 1 as the standard counts. */
const PERMISSION_BITS: Record<Permission, readonly number[]> = {
  print: [3, 12],
  print_low: [3],
  modify: [4],
  copy: [5],
  annotate: [6],
  fill_forms: [9],
  assemble: [11],
};
/** Bits that are always 1: 7, 8, 13 to 32, and 10 (extraction for accessibility), which may not be denied. */
const ALWAYS = 0xfffff2c0 | 0;

/** What someone with the user password may do, as the number `P`. */
export function permissionBits(allowed: readonly Permission[] | undefined): number {
  const names = allowed ?? (Object.keys(PERMISSION_BITS) as Permission[]);
  let bits = ALWAYS;
  for (const name of names) for (const bit of PERMISSION_BITS[name]) bits |= 1 << (bit - 1);
  return bits;
}

/** Cryptographically random bytes; asked for in large pieces, for each asking costs. */
export class RandomBytes {
  #pool = new Uint8Array(0);
  #used = 0;

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
  /** The encryption dictionary. */
  readonly dict: PdfDict;
  readonly random: RandomBytes;
}

/**
 * Makes the keys for protecting a document.
 *
 * @throws ServiceError `invalid_parameter` for a password that is too long
 */
export async function newEncryption(options: {
  readonly password: string;
  readonly ownerPassword?: string | undefined;
  readonly permissions?: readonly Permission[] | undefined;
}): Promise<Encryption> {
  const random = new RandomBytes();
  const userPassword = passwordToWrite(options.password, "password");
  const fileKey = crypto.getRandomValues(new Uint8Array(32));

  // Algorithm 8: the user's entries.
  const userSalts = random.take(16);
  const user = new Uint8Array(48);
  const [userHash, userKeyKey] = await Promise.all([
    modernHash(6, userPassword, userSalts.subarray(0, 8)),
    modernHash(6, userPassword, userSalts.subarray(8)),
  ]);
  user.set(userHash);
  user.set(userSalts, 32);
  const userKey = encryptBlocks(userKeyKey, fileKey);

  const { owner, ownerKey } = await ownerEntries(options.ownerPassword, { user, fileKey, random });

  const permissions = permissionBits(options.permissions);
  const hex = (bytes: Uint8Array) => new PdfString(bytes, true);
  const filter = dictionary({
    Type: PdfName.of("CryptFilter"),
    CFM: PdfName.of("AESV3"),
    AuthEvent: PdfName.of("DocOpen"),
    Length: 32,
  });
  const dict = dictionary({
    Filter: PdfName.of("Standard"),
    V: 5,
    R: 6,
    Length: 256,
    CF: dictionary({ StdCF: filter }),
    StmF: PdfName.of("StdCF"),
    StrF: PdfName.of("StdCF"),
    O: hex(owner),
    U: hex(user),
    OE: hex(ownerKey),
    UE: hex(userKey),
    P: permissions,
    Perms: hex(encryptedPermissions(fileKey, permissions, random)),
    EncryptMetadata: true,
  });
  return { fileKey, dict, random };
}

/**
 * Algorithm 9: the owner's entries, which depend on the user's. Without a password they are random as they stand: what
 * a random password that nobody is told would give looks the same, and takes most of the time that keys take.
 */
async function ownerEntries(
  ownerPassword: string | undefined,
  { user, fileKey, random }: Pick<Encryption, "fileKey" | "random"> & { readonly user: Uint8Array },
): Promise<{ readonly owner: Uint8Array; readonly ownerKey: Uint8Array }> {
  if (ownerPassword === undefined) return { owner: random.take(48), ownerKey: random.take(32) };
  const password = passwordToWrite(ownerPassword, "owner_password");
  const salts = random.take(16);
  const owner = new Uint8Array(48);
  const [ownerHash, ownerKeyKey] = await Promise.all([
    modernHash(6, password, salts.subarray(0, 8), user),
    modernHash(6, password, salts.subarray(8), user),
  ]);
  owner.set(ownerHash);
  owner.set(salts, 32);
  return { owner, ownerKey: encryptBlocks(ownerKeyKey, fileKey) };
}

/** Algorithm 10. */
function encryptedPermissions(fileKey: Uint8Array, permissions: number, random: RandomBytes): Uint8Array {
  const block = new Uint8Array(BLOCK).fill(255);
  new DataView(block.buffer).setInt32(0, permissions, true);
  block.set([0x54, 0x61, 0x64, 0x62], 8);
  block.set(random.take(4), 12);
  return encryptBlock(fileKey, block);
}

function dictionary(entries: Record<string, PdfObject>): PdfDict {
  return new PdfDict(new Map(Object.entries(entries)));
}

/** A string, encrypted. */
export function encryptString({ fileKey, random }: Encryption, string: PdfString): PdfString {
  return new PdfString(encryptAes(fileKey, random.take(BLOCK), string.bytes), string.hex);
}
