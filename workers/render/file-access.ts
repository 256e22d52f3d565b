import type { ByteSource } from "../io/source.ts";
import type { PdfiumEngine } from "./engine.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** PDFium uses 32-bit file positions, and some of its code treats them as signed. */
export const LONGEST_FILE = 2 ** 31 - 1;

/** A file that PDFium reads on demand (FPDF_FILEACCESS), without holding it in memory. */
export interface FileAccess {
  readonly at: Pointer;
  /** How many bytes have been read. */
  bytesRead(): number;
  /** Throws the error of a failed read. Exceptions must not pass through PDFium. */
  throwIfFailed(): void;
  free(): void;
}

/**
 * Gives PDFium access to a source.
 *
 * @param source at most {@link LONGEST_FILE} bytes
 */
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
