import type { FormatKind, RowsOfFormats } from "./format-names.ts";

/** One format. */
export interface Format {
  readonly kind: FormatKind;
  readonly mime: string;
  /** Another name that callers use for the format. */
  readonly alias?: string;
  /** Matches the beginning of a file, with one character for each byte. Absent if {@link detectFormat} looks elsewhere. */
  readonly head?: RegExp;
}

/** MIME type of an archive. An archive is an output only, not a format. */
export const ZIP = "application/zip";

const OOXML = "application/vnd.openxmlformats-officedocument.";
const ODF = "application/vnd.oasis.opendocument.";

/**
 * Returns an OpenDocument format. Such a file is a zip. The first entry has the MIME type, without compression
 * (OpenDocument 1.3, part 2).
 */
const openDocument = (kind: string) =>
  ({ kind: "office", mime: ODF + kind, head: new RegExp(`^PK.{28}mimetype${ODF}${kind}`, "s") }) as const;

/**
 * The formats by extension. Detection tries them in this order: `avif` before `heic`, because AVIF files also carry the
 * general brands of HEIF; `pdf` last, because any bytes may stand before its header.
 */
export const FORMATS = {
  jpg: { kind: "image", mime: "image/jpeg", alias: "jpeg", head: /^\xff\xd8/ },
  png: { kind: "image", mime: "image/png", head: /^\x89PNG\r\n/ },
  webp: { kind: "image", mime: "image/webp", head: /^RIFF.{4}WEBP/s },
  avif: { kind: "image", mime: "image/avif", head: /^.{4}ftyp(.{4}){0,30}?avi[fs]/s },
  heic: {
    kind: "image",
    mime: "image/heic",
    alias: "heif",
    head: /^.{4}ftyp(.{4}){0,30}?(he[iv][cxms]|m[is]f1)/s,
  },
  gif: { kind: "image", mime: "image/gif", head: /^GIF8[79]a/ },
  // Many texts begin with "BM". The length of the second header (12, 16, 40, 52, 56, 64, 108 or 124) identifies a BMP.
  bmp: { kind: "image", mime: "image/bmp", head: /^BM.{12}[\f\cP(48@l|]\0\0\0/s },
  // Classic and BigTIFF, in both byte orders. Raw files of cameras begin like this, too.
  tiff: { kind: "image", mime: "image/tiff", alias: "tif", head: /^(II[*+]\0|MM\0[*+])/ },
  // A codestream, or a container.
  jxl: { kind: "image", mime: "image/jxl", head: /^(\xff\n|\0\0\0\fJXL \r\n\x87\n)/ },
  docx: { kind: "office", mime: `${OOXML}wordprocessingml.document` },
  xlsx: { kind: "office", mime: `${OOXML}spreadsheetml.sheet` },
  pptx: { kind: "office", mime: `${OOXML}presentationml.presentation` },
  doc: { kind: "office", mime: "application/msword" },
  xls: { kind: "office", mime: "application/vnd.ms-excel" },
  ppt: { kind: "office", mime: "application/vnd.ms-powerpoint" },
  odt: openDocument("text"),
  ods: openDocument("spreadsheet"),
  odp: openDocument("presentation"),
  rtf: { kind: "office", mime: "application/rtf", head: /^\{\\rtf/ },
  pdf: { kind: "pdf", mime: "application/pdf", head: /^.{0,1019}%PDF-/s },
  // An output only. Browsers take a text for windows-1252 if it does not name its encoding.
  txt: { kind: "text", mime: "text/plain;charset=utf-8" },
} as const satisfies RowsOfFormats<Format>;

/** A format, named by its extension. */
export type FormatId = keyof typeof FORMATS;

/** The rows of {@link FORMATS}, in order. */
export const FORMAT_ROWS = Object.entries<Format>(FORMATS) as [FormatId, Format][];

/** Returns the format of a name, ignoring case: `PDF`, `jpeg`. */
export function formatNamed(name: string): FormatId | undefined {
  const wanted = name.toLowerCase();
  return FORMAT_ROWS.find(([id, { alias }]) => id === wanted || alias === wanted)?.[0];
}
