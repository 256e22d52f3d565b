import { SharedObjects } from "../pdf/copy/shared-objects.ts";
import { writeReachable } from "../pdf/copy/whole-document.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { UndecodableStream } from "../pdf/file/filters.ts";
import { latin1 } from "../pdf/syntax/characters.ts";
import { PdfString } from "../pdf/syntax/objects.ts";
import { type CompressedDocument, DocumentImages } from "./document-images.ts";
import { kindInDocument, withoutPrivateData } from "./private-data.ts";
import { StreamRecoder } from "./recode-streams.ts";

/** Writes a whole document, as small as its images may become. */
export async function writeCompressed(task: CompressedDocument): Promise<void> {
  const { document, unused, sink, report } = task;
  const recoder = new StreamRecoder(document);
  const images = new DocumentImages(task, recoder);
  await writeReachable({
    ...{ document, sink, report, version: document.version },
    pack: !claimsPdfA1(document) && !claimsEarlyPdfX(document),
    changes: {
      kindOf: kindInDocument,
      prepareDict: withoutPrivateData,
      prepare: unused.prepare,
      deflater: recoder,
      sharedIn: (writer) => new SharedObjects(writer),
      takesStream: (copied) => images.takes(copied),
      writeTaken: (writer, copier) => images.write(writer, copier),
    },
  });
}

/**
 * Returns whether a document claims PDF/X-1, X-2 or X-3 (ISO 15930-1 to 15930-6), which are PDF 1.3 or 1.4 and allow no object
 * streams. PDF/X-4 allows them.
 */
function claimsEarlyPdfX(document: PdfDocument): boolean {
  const claim = document.trailer.dict("Info")?.value("GTS_PDFXVersion");
  return claim instanceof PdfString && /^PDF\/X-[1-3]/.test(latin1(claim.bytes));
}

/** Returns whether the metadata of a document claims PDF/A-1 (ISO 19005-1, 6.7.11), which allows no object streams. */
function claimsPdfA1(document: PdfDocument): boolean {
  const metadata = document.catalog?.stream("Metadata");
  if (!metadata) return false;
  try {
    // Metadata may be in UTF-16.
    const text = latin1(document.objects.decoded(metadata)).replaceAll("\0", "");
    return /pdfaid:part(?:>|\s*=\s*["'])\s*1\s*["'<]/.test(text);
  } catch (error) {
    if (error instanceof UndecodableStream) return false;
    throw error;
  }
}
