import type { Client } from "../client.ts";
import type { FileInput } from "../downloads.ts";
import { isBlob } from "../fields.ts";
import type { OperationName } from "../http/path.ts";
import { baseName } from "../inputs.ts";
import type { FileDigest } from "../receipt.ts";
import { FORMATS, type FormatId, formatNamed, ZIP } from "../shared/formats.ts";
import type { Inspection, PageText, RenderedPage, SplitPart } from "../shared/protocol.ts";

/** The methods that yield items. */
export type LoopName = "renderPages" | "readText" | "splitParts";

/** The methods whose answers can be set. */
export type Answered = OperationName | LoopName | "inspect";

/** The fields of a method. */
export type ParamsOf<Method extends Answered> = Parameters<Client[Method]>[0];

/** What a method makes. */
export type MadeOf = {
  readonly [Name in OperationName]: Blob;
} & {
  readonly inspect: Partial<Inspection>;
  readonly renderPages: readonly RenderedPage[];
  readonly readText: readonly PageText[];
  readonly splitParts: readonly SplitPart[];
};

/** A page of A4 in points. */
const A4 = { width: 595, height: 842 };
/** The content of every file. */
const CONTENT = "Made by stayput/testing.";
const PICTURE = { width: 100, height: 100 };

/** Returns the file of a result that no test has set. */
export function madeFile(name: OperationName, to: FormatId | undefined): Blob {
  const type = to === undefined ? undefined : FORMATS[to].mime;
  return new Blob([CONTENT], {
    type: name === "splitPdf" ? ZIP : (type ?? FORMATS.pdf.mime),
  });
}

/** Returns the properties of a file, by its name. The mock does not read files. */
export function madeInspection({ file }: ParamsOf<"inspect">): Inspection {
  const size = isBlob(file) ? file.size : 0;
  const format = formatByName(file);
  switch (FORMATS[format].kind) {
    case "pdf":
      return {
        ...{ format, size, pages: 1, page_sizes: [A4], encrypted: false },
        ...{ has_outline: false, has_form: false, is_signed: false },
      };
    case "image":
      return { format, size, images: 1, page_sizes: [PICTURE] };
    default:
      return { format, size };
  }
}

/** Returns the pictures of a document of one page. */
export function madePages(): readonly RenderedPage[] {
  return [{ page: 1, blob: new Blob([CONTENT], { type: FORMATS.png.mime }), ...A4 }];
}

/** Returns the text of a document of one page. */
export function madeTexts(): readonly PageText[] {
  const words = [{ text: "Made", x: 72, y: 72, width: 30, height: 12 }];
  return [{ page: 1, text: "Made\n", words, unknown: false }];
}

/** Returns a split that makes one part. */
export function madeParts({ file }: ParamsOf<"splitParts">): readonly SplitPart[] {
  const name = isBlob(file) ? baseName(file) : "file";
  return [{ file: new File([CONTENT], `${name}-1.pdf`, { type: FORMATS.pdf.mime }), pages: [1] }];
}

/** Returns the digest of a file in a receipt. The hash is not computed. */
export function madeDigest({ size }: Blob): FileDigest {
  return { size, sha256: "0".repeat(64) };
}

/** Returns the format that the name of a file says: a PDF, if it says none. */
export function formatByName(file: FileInput): FormatId {
  const name = "name" in file && typeof file.name === "string" ? file.name : "";
  return formatNamed(/[^.]*$/.exec(name)?.[0] ?? "") ?? "pdf";
}
