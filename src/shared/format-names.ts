// The names of formats, apart from what is known of each: the page checks its options with them before it loads anything
// else. A name that is here and not in formats.ts, or the other way around, is a type error there.

/** The formats of images. */
export const IMAGE_FORMATS = ["jpg", "png", "webp", "avif", "heic", "gif", "bmp", "tiff", "jxl"] as const;

/** The formats of office documents. */
export const OFFICE_FORMATS = [
  ...(["docx", "xlsx", "pptx", "doc", "xls", "ppt"] as const),
  ...(["odt", "ods", "odp", "rtf"] as const),
] as const;

/** The format of texts. It is an output only. */
export const TEXT_FORMAT = "txt";

/** All formats of each kind. */
interface NamesOfKinds {
  readonly pdf: "pdf";
  readonly image: (typeof IMAGE_FORMATS)[number];
  readonly office: (typeof OFFICE_FORMATS)[number];
  readonly text: typeof TEXT_FORMAT;
}

/** A kind of format. */
export type FormatKind = keyof NamesOfKinds;

/** For each format, what `Row` says of a format of its kind. */
export type RowsOfFormats<Row> = {
  readonly [Kind in FormatKind as NamesOfKinds[Kind]]: Row & { readonly kind: Kind };
};
