import { ServiceError } from "../../src/shared/errors.ts";
import { FORMATS, type FormatId } from "../../src/shared/formats.ts";

/** The programs of LibreOffice, and the names of their export filters. */
const FAMILIES = {
  writer: {
    pdf: "writer_pdf_Export",
    docx: "MS Word 2007 XML",
    doc: "MS Word 97",
    odt: "writer8",
    rtf: "Rich Text Format",
  },
  calc: {
    pdf: "calc_pdf_Export",
    xlsx: "Calc MS Excel 2007 XML",
    xls: "MS Excel 97",
    ods: "calc8",
  },
  impress: {
    pdf: "impress_pdf_Export",
    pptx: "Impress MS PowerPoint 2007 XML",
    ppt: "MS PowerPoint 97",
    odp: "impress8",
  },
} as const;

/** One of LibreOffice's programs. */
export type Family = keyof typeof FAMILIES;

/** The formats of pages as images. */
const PAGE_IMAGES: readonly FormatId[] = ["jpg", "png", "webp"];

/** One export of LibreOffice. */
export interface Export {
  /** The name of the export filter. */
  readonly filter: string;
  /** The import filter that reads a PDF as a document. */
  readonly readAs?: string;
}

/** The steps of a conversion. */
export type Plan =
  | { readonly by: "export"; readonly export: Export }
  /** Through a PDF. */
  | { readonly by: "page images"; readonly export: Export }
  /** Through a document that shows the picture. */
  | { readonly by: "picture"; readonly family: "writer" | "impress"; readonly export: Export };

/**
 * Chooses how to convert `from` to `to`.
 *
 * @throws {ServiceError} `unsupported_conversion`
 */
export function planOf(from: FormatId, to: FormatId): Plan {
  const target = familyOf(to);
  const filter = target && filterOf(target, to);
  if (FORMATS[from].kind === "office") {
    const family = familyOf(from);
    const own = family && filterOf(family, to);
    if (own !== undefined) return { by: "export", export: { filter: own } };
    if (family !== undefined && PAGE_IMAGES.includes(to))
      return { by: "page images", export: { filter: FAMILIES[family].pdf } };
  } else if (filter !== undefined && target !== "calc" && target !== undefined) {
    if (from !== "pdf") return { by: "picture", family: target, export: { filter } };
    return { by: "export", export: { filter, readAs: `${target}_pdf_import` } };
  }
  throw new ServiceError("unsupported_conversion", reason(from, to), { from, to });
}

function familyOf(format: FormatId): Family | undefined {
  if (format === "pdf") return undefined;
  return (Object.keys(FAMILIES) as Family[]).find((family) => format in FAMILIES[family]);
}

function filterOf(family: Family, format: FormatId): string | undefined {
  const filters: Readonly<Partial<Record<FormatId, string>>> = FAMILIES[family];
  return filters[format];
}

function reason(from: FormatId, to: FormatId): string {
  return `LibreOffice does not convert ${from.toUpperCase()} to ${to.toUpperCase()}.`;
}
