import { concatBytes } from "../io/concat-bytes.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { decodedChunks, UndecodableStream } from "../pdf/file/filters.ts";
import type { WorkMeter } from "../pdf/file/work-budget.ts";
import { dictOf, nameOf, type PdfDict, type PdfStream } from "../pdf/syntax/objects.ts";
import type { PdfImage } from "./pdf-image.ts";

/** The filters that hold any data. The others are codecs of images. */
export const GENERAL_FILTERS: ReadonlySet<string | undefined> = new Set([
  ...["FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"],
]);
/** Samples are bounded by the size that the image states, so they cost nothing of the budget for the structure. */
const FREE: WorkMeter = { charge: () => {} };

/** The data of an image: a JPEG, or its samples row by row, without filters. */
export type CodedImage =
  | { readonly kind: "jpeg"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "samples"; readonly bytes: Uint8Array<ArrayBuffer> };

/**
 * Returns the data of an image.
 *
 * @returns undefined for other codecs, for damaged data, and for a JPEG whose colors the dictionary changes
 */
export function codedImage(
  document: PdfDocument,
  stream: PdfStream,
  image: PdfImage,
): CodedImage | undefined {
  const { names, parameters } = filtersOf(stream.dict);
  const isJpeg = names.at(-1) === "DCTDecode";
  const general = isJpeg ? names.slice(0, -1) : names;
  if (!general.every((name) => GENERAL_FILTERS.has(name))) return undefined;
  if (isJpeg) {
    // The transform that the parameters state counts if the JPEG has no segment of Adobe. No encoder writes another one.
    if (parameters.at(-1)?.has("ColorTransform") || image.bits !== 8 || image.palette) return undefined;
    const bytes = decoded(document, stream, general.length, Infinity);
    return bytes && { kind: "jpeg", bytes };
  }
  // The predictor of TIFF is known for 8 bits.
  if (image.bits !== 8 && parameters.some((one) => one?.integer("Predictor") === 2)) return undefined;
  const samples = image.palette ? 1 : image.components;
  const length = Math.ceil((image.width * samples * image.bits) / 8) * image.height;
  const bytes = decoded(document, stream, general.length, length);
  return bytes && bytes.length >= length ? { kind: "samples", bytes: bytes.subarray(0, length) } : undefined;
}

function filtersOf(dict: PdfDict): {
  readonly names: readonly (string | undefined)[];
  readonly parameters: readonly (PdfDict | undefined)[];
} {
  return { names: dict.list("Filter").map(nameOf), parameters: dict.list("DecodeParms").map(dictOf) };
}

/** Returns data with its first filters undone; at least `length` bytes, if there are so many. */
function decoded(
  document: PdfDocument,
  stream: PdfStream,
  filters: number,
  length: number,
): Uint8Array<ArrayBuffer> | undefined {
  const dict = stream.dict.clone();
  dict.set("Filter", stream.dict.list("Filter").slice(0, filters));
  dict.set("DecodeParms", stream.dict.list("DecodeParms").slice(0, filters));
  const data = document.objects.decrypted(stream);
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for (const chunk of decodedChunks(() => [data], dict, FREE)) {
      chunks.push(chunk);
      total += chunk.length;
      if (total >= length) break;
    }
  } catch (error) {
    if (error instanceof UndecodableStream) return undefined;
    throw error;
  }
  return concatBytes(chunks);
}
