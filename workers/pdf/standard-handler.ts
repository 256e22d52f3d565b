import { ServiceError } from "../../src/shared/errors.ts";
import type { Permission } from "../../src/shared/protocol.ts";
import { equalBytes } from "../io/equal-bytes.ts";
import type { PdfDocument } from "./file/document.ts";
import { signatureNumbers } from "./pages/signatures.ts";
import { BLOCK, decryptBlocks } from "./security/aes.ts";
import {
  type CryptFilters,
  type CryptMethod,
  SecurityHandler,
  type SignatureNumbers,
} from "./security/handler.ts";
import { hash2B } from "./security/hash-2b.ts";
import { legacyFileKey } from "./security/key-derivation.ts";
import { legacyPasswords, modernPasswords } from "./security/passwords.ts";
import { permissionsIn } from "./security/permissions.ts";
import {
  dictOf,
  integerOf,
  type PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfString,
} from "./syntax/objects.ts";

/** A valid encryption dictionary (ISO 32000-2, 7.6.4). */
interface StandardEncryption {
  readonly revision: 2 | 3 | 4 | 5 | 6;
  /** Possible lengths of the file key in bytes, the likeliest first. */
  readonly keyLengths: readonly number[];
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly ownerKey: Uint8Array;
  readonly userKey: Uint8Array;
  /** `Perms`: the permissions, encrypted with the file key. May be empty. */
  readonly perms: Uint8Array;
  readonly permissions: number;
  readonly filters: CryptFilters;
}

/**
 * Returns whether the document is encrypted. A dangling `Encrypt` reference means no encryption (ISO 32000-2, 7.3.10). In
 * a damaged file it means that the encryption dictionary is lost.
 */
export function isEncrypted(document: PdfDocument): boolean {
  const entry = document.trailer.get("Encrypt");
  return entry !== undefined && (document.isRebuilt || document.resolve(entry) !== null);
}

/**
 * Opens an encrypted document with the user or the owner password (ISO 32000-2, 7.6.4). Later reads are decrypted.
 * Returns false for another password.
 *
 * @throws {ServiceError} `unsupported_encryption` for anything but the standard handler's revisions 2 to 6,
 *   `damaged_file` for an invalid encryption dictionary, or a file identifier that is lost with the trailer
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
 * Opens a document without a password if only its attachments are encrypted (`AuthEvent` is `EFOpen`; ISO 32000-2,
 * Table 25). Returns false when more is encrypted.
 *
 * @param refusal the error for reading an encrypted attachment
 * @throws {ServiceError} as {@link authenticate} does
 */
export function openWithoutKey(document: PdfDocument, refusal: ServiceError): boolean {
  const { filters } = readEncryption(document);
  if (filters.streams !== "none" || filters.strings !== "none") return false;
  useKey(document, refusal, filters);
  return true;
}

/**
 * Returns the permissions of a reader without the owner password. Needs no password.
 *
 * @throws {ServiceError} as {@link authenticate} does
 */
export function permissionsOf(document: PdfDocument): Permission[] {
  const { permissions, revision } = readEncryption(document);
  return permissionsIn(permissions, revision);
}

/** Uses a file key for later reads. */
function useKey(document: PdfDocument, fileKey: Uint8Array | ServiceError, filters: CryptFilters): void {
  const resolve = (object: PdfObject | undefined) => document.resolve(object);
  const encryption = numberIn(document.trailer, "Encrypt");
  let found: SignatureNumbers | undefined;
  const signatures = () => {
    found ??= signatureNumbers(document);
    return found;
  };
  document.security = new SecurityHandler(fileKey, filters, { encryption, signatures }, resolve);
  const hasUnencryptedMetadata = !filters.metadata;
  const hasOwnFiles = filters.embeddedFiles !== filters.streams;
  if (!hasUnencryptedMetadata && !hasOwnFiles) return;
  // Finding these objects requires decryption.
  const excepted = {
    encryption,
    signatures,
    metadata: hasUnencryptedMetadata ? numberIn(document.catalog, "Metadata") : undefined,
    embeddedFiles: hasOwnFiles ? embeddedFileNumbers(document) : undefined,
  };
  document.security = new SecurityHandler(fileKey, filters, excepted, resolve);
}

/** Returns the object number in an entry that is a reference. */
function numberIn(dict: PdfDict | undefined, key: string): number | undefined {
  const reference = dict?.get(key);
  return reference instanceof PdfRef ? reference.num : undefined;
}

