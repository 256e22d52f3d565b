import { ServiceError } from "../../../src/shared/errors.ts";
import { dictOf, type PdfDict, stringOf } from "../syntax/objects.ts";
import { BLOCK } from "./aes.ts";
import type { CryptFilters, CryptMethod } from "./decryptor.ts";

/** The part of a document that is readable without a key. */
export interface EncryptedDocument {
  readonly trailer: PdfDict;
  /** Whether the document was found by scanning a damaged file, where entries of the trailer may be lost. */
  readonly isRebuilt: boolean;
}

/** A valid encryption dictionary (ISO 32000-2, 7.6.4). */
export interface StandardEncryption {
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
  /** The first file identifier (ISO 32000-2, 14.4); undefined when damage may have removed it. */
  readonly fileId: Uint8Array | undefined;
  readonly filters: CryptFilters;
}

/**
 * Returns whether the document is encrypted. A dangling `Encrypt` reference means no encryption (ISO 32000-2, 7.3.10). In
 * a damaged file it means that the encryption dictionary is lost.
 */
export function isEncrypted(document: EncryptedDocument): boolean {
  const { trailer, isRebuilt } = document;
  return isRebuilt ? trailer.has("Encrypt") : trailer.value("Encrypt") !== null;
}

/**
 * Reads the encryption dictionary of an encrypted document.
 *
 * @throws {ServiceError} `unsupported_encryption` for anything but the standard handler's revisions 2 to 6,
 *   `damaged_file` for an invalid encryption dictionary
 */
export function readEncryption(document: EncryptedDocument): StandardEncryption {
  const dict = document.trailer.dict("Encrypt");
  if (!dict) throw damaged("its encryption dictionary is missing");
  const filter = dict.name("Filter") ?? "Standard";
  if (filter !== "Standard") {
    throw unsupported(`it is protected by the security handler "${filter}", not by a password`);
  }
  const version = dict.integer("V") ?? 0;
  const revision = dict.integer("R") ?? 0;
  if (![1, 2, 4, 5].includes(version) || !isRevision(revision) || revision >= 5 !== (version === 5)) {
    throw unsupported(`version ${version}, revision ${revision} of PDF encryption is not known`);
  }
  const none = new Uint8Array(0);
  const bytes = (key: string, length: number, least = length) => {
    const found = dict.string(key)?.bytes ?? none;
    if (found.length < least) throw damaged(`its encryption dictionary has no proper entry ${key}`);
    if (found.length >= length) return found.subarray(0, length);
    const filled = new Uint8Array(length);
    filled.set(found);
    return filled;
  };
  const filters = version >= 4 ? cryptFilters(dict, version) : uniform("rc4");
  const modern = revision >= 5;
  return {
    revision,
    keyLengths: keyLengths(dict, { version, revision, filters }),
    // Short entries are filled up with zeros, as in qpdf: a user password may not need the owner entries.
    owner: bytes("O", modern ? 48 : 32, 1),
    user: bytes("U", modern ? 48 : revision === 2 ? 32 : 16),
    ownerKey: modern ? bytes("OE", 32, 1) : none,
    userKey: modern ? bytes("UE", 32) : none,
    perms: dict.string("Perms")?.bytes.subarray(0, BLOCK) ?? none,
    permissions: (dict.integer("P") ?? -1) | 0,
    fileId: fileIdOf(document),
    filters,
  };
}

/** Returns the first file identifier. One that is missing counts as empty, unless damage may have removed it. */
function fileIdOf(document: EncryptedDocument): Uint8Array | undefined {
  const id = stringOf(document.trailer.array("ID")[0]);
  if (id) return id.bytes;
  return document.isRebuilt ? undefined : new Uint8Array(0);
}

const isRevision = (value: number): value is StandardEncryption["revision"] => value >= 2 && value <= 6;

/**
 * Returns the possible key lengths of versions 1 to 4, in bytes. In version 4 the length should be 16. For RC4 it may
 * also be the `Length` of the dictionary, or of the crypt filter for streams.
 */
function keyLengths(
  dict: PdfDict,
  { version, revision, filters }: { version: number; revision: number; filters: CryptFilters },
): number[] {
  if (version === 1) return [5];
  const declared = keyBytes(dict.integer("Length"));
  if (version === 2) return [...new Set(revision === 2 ? [5, ...declared] : [...declared, 16, 5])];
  if ([filters.streams, filters.strings, filters.embeddedFiles].includes("aes-128")) return [16];
  const filter = dict.dict("CF")?.dict(dict.name("StmF") ?? "Identity");
  return [...new Set([16, ...declared, ...keyBytes(filter?.integer("Length"))])];
}

/** Returns a `Length` in bytes. Some writers confuse bits and bytes. The shortest key has 40 bits. */
function keyBytes(length = 0): number[] {
  const bytes = length < 40 ? length : length >> 3;
  return bytes >= 5 && bytes <= 16 ? [bytes] : [];
}

const IDENTITY: ReadonlyMap<string, CryptMethod> = new Map([["Identity", "none"]]);

function uniform(method: CryptMethod): CryptFilters {
  return { streams: method, strings: method, embeddedFiles: method, named: IDENTITY, metadata: true };
}

function cryptFilters(dict: PdfDict, version: number): CryptFilters {
  const named = new Map<string, CryptMethod | UnknownMethod>(IDENTITY);
  for (const [name, value] of dict.dict("CF")?.entries() ?? []) {
    if (name !== "Identity") named.set(name, cryptMethod(dictOf(value)?.name("CFM") ?? "None", version));
  }
  const methodOf = (key: string, otherwise: CryptMethod): CryptMethod => {
    const name = dict.name(key);
    if (name === undefined) return otherwise;
    const method = named.get(name);
    if (method === undefined) throw unsupported(`its crypt filter "${name}" is not defined`);
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
    metadata: dict.value("EncryptMetadata") !== false,
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

function unsupported(why: string): ServiceError {
  return new ServiceError(
    "unsupported_encryption",
    `This PDF cannot be opened here: ${why}. Open it with the program it was made for and save it without protection.`,
  );
}

/** Returns the error for a damaged file that no password opens. `why` completes the sentence. */
export function damaged(why: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `This PDF cannot be opened: ${why}. Ask its sender for another copy.`,
  );
}
