import type { ByteSource } from "../io/source.ts";
import type { PdfiumEngine } from "./engine.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** PDFium counts a file's bytes in 32 bits, and some of its code takes them for signed. */
export const LONGEST_FILE = 2 ** 31 - 1;

/** A file that PDFium reads piece by piece (FPDF_FILEACCESS), so that it need not be in memory whole. */
export interface FileAccess {
  readonly at: Pointer;
  /** How many bytes have been read. */
  bytesRead(): number;
  /** Throws what reading failed with: exceptions must not pass through PDFium. */
  throwIfFailed(): void;
  free(): void;
}

/** @param source of at most {@link LONGEST_FILE} bytes */
export function fileAccess(engine: PdfiumEngine, source: ByteSource): FileAccess {
  let failure: { readonly thrown: unknown } | undefined;
  let bytesRead = 0;
  const getBlock = engine.api.pdfium.addFunction((_, position = 0, target = 0, size = 0) => {
    const [start, bytes] = [position >>> 0, size >>> 0];
    try {
      const piece = source.read(start, start + bytes);
      engine.view(target >>> 0, piece.length).set(piece);
      bytesRead += piece.length;
      return piece.length === bytes ? 1 : 0;
    } catch (thrown) {
      failure = { thrown };
      return 0;
    }
  }, "iiiii");
  const at = engine.words(source.size, getBlock, 0);
  return {
    at,
    bytesRead: () => bytesRead,
    throwIfFailed() {
      if (failure !== undefined) throw failure.thrown;
    },
    free() {
      engine.free(at);
      engine.api.pdfium.removeFunction(getBlock);
    },
  };
}