/**
 * Returns the object numbers of embedded file streams, which file specifications name (ISO 32000-2, 7.11.4). Their type
 * is optional (Table 44), and any object may name them, so every object is read.
 *
 * @throws {ServiceError} `damaged_file`
 */
function embeddedFileNumbers(document: PdfDocument): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [num, entry] of document.crossReference.entries()) {
    if (entry.kind === "free") continue;
    addNumbers(document, document.read(document.referenceTo(num)), numbers);
  }
  return numbers;
}

/** Adds the files that an object names. The parser bounds the depth. */
function addNumbers(document: PdfDocument, object: PdfObject, numbers: Set<number>): void {
  const dict = dictOf(object);
  const addFile = (file: PdfObject) => {
    if (file instanceof PdfRef) numbers.add(file.num);
  };
  if (dict) {
    const valuesOf = (key: string) => {
      const files = document.dict(dict.get(key));
      // Very many file specifications may share one dictionary.
      document.budget.charge("entry", files?.size ?? 0);
      return files?.values() ?? [];
    };
    for (const file of valuesOf("EF")) addFile(file);
    for (const related of valuesOf("RF")) for (const file of document.array(related)) addFile(file);
    for (const value of dict.values()) addNumbers(document, value, numbers);
  } else if (Array.isArray(object)) {
    for (const item of object) addNumbers(document, item, numbers);
  }
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
    // Short entries are filled up with zeros, as in qpdf: a user password may not need the owner entries.
    owner: bytes("O", modern ? 48 : 32, 1),
    user: bytes("U", modern ? 48 : revision === 2 ? 32 : 16),
    ownerKey: modern ? bytes("OE", 32, 1) : none,
    userKey: modern ? bytes("UE", 32) : none,
    perms: permsOf(get("Perms")),
    permissions: (integerOf(get("P")) ?? -1) | 0,
    filters,
  };
}

const isRevision = (value: number): value is StandardEncryption["revision"] => value >= 2 && value <= 6;

/**
 * Returns the possible key lengths of versions 1 to 4, in bytes. In version 4 the length should be 16. For RC4 it may
 * also be the `Length` of the dictionary, or of the crypt filter for streams.
 */
function keyLengths(
  document: PdfDocument,
  dict: PdfDict,
  { version, revision, filters }: { version: number; revision: number; filters: CryptFilters },
): number[] {
  if (version === 1) return [5];
  const declared = keyBytes(document.resolve(dict.get("Length")));
  if (version === 2) return [...new Set(revision === 2 ? [5, ...declared] : [...declared, 16, 5])];
  if ([filters.streams, filters.strings, filters.embeddedFiles].includes("aes-128")) return [16];
  const name = document.resolve(dict.get("StmF"));
  const named = name instanceof PdfName ? document.dict(dict.get("CF"))?.get(name.value) : undefined;
  const filter = document.dict(named);
  return [...new Set([16, ...declared, ...keyBytes(document.resolve(filter?.get("Length")))])];
}

/** Returns a `Length` in bytes. Some writers confuse bits and bytes. The shortest key has 40 bits. */
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

/** An unknown method is an error only if it is used. */
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
  // A missing identifier counts as empty. If damage may have removed it, the password may still be right.
  if (document.isRebuilt && !(id instanceof PdfString)) {
    throw damaged("no password opens it without its file identifier, which is missing");
  }
  return undefined;
}

/**
 * Returns the file key of revisions 5 and 6 (Algorithm 2.A). Hashes take most of the time, so the hash for the user key
 * comes first: if `Perms` confirms the key, no other hash is needed.
 */
async function modernFileKey(
  encryption: StandardEncryption,
  password: string,
): Promise<Uint8Array | undefined> {
  const { owner, user, ownerKey, userKey } = encryption;
  const revision = encryption.revision === 5 ? 5 : 6;
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

function permsOf(value: PdfObject): Uint8Array {
  return value instanceof PdfString ? value.bytes.subarray(0, BLOCK) : new Uint8Array(0);
}

/** Returns whether a file key decrypts `Perms` to the permissions of the file (Algorithm 13). */
function isConfirmed(key: Uint8Array, { perms, permissions }: StandardEncryption): boolean {
  if (perms.length < BLOCK) return false;
  const bytes = decryptBlocks(key, perms);
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
