import { ServiceError } from "./shared/errors.ts";
import { detectFormat } from "./shared/format-detection.ts";
import { FORMATS, type FormatId, ZIP } from "./shared/formats.ts";
import { readBytes } from "./shared/read-blob.ts";

/** The beginnings of a zip and of an OLE compound file. */
const ZIP_HEAD = "80,75,3,4";
const COMPOUND_FILE_HEAD = "208,207,17,224";

/** How much of a text is checked. */
const TEXT_BYTES = 4096;

/**
 * Returns the MIME type of a file that code outside of Stayput has made, by its content: that of the format `to`, or of an
 * archive of several files. Returns undefined for any other content. The type that the file has is never trusted: a page
 * must not open a result as HTML.
 */
export async function outputType(file: Blob, to: FormatId): Promise<string | undefined> {
  const { kind, mime } = FORMATS[to];
  const detected = await detectFormat(file).catch((thrown: unknown) => {
    // The content has no format that is accepted, or it is encrypted.
    if (!(thrown instanceof ServiceError)) throw thrown;
  });
  if (detected === to) return mime;
  if (detected !== undefined) return undefined;
  if (kind === "text") return (await isText(file)) ? mime : undefined;
  const head = [...new Uint8Array(await readBytes(file.slice(0, 4)))].join();
  if (kind === "image") return head === ZIP_HEAD ? ZIP : undefined;
  if (kind !== "office") return undefined;
  // Office programs write zips and compound files of many kinds.
  return head === ZIP_HEAD || head === COMPOUND_FILE_HEAD ? mime : undefined;
}

/** Returns whether a file begins with text in UTF-8. */
async function isText(file: Blob): Promise<boolean> {
  const bytes = await readBytes(file.slice(0, TEXT_BYTES));
  try {
    // A stream, because the last character may be cut off.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return !text.includes("\0");
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return false;
  }
}
