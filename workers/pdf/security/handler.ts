import { ServiceError } from "../../../src/shared/errors.ts";
import { PdfDict, type PdfObject, PdfStream, PdfString } from "../syntax/objects.ts";
import { decryptAes } from "./aes.ts";
import { firstFilter, namedCryptFilter, type Resolve } from "./crypt-filter.ts";
import { objectKey } from "./key-derivation.ts";
import { rc4 } from "./rc4.ts";
import { beginsPlain, TELLING_BYTES } from "./unencrypted-metadata.ts";

/** How a crypt filter works (ISO 32000-2, Table 25). */
export type CryptMethod = "none" | "rc4" | "aes-128" | "aes-256";

/** Which method is for what, out of an encryption dictionary (ISO 32000-2, 7.6.6). */
export interface CryptFilters {
  readonly streams: CryptMethod;
  readonly strings: CryptMethod;
  readonly embeddedFiles: CryptMethod;
  /** The methods of all crypt filters by name, for streams that name one. */
  readonly named: ReadonlyMap<string, CryptMethod>;
  /** Whether the document's metadata stream is encrypted like any other. */
  readonly metadata: boolean;
}

/** Objects that are encrypted otherwise than their like, by number. */
export interface ExceptedObjects {
  /** The encryption dictionary, whose own strings are not encrypted. */
  readonly encryption: number | undefined;
  /** The document's metadata, the only ones that {@link CryptFilters.metadata} is about (ISO 32000-2, Table 21). */
  readonly metadata?: number | undefined;
  /** Embedded files, where {@link CryptFilters.embeddedFiles} is a method of their own: they need not say what they are. */
  readonly embeddedFiles?: ReadonlySet<number> | undefined;
}

/** A method together with the key for one object. */
export interface ObjectCipher {
  readonly method: CryptMethod;
  readonly key: Uint8Array;
}

/** Whether a dictionary is a signature's, whose `Contents` is outside all encryption (ISO 32000-2, 7.6.2). */
export function isSignature(dict: PdfDict): boolean {
  return (
    dict.has("ByteRange") &&
    dict.get("Contents") instanceof PdfString &&
    (dict.has("Filter") || dict.is("Type", "Sig"))
  );
}

/**
 * An object with every string passed through `change`, but for a signature's `Contents`. What has no strings is not
 * copied. Depth is bounded by what the parser lets in.
 */
export function mapStrings<Value extends PdfObject>(
  object: Value,
  change: (string: PdfString) => PdfString,
): Value;
export function mapStrings(object: PdfObject, change: (string: PdfString) => PdfString): PdfObject {
  if (object instanceof PdfStream) {
    const dict = mapStrings(object.dict, change);
    return dict === object.dict ? object : new PdfStream(dict, object.data);
  }
  if (object instanceof PdfString) return change(object);
  if (Array.isArray(object)) {
    let copy: PdfObject[] | undefined;
    for (let index = 0; index < object.length; index++) {
      const item = object[index] ?? null;
      const mapped = mapStrings(item, change);
      if (mapped === item) continue;
      copy ??= object.slice();
      copy[index] = mapped;
    }
    return copy ?? object;
  }
  if (!(object instanceof PdfDict)) return object;
  let copy: PdfDict | undefined;
  const signature = isSignature(object);
  for (let index = 0; index < object.size; index++) {
    const key = object.keyAt(index);
    if (signature && key === "Contents") continue;
    const value = object.valueAt(index);
    const mapped = mapStrings(value, change);
    if (mapped === value) continue;
    copy ??= object.clone();
    copy.set(key, mapped);
  }
  return copy ?? object;
}

const AES_128_BYTES = 16;
const UNENCRYPTED: ObjectCipher = { method: "none", key: new Uint8Array(0) };

/** Decrypts what a document holds, once a password has given the file key (ISO 32000-2, 7.6). */
export class SecurityHandler {
  readonly #fileKey: Uint8Array | ServiceError;
  readonly #filters: CryptFilters;
  readonly #excepted: ExceptedObjects;
  readonly #resolve: Resolve;

  /** @param fileKey where there is none, what everything that is encrypted is refused with */
  constructor(
    fileKey: Uint8Array | ServiceError,
    filters: CryptFilters,
    excepted: ExceptedObjects,
    resolve: Resolve,
  ) {
    this.#fileKey = fileKey;
    this.#filters = filters;
    this.#excepted = excepted;
    this.#resolve = resolve;
  }

  /** The strings of object `num`, decrypted. */
  decryptStrings<Value extends PdfObject>(object: Value, num: number, gen: number): Value {
    const method = this.#filters.strings;
    if (method === "none" || num === this.#excepted.encryption) return object;
    let cipher: ObjectCipher | undefined;
    return mapStrings(object, (string) => {
      cipher ??= this.#cipher(method, num, gen);
      return new PdfString(decryptBytes(cipher, string.bytes), string.hex);
    });
  }

  /**
   * How the data of a stream of object `num` is encrypted.
   *
   * @param beginning gives the data's first bytes as they stand, where they have to tell
   * @throws {ServiceError} `unsupported_encryption` for a crypt filter of its own that is not known or wants a longer
   *   key than the file has, and what there is instead of a key
   */
  streamCipher(
    dict: PdfDict,
    num: number,
    gen: number,
    beginning: (length: number) => Uint8Array,
  ): ObjectCipher {
    return this.#cipher(this.#streamMethod(dict, num, beginning), num, gen);
  }

  /** A stream's data, decrypted. Throws as {@link streamCipher} does. */
  decryptStreamSync(data: Uint8Array, dict: PdfDict, num: number, gen: number): Uint8Array {
    const cipher = this.streamCipher(dict, num, gen, (length) => data.subarray(0, length));
    return decryptBytes(cipher, data);
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

  #streamMethod(dict: PdfDict, num: number, beginning: (length: number) => Uint8Array): CryptMethod {
    if (dict.is("Type", "XRef")) return "none";
    const named = namedCryptFilter(dict, this.#resolve);
    if (named !== undefined) {
      const method = this.#filters.named.get(named);
      if (method !== undefined) return method;
      throw unknownEncryption();
    }
    if (!this.#filters.metadata && dict.is("Type", "Metadata")) {
      const filter = firstFilter(dict, this.#resolve);
      if (num === this.#excepted.metadata || beginsPlain(filter, beginning(TELLING_BYTES))) return "none";
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
