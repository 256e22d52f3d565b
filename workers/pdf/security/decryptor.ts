import { ServiceError } from "../../../src/shared/errors.ts";
import { latin1 } from "../syntax/characters.ts";
import { nameOf, PdfDict, type PdfObject, type PdfStream, PdfString, readData } from "../syntax/objects.ts";
import { mapLeaves } from "../syntax/parts.ts";
import { decryptAes } from "./aes.ts";
import { namedCryptFilter } from "./crypt-filter.ts";
import { objectKey } from "./key-derivation.ts";
import { rc4 } from "./rc4.ts";

/** The method of a crypt filter (ISO 32000-2, Table 25). */
export type CryptMethod = "none" | "rc4" | "aes-128" | "aes-256";

/** The methods in an encryption dictionary (ISO 32000-2, 7.6.6). */
export interface CryptFilters {
  readonly streams: CryptMethod;
  readonly strings: CryptMethod;
  readonly embeddedFiles: CryptMethod;
  /** The methods of all crypt filters by name, for streams that name one. */
  readonly named: ReadonlyMap<string, CryptMethod>;
  /** Whether the document's metadata stream is encrypted. */
  readonly metadata: boolean;
}

/** The object numbers of a document's signature fields, and of their values. */
export interface SignatureNumbers {
  readonly fields: Pick<ReadonlySet<number>, "has">;
  readonly values: Pick<ReadonlySet<number>, "has">;
}

/** The numbers of the objects that are not encrypted like the others. */
interface ExceptedObjects {
  /** The encryption dictionary, whose strings are not encrypted. */
  readonly encryption: number | undefined;
  /** The document's metadata, to which {@link CryptFilters.metadata} applies (ISO 32000-2, Table 21). */
  readonly metadata?: number | undefined;
  /** Embedded files, if {@link CryptFilters.embeddedFiles} is another method. Their type is optional. */
  readonly embeddedFiles?: ReadonlySet<number> | undefined;
  /** Returns the signature fields, whose values are signatures. Called when a dictionary may be one. */
  readonly signatures: () => SignatureNumbers;
}

/** The method and the key for one object. */
export interface ObjectCipher {
  readonly method: CryptMethod;
  readonly key: Uint8Array;
}

/** Returns whether the type of a dictionary says that it is a signature. The type is optional (ISO 32000-2, Table 255). */
export function hasSignatureType(dict: PdfDict): boolean {
  return dict.is("Type", "Sig") || dict.is("Type", "DocTimeStamp");
}

/**
 * Returns an object with every string replaced by `change`, except the `Contents` of signatures, which are never
 * encrypted (ISO 32000-2, 7.6.2). Does not copy objects without strings.
 */
export function mapStrings<Value extends PdfObject>(
  object: Value,
  change: (string: PdfString) => PdfString,
  isSignature: (dict: PdfDict) => boolean = hasSignatureType,
): Value {
  return mapLeaves(object, (leaf, key, owner) => {
    if (!(leaf instanceof PdfString)) return leaf;
    return key === "Contents" && owner && isSignature(owner) ? leaf : change(leaf);
  });
}

/** The bytes to test: the start of a packet, up to four bytes for a character. */
const BEGINNING = 64;

/**
 * The start of XMP (ISO 16684-1, 7.3) and other XML in any encoding, without zero bytes. Matches one in millions of
 * encrypted streams.
 */
const XML = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?\s*<[?!A-Za-z][\x20-\x7e\t\r\n]{10}/;

const AES_128_BYTES = 16;
const UNENCRYPTED: ObjectCipher = { method: "none", key: new Uint8Array(0) };

/** Decrypts strings and streams of a document (ISO 32000-2, 7.6). */
export class Decryptor {
  readonly #fileKey: Uint8Array | ServiceError;
  readonly #filters: CryptFilters;
  readonly #excepted: ExceptedObjects;

  /** @param fileKey the file key, or the error for reading encrypted data without one */
  constructor(fileKey: Uint8Array | ServiceError, filters: CryptFilters, excepted: ExceptedObjects) {
    this.#fileKey = fileKey;
    this.#filters = filters;
    this.#excepted = excepted;
  }

