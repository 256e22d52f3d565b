import type { CallOptions } from "../call-options.ts";
import type { Client } from "../client.ts";
import type { ServiceResult } from "../downloads.ts";
import type { CompressParams, ConvertParams } from "../operation-params.ts";
import { wrongOption } from "../shared/failure.ts";
import { FORMATS, type FormatId, formatNamed } from "../shared/formats.ts";
import { knownValues, OPTIONS } from "../shared/known-keys.ts";

/** The formats of images that a client converts. */
export type ImageFormat = {
  [Id in FormatId]: (typeof FORMATS)[Id]["kind"] extends "image" ? Id : never;
}[FormatId];

/** A file that is about to be uploaded. */
export interface UploadFile {
  readonly name: string;
  /** The MIME type. It may be empty: many browsers do not know HEIC. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

/** An image that is about to be uploaded. */
export interface UploadImage extends UploadFile {
  /** The format, by the extension of the name. If the extension says nothing, by the type. */
  readonly format: ImageFormat;
}

/** The fields of `client.convert` that concern images. */
export type ImageFields = Omit<ConvertParams, "file" | "output_format" | "dpi" | "page_size" | "password">;

/** The fields of `client.compressPdf` without the file. */
export type CompressFields = Omit<CompressParams, "file" | "password">;

/** Which images to convert before an upload, and how. All fields of `client.convert` for images are options too. */
export interface UploadOptions extends ImageFields {
  /** The client that converts, from `createClient`. */
  readonly client: Pick<Client, "blob" | "release"> & {
    convert(params: ConvertParams, options?: CallOptions): Promise<ServiceResult>;
    compressPdf?(params: CompressParams, options?: CallOptions): Promise<ServiceResult>;
  };
  /** How to compress PDFs, such as `{ dpi: 100 }` or `{}`. Default: PDFs are uploaded as they are. */
  readonly compressPdf?: CompressFields | undefined;
  /** The format to convert to. Default: `"jpg"`. */
  readonly to?: "jpg" | "jpeg" | "png" | "webp" | "avif" | undefined;
  /** Returns whether to convert an image. Other files are never converted. Default: HEIC only. */
  readonly when?: ((image: UploadImage) => boolean) | undefined;
}

/** The names of all options. */
export const UPLOAD_OPTIONS = Object.keys({
  client: true,
  compressPdf: true,
  to: true,
  when: true,
  quality: true,
  max_bytes: true,
  max_width: true,
  max_height: true,
  background: true,
  keep_metadata: true,
  pages: true,
  rotate: true,
} satisfies Record<keyof UploadOptions, true>) as readonly (keyof UploadOptions)[];

const TARGETS: readonly unknown[] = ["jpg", "jpeg", "png", "webp", "avif"] satisfies UploadOptions["to"][];

/**
 * Checks that an uploader gets no option that is not known.
 *
 * @param ofUploader the options that every plugin of the uploader takes
 * @throws {ServiceError} `invalid_parameter`
 */
export function checkNames(given: object | undefined, ofUploader: readonly string[]): void {
  knownValues(given, [...UPLOAD_OPTIONS, ...ofUploader], OPTIONS);
}

/**
 * Checks the options that are not fields. The client checks the fields.
 *
 * @param nameOf returns how the uploader calls an option
 * @throws {ServiceError} `invalid_parameter` for a wrong option
 */
export function checkOptions(
  { client, compressPdf, to, when }: { readonly [Option in keyof UploadOptions]?: unknown },
  nameOf: (option: keyof UploadOptions) => string = (option) => option,
): void {
  const check = (isValid: boolean, option: keyof UploadOptions, expected: string) => {
    if (!isValid) throw wrongOption(nameOf(option), expected);
  };
  const hasConvert = typeof client === "object" && client !== null && "convert" in client;
  check(hasConvert, "client", "a client of createClient()");
  const isFields = typeof compressPdf === "object" && compressPdf !== null;
  check(compressPdf === undefined || isFields, "compressPdf", "an object, such as { dpi: 100 } or {}");
  check(to === undefined || TARGETS.includes(to), "to", "jpg, png, webp or avif");
  check(when === undefined || typeof when === "function", "when", "a function");
}

/** Returns the options without those of the uploader itself. */
export function uploadOptions(given: UploadOptions): UploadOptions {
  const { client } = given;
  return { ...Object.fromEntries(UPLOAD_OPTIONS.map((name) => [name, given[name]])), client };
}

/** Returns the name that a file gets when it is converted or compressed. Returns nothing if it is uploaded as it is. */
export function convertedName(
  file: UploadFile,
  { to, when = isHeic, compressPdf }: Pick<UploadOptions, "to" | "when" | "compressPdf">,
): string | undefined {
  if (isPdf(file)) return compressPdf && file.name;
  const format = imageFormat(file);
  if (format === undefined) return undefined;
  const { name, type, size } = file;
  return when({ name, type, size, format }) ? withExtension(name, to) : undefined;
}

/** Replaces the extension of a name or a path by that of the target format: `trip/photo.HEIC` becomes `trip/photo.jpg`. */
export function withExtension(name: string, to: UploadOptions["to"]): string {
  return `${name.replace(/([^/])\.[^./]*$/, "$1")}.${extensionOf(to)}`;
}

/** Returns the extension of the target format. */
export function extensionOf(to: UploadOptions["to"] = "jpg"): string {
  return formatNamed(to) ?? to;
}

/** Returns the name or path of a file after its upload was prepared. A compressed PDF keeps it. */
export function uploadName(name: string, made: File, to: UploadOptions["to"]): string {
  return isPdf(made) ? name : withExtension(name, to);
}

/**
 * Converts one image to one image, or compresses a PDF. The result does not depend on the client: it stays valid after `close`.
 *
 * @param name the name of the result, from {@link convertedName}
 * @throws {ServiceError} why the file could not be converted
 * @throws the reason of `signal` when it aborts
 */
export async function convertUpload(
  file: Blob,
  name: string,
  { client, compressPdf, to = "jpg", when: _, ...fields }: UploadOptions,
  signal: AbortSignal,
): Promise<File> {
  const result = isPdf({ name, type: file.type })
    ? await client.compressPdf?.({ ...compressPdf, file }, { signal })
    : await convertImage();
  if (result === undefined) throw wrongOption("client", "a client of createClient(), which has compressPdf");
  try {
    signal.throwIfAborted();
    const made = client.blob(result);
    return new File([made], name, { type: made.type });
  } finally {
    client.release(result);
  }

  function convertImage() {
    // One upload is one image. Without a selection, a HEIC with several images would become a zip.
    const pages = fields.pages ?? "primary";
    return client.convert({ ...fields, pages, file, output_format: to }, { signal });
  }
}

function isPdf({ name, type }: Pick<UploadFile, "name" | "type">): boolean {
  return /\.pdf$/i.test(name) || type === "application/pdf";
}

function isHeic({ format }: UploadImage): boolean {
  return format === "heic";
}

function imageFormat({ name, type }: UploadFile): ImageFormat | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1];
  // Also `image/heif` and `image/heic-sequence`.
  const subtype = /^image\/(\w+)/.exec(type)?.[1];
  const format = formatNamed(extension ?? "") ?? formatNamed(subtype ?? "");
  return format !== undefined && isImage(format) ? format : undefined;
}

function isImage(format: FormatId): format is ImageFormat {
  return FORMATS[format].kind === "image";
}
