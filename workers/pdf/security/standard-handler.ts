import { ServiceError } from "../../../src/shared/errors.ts";
import type { PdfDocument } from "../file/document.ts";
import { integerOf, type PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import { decryptBlocks } from "./aes.ts";
import { embeddedFileNumbers } from "./embedded-files.ts";
import { type CryptFilters, type CryptMethod, SecurityHandler } from "./handler.ts";
import { modernHash } from "./hash-2b.ts";
import { legacyFileKey } from "./key-derivation.ts";
import { equalBytes, legacyPasswords, modernPasswords } from "./passwords.ts";
import { BLOCK } from "./web-crypto.ts";

/** An encryption dictionary (ISO 32000-2, 7.6.4), read and found usable. */
interface StandardEncryption {
  readonly revision: 2 | 3 | 4 | 5 | 6;
  /** The lengths in bytes that the file key may have, likeliest first. */
  readonly keyLengths: readonly number[];
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly ownerKey: Uint8Array;
  readonly userKey: Uint8Array;
  /** `Perms`: the permissions encrypted with the file key; empty when there are none. */
  readonly proof: Uint8Array;
  readonly permissions: number;
  readonly filters: CryptFilters;
}

/**
 * Whether the document is encrypted. A reference that leads nowhere is as good as none (ISO 32000-2, 7.3.10), but in a
 * damaged file it tells of a dictionary that is lost, without which the rest cannot be read.
 */
export function isEncrypted(document: PdfDocument): boolean {
  // Looking for it may be what finds the damage.
  const found = document.resolve(document.trailer.get("Encrypt"));
  return document.trailer.has("Encrypt") && (found !== null || document.recovered);
}

/**
 * Opens an encrypted document with a password, the user's or the owner's: from then on what is read from it is
 * decrypted (ISO 32000-2, 7.6.4). False when the password is neither.
 *
 * @throws {ServiceError} `unsupported_encryption` for another scheme than the standard handler's revisions 2 to 6,
 *   `damaged_file` for an encryption dictionary that lacks something, or a file identifier that is lost with the trailer
 */
export async function authenticate(document: PdfDocument, password: string): Promise<boolean> {
  const encryption = readEncryption(document);
  const fileKey =
    encryption.revision >= 5
      ? await modernFileKey(encryption, password)
      : legacyKey(document, encryption, password);
  if (!fileKey) return false;
  useKey(document, fileKey, encryption.filters);
  return true;
}

/**
 * Opens a document without a password if only attachments of it are encrypted (`AuthEvent` is then `EFOpen`; ISO 32000-2,
 * Table 25). False when more than that is.
 *
 * @param refusal what reading an encrypted attachment fails with
 * @throws {ServiceError} as {@link authenticate} does
 */
export function openWithoutKey(document: PdfDocument, refusal: ServiceError): boolean {
  const { filters } = readEncryption(document);
  if (filters.streams !== "none" || filters.strings !== "none") return false;
  useKey(document, refusal, filters);
  return true;
}

/** Reads the document by a file key from here on. */
function useKey(document: PdfDocument, fileKey: Uint8Array | ServiceError, filters: CryptFilters): void {
  const resolve = (object: PdfObject | undefined) => document.resolve(object);
  const encryption = numberIn(document.trailer, "Encrypt");
  document.security = new SecurityHandler(fileKey, filters, { encryption }, resolve);
  const hasPlainMetadata = !filters.metadata;
  const hasOwnFiles = filters.embeddedFiles !== filters.streams;
  if (!hasPlainMetadata && !hasOwnFiles) return;
  // Which objects these are can be read from here on only.
  const excepted = {
    encryption,
    metadata: hasPlainMetadata ? numberIn(document.catalog, "Metadata") : undefined,
    embeddedFiles: hasOwnFiles ? embeddedFileNumbers(document) : undefined,
  };
  document.security = new SecurityHandler(fileKey, filters, excepted, resolve);
}

/** The number of the object that an entry refers to. */
function numberIn(dict: PdfDict | undefined, key: string): number | undefined {
  const reference = dict?.get(key);
  return reference instanceof PdfRef ? reference.num : undefined;
}

function readEncryption(document: PdfDocument): StandardEncryption {
  const dict = document.dict(document.trailer.get("Encrypt"));
  if (!dict) throw damaged("its encryption dictionary is missing");
  const get = (key: string) => document.resolve(dict.get(key));
  const filter = get("Filter");
  if (filter instanceof PdfName && filter.value !== "Standard") {
    throw unsupported(`it is protected by the security handler "${filter.value}", not by a password`);
  }
  const version = integerOf(get("V")) ?? 0;
  const revision = integerOf(get("R")) ?? 0;
  if (![1, 2, 4, 5].includes(version) || !isRevision(revision) || revision >= 5 !== (version === 5)) {
    throw unsupported(`version ${version}, revision ${revision} of PDF encryption is not known`);
  }
  const bytes = (key: string, length: number, least = length) => {
    const value = get(key);
    const found = value instanceof PdfString ? value.bytes : new Uint8Array(0);
    if (found.length < least) throw damaged(`its encryption dictionary has no proper entry ${key}`);
    if (found.length >= length) return found.subarray(0, length);
    const filled = new Uint8Array(length);
    filled.set(found);
    return filled;
  };
  const filters = version >= 4 ? cryptFilters(document, dict, version) : uniform("rc4");
  const modern = revision >= 5;
  const none = new Uint8Array(0);
  return {
    revision,
    keyLengths: keyLengths(document, dict, { version, revision, filters }),
    // Cut off, they count as filled up with zeros, as for native qpdf: a user's password may need nothing of the owner's.
    owner: bytes("O", modern ? 48 : 32, 1),
    user: bytes("U", modern ? 48 : revision === 2 ? 32 : 16),
    ownerKey: modern ? bytes("OE", 32, 1) : none,
    userKey: modern ? bytes("UE", 32) : none,
    proof: proofOf(get("Perms")),
    permissions: (integerOf(get("P")) ?? -1) | 0,
    filters,
  };
}

const isRevision = (value: number): value is StandardEncryption["revision"] => value >= 2 && value <= 6;

/**
 * The lengths that a key of version 1 to 4 may have in bytes. That of version 4 should have 16, but RC4 may be given one
 * as long as the dictionary says, or the crypt filter for streams.
 */
function keyLengths(
  document: PdfDocument,
  dict: PdfDict,
  { version, revision, filters }: { version: number; revision: number; filters: CryptFilters },
): number[] {
  if (version === 1) return [5];
  const said = keyBytes(document.resolve(dict.get("Length")));
  if (version === 2) return [...new Set(revision === 2 ? [5, ...said] : [...said, 16, 5])];
  if ([filters.streams, filters.strings, filters.embeddedFiles].includes("aes-128")) return [16];
  const name = document.resolve(dict.get("StmF"));
  const named = name instanceof PdfName ? document.dict(dict.get("CF"))?.get(name.value) : undefined;
  const filter = document.dict(named);
  return [...new Set([16, ...said, ...keyBytes(document.resolve(filter?.get("Length")))])];
}

/** Some writers count bytes where bits are meant, and the other way round; no key has fewer bits than 40. */
function keyBytes(length: PdfObject): number[] {
  const number = integerOf(length) ?? 0;
  const bytes = number < 40 ? number : number >> 3;
  return bytes >= 5 && bytes <= 16 ? [bytes] : [];
}

const IDENTITY: ReadonlyMap<string, CryptMethod> = new Map([["Identity", "none"]]);

function uniform(method: CryptMethod): CryptFilters {
  return { streams: method, strings: method, embeddedFiles: method, named: IDENTITY, metadata: true };
}

function cryptFilters(document: PdfDocument, dict: PdfDict, version: number): CryptFilters {
  const named = new Map<string, CryptMethod | UnknownMethod>(IDENTITY);
  for (const [name, value] of document.dict(dict.get("CF"))?.entries() ?? []) {
    const method = document.resolve(document.dict(value)?.get("CFM"));
    if (name !== "Identity") {
      named.set(name, cryptMethod(method instanceof PdfName ? method.value : "None", version));
    }
  }
  const methodOf = (key: string, otherwise: CryptMethod): CryptMethod => {
    const name = document.resolve(dict.get(key));
    if (!(name instanceof PdfName)) return otherwise;
    const method = named.get(name.value);
    if (method === undefined) throw unsupported(`its crypt filter "${name.value}" is not defined`);
    if (typeof method !== "string") throw unsupported(`its crypt method "${method.unknown}" is not known`);
    return method;
  };
  const streams = methodOf("StmF", "none");
  return {
    streams,
    strings: methodOf("StrF", "none"),
    embeddedFiles: methodOf("EFF", streams),
    named: new Map(
      [...named].flatMap(([name, method]) => (typeof method === "string" ? [[name, method] as const] : [])),
    ),
    metadata: document.resolve(dict.get("EncryptMetadata")) !== false,
  };
}

/** A method that is of no concern as long as no stream and no string uses it. */
interface UnknownMethod {
  readonly unknown: string;
}

function cryptMethod(name: string, version: number): CryptMethod | UnknownMethod {
  if (name === "None") return "none";
  if (name === "V2" && version === 4) return "rc4";
  if (name === "AESV2" && version === 4) return "aes-128";
  if (name === "AESV3" && version === 5) return "aes-256";
  return { unknown: name };
}

function legacyKey(
  document: PdfDocument,
  encryption: StandardEncryption,
  password: string,
): Uint8Array | undefined {
  const { revision } = encryption;
  if (revision === 5 || revision === 6) return undefined;
  const [first] = document.array(document.trailer.get("ID"));
  const id = document.resolve(first);
  const fileId = id instanceof PdfString ? id.bytes : new Uint8Array(0);
  const encryptMetadata = encryption.filters.metadata;
  for (const keyLength of encryption.keyLengths) {
    for (const bytes of legacyPasswords(password)) {
      const key = legacyFileKey(bytes, { ...encryption, revision, keyLength, fileId, encryptMetadata });
      if (key) return key;
    }
  }
  // Some files have none, and it counts as empty; but where it may be lost, no password can be told to be wrong.
  if (document.recovered && !(id instanceof PdfString)) {
    throw damaged("no password opens it without its file identifier, which is missing");
  }
  return undefined;
}

/**
 * The file key of revision 5 or 6 (Algorithm 2.A). A hash takes longer than anything else, so that of the user's key is
 * made first: where the key proves to be the right one, that of the password need not be made.
 */
async function modernFileKey(
  encryption: StandardEncryption,
  password: string,
): Promise<Uint8Array | undefined> {
  const { owner, user, ownerKey, userKey } = encryption;
  const revision = encryption.revision === 5 ? 5 : 6;
  for (const bytes of modernPasswords(password)) {
    const hash = (salt: Uint8Array, salted?: Uint8Array) => modernHash(revision, bytes, salt, salted);
    const key = decryptBlocks(await hash(user.subarray(40, 48)), userKey);
    if (isProved(key, encryption)) return key;
    if (equalBytes(await hash(user.subarray(32, 40)), user.subarray(0, 32))) return key;
    if (equalBytes(await hash(owner.subarray(32, 40), user), owner.subarray(0, 32))) {
      return decryptBlocks(await hash(owner.subarray(40, 48), user), ownerKey);
    }
  }
  return undefined;
}

function proofOf(value: PdfObject): Uint8Array {
  return value instanceof PdfString ? value.bytes.subarray(0, BLOCK) : new Uint8Array(0);
}

/** Whether a file key gives the permissions that the file says it has (Algorithm 13): no other does. */
function isProved(key: Uint8Array, { proof, permissions }: StandardEncryption): boolean {
  if (proof.length < BLOCK) return false;
  const bytes = decryptBlocks(key, proof);
  const view = new DataView(bytes.buffer, bytes.byteOffset, BLOCK);
  const isMarked = String.fromCharCode(...bytes.subarray(9, 12)) === "adb";
  return isMarked && view.getInt32(0, true) === permissions && view.getInt32(4, true) === -1;
}

function unsupported(why: string): ServiceError {
  return new ServiceError(
    "unsupported_encryption",
    `This PDF cannot be opened here: ${why}. Open it with the program it was made for and save it without protection.`,
  );
}

function damaged(why: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `This PDF cannot be opened: ${why}. Ask its sender for another copy.`,
  );
}
