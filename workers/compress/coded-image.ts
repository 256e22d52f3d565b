import { concatBytes } from "../io/concat-bytes.ts";
import { decodedChunks, UndecodableStream } from "../pdf/file/filters.ts";
import type { WorkMeter } from "../pdf/file/work-budget.ts";
import { dictOf, nameOf, PdfDict, PdfName } from "../pdf/syntax/objects.ts";
import type { PdfImage } from "./pdf-image.ts";

/** The filters that hold any data. The others are codecs of images. */
export const GENERAL_FILTERS: ReadonlySet<string | undefined> = new Set([
  ...["FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"],
]);
/** The parameters of general filters (ISO 32000-2, Table 8). */
const PARAMETERS = ["Predictor", "Colors", "BitsPerComponent", "Columns", "EarlyChange"];
/** Data is bounded by the size that the image states, so it costs nothing of the budget for the structure. */
const FREE: WorkMeter = { charge: () => {} };

/** A JPEG with more bytes than this for its tables and metadata, and for each sample, is not decoded. */
const JPEG_TABLES = 2 ** 20;
const JPEG_BYTES_PER_SAMPLE = 4;

type Bytes = Uint8Array<ArrayBuffer>;

/** A general filter and its parameters, as plain data. */
interface GeneralFilter {
  readonly name: string;
  readonly parameters: readonly (readonly [key: string, value: number])[];
}

/** How the data of an image is coded, as plain data: general filters, then a JPEG or samples row by row. */
export interface ImageCoding {
  readonly kind: "jpeg" | "samples";
  readonly filters: readonly GeneralFilter[];
  /** The bytes of all samples; of a JPEG the most that it may have. */
  readonly length: number;
}

/**
 * Returns how an image is coded.
 *
 * @returns undefined for other codecs, and for a JPEG whose colors the dictionary changes
 */
export function codingOf(dict: PdfDict, image: PdfImage): ImageCoding | undefined {
  const names = dict.list("Filter").map(nameOf);
  const parameters = dict.list("DecodeParms").map(dictOf);
  const isJpeg = names.at(-1) === "DCTDecode";
  const filters: GeneralFilter[] = [];
  for (const [index, name] of (isJpeg ? names.slice(0, -1) : names).entries()) {
    if (name === undefined || !GENERAL_FILTERS.has(name)) return undefined;
    const own = PARAMETERS.map((key) => [key, parameters[index]?.integer(key)] as const);
    filters.push({
      name,
      parameters: own.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    });
  }
  if (isJpeg) {
    // The transform that the parameters state counts if the JPEG has no segment of Adobe. No encoder writes another one.
    const isChanged = parameters.at(-1)?.has("ColorTransform") || image.bits !== 8 || image.palette;
    const length = JPEG_TABLES + JPEG_BYTES_PER_SAMPLE * image.width * image.height * image.components;
    return isChanged ? undefined : { kind: "jpeg", filters, length };
  }
  // The predictor of TIFF is known for 8 bits.
  if (image.bits !== 8 && parameters.some((one) => one?.integer("Predictor") === 2)) return undefined;
  const samples = image.palette ? 1 : image.components;
  const length = Math.ceil((image.width * samples * image.bits) / 8) * image.height;
  return { kind: "samples", filters, length };
}

/**
 * Undoes the general filters of an image.
 *
 * @param data as it is in the file, decrypted
 * @returns undefined for damaged data
 */
export function codedData({ kind, filters, length }: ImageCoding, data: Bytes): Bytes | undefined {
  const dict = PdfDict.from([
    ["Filter", filters.map(({ name }) => PdfName.of(name))],
    ["DecodeParms", filters.map(({ parameters }) => PdfDict.from(parameters))],
  ]);
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
  const whole = concatBytes(chunks);
  if (kind === "jpeg") return total < length ? whole : undefined;
  return total < length ? undefined : whole.subarray(0, length);
}