  /** Returns object `num` with decrypted strings. */
  decryptStrings<Value extends PdfObject>(object: Value, num: number, gen: number): Value {
    const method = this.#filters.strings;
    if (method === "none" || num === this.#excepted.encryption) return object;
    let cipher: ObjectCipher | undefined;
    const decrypt = (string: PdfString) => {
      cipher ??= this.#cipher(method, num, gen);
      return new PdfString(decryptBytes(cipher, string.bytes), string.hex);
    };
    return mapStrings(object, decrypt, (dict) => this.#isSignature(dict, object, num));
  }

  /**
   * Returns whether a dictionary is a signature, by its type or as the value of a signature field.
   *
   * @param whole the object `num`, with the dictionary in it
   */
  #isSignature(dict: PdfDict, whole: PdfObject, num: number): boolean {
    if (hasSignatureType(dict)) return true;
    // Annotations have texts in `Contents`, too.
    if (dict.has("Subtype")) return false;
    if (dict === whole) return this.#excepted.signatures().values.has(num);
    const isValue = whole instanceof PdfDict && whole.get("V") === dict;
    return isValue && this.#excepted.signatures().fields.has(num);
  }

  /**
   * Returns the encryption of a stream; undefined when its data is in memory.
   *
   * @throws {ServiceError} `unsupported_encryption` for an unknown crypt filter or a short file key; the error that
   *   replaces the file key
   */
  streamCipher(stream: PdfStream): ObjectCipher | undefined {
    const { data } = stream;
    if (data.kind === "memory") return undefined;
    const { num, gen } = data.owner;
    return this.#cipher(this.#streamMethod(stream, num), num, gen);
  }

  #cipher(method: CryptMethod, num: number, gen: number): ObjectCipher {
    if (method === "none") return UNENCRYPTED;
    const fileKey = this.#fileKey;
    if (fileKey instanceof ServiceError) throw fileKey;
    if (method === "aes-256") return { method, key: fileKey };
    const key = objectKey(fileKey, num, gen, method === "aes-128");
    if (method === "aes-128" && key.length < AES_128_BYTES) throw unknownEncryption();
    return { method, key };
  }

  #streamMethod({ dict, data }: PdfStream, num: number): CryptMethod {
    if (dict.is("Type", "XRef")) return "none";
    const named = namedCryptFilter(dict);
    if (named !== undefined) {
      const method = this.#filters.named.get(named);
      if (method !== undefined) return method;
      throw unknownEncryption();
    }
    if (!this.#filters.metadata && dict.is("Type", "Metadata")) {
      const filter = nameOf(dict.list("Filter")[0]);
      if (num === this.#excepted.metadata || beginsUnencrypted(filter, readData(data, 0, BEGINNING)))
        return "none";
    }
    const isFile = this.#excepted.embeddedFiles?.has(num) || dict.is("Type", "EmbeddedFile");
    return isFile ? this.#filters.embeddedFiles : this.#filters.streams;
  }
}

function unknownEncryption(): ServiceError {
  return new ServiceError(
    "unsupported_encryption",
    "A part of this PDF is encrypted in a way that is not known. Open it with the program it was made for and save it without protection.",
  );
}

function decryptBytes({ method, key }: ObjectCipher, data: Uint8Array): Uint8Array {
  if (method === "none") return data;
  return method === "rc4" ? rc4(key, data) : decryptAes(key, data);
}

/**
 * Returns whether a metadata stream is not encrypted: it begins like XML, or like zlib data if that is its filter. Some
 * writers do not encrypt any metadata, although `EncryptMetadata` is about the document's metadata only.
 *
 * @param filter the first filter to decode
 */
function beginsUnencrypted(filter: string | undefined, beginning: Uint8Array): boolean {
  if (filter === undefined) return XML.test(latin1(beginning).replaceAll("\0", ""));
  return filter === "FlateDecode" && beginsAsZlib(beginning);
}

/** Checks a zlib header (RFC 1950): deflate, a window of at most 32 KB, a valid check, no preset dictionary. */
function beginsAsZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x8f) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}
