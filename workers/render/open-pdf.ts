import type { ByteSource } from "../io/source.ts";
import type { PdfiumEngine } from "./engine.ts";
import { type FileAccess, fileAccess, LONGEST_FILE } from "./file-access.ts";
import type { Size } from "./page-size.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** Beyond any page. */
const FAR = 1e9;
/** Of an annotation's `F` (ISO 32000-2, 12.5.3): the bit of position 2. */
const HIDDEN = 2;

/** A document that PDFium has opened, with its form. */
export class OpenPdf {
  readonly engine: PdfiumEngine;
  readonly #document: Pointer;
  readonly #access: FileAccess;
  readonly #formInfo: Pointer;
  /** What draws form fields; 0 when there is none. */
  readonly form: Pointer;

  private constructor(engine: PdfiumEngine, document: Pointer, access: FileAccess) {
    this.engine = engine;
    this.#document = document;
    this.#access = access;
    this.#formInfo = engine.call((api) => api.PDFiumExt_OpenFormFillInfo());
    this.form = engine.call((api) => api.PDFiumExt_InitFormFillEnvironment(document, this.#formInfo));
  }

  /**
   * @param password empty for a document that needs none
   * @returns nothing when PDFium does not open it, for whatever reason
   * @throws {EngineFailure} when the engine gives up
   */
  static open(engine: PdfiumEngine, source: ByteSource, password: string): OpenPdf | undefined {
    if (source.size > LONGEST_FILE) return undefined;
    const access = fileAccess(engine, source);
    const document = orFailure(access, () =>
      engine.call((api) => api.FPDF_LoadCustomDocument(access.at, password)),
    );
    if (document !== 0) return new OpenPdf(engine, document, access);
    access.free();
    return undefined;
  }

  get pageCount(): number {
    return this.engine.call((api) => api.FPDF_GetPageCount(this.#document));
  }

  /** How many bytes of the file have been read, and are still in memory for the most part. */
  get bytesRead(): number {
    return this.#access.bytesRead();
  }

  /** The number of the object that a page is; 0 for one that stands in its parent by itself. */
  pageObject(index: number): number {
    return this.#read((api) => api.EPDFDoc_GetPageObjectNumberByIndex(this.#document, index));
  }

  /** A page's size in user units, turned and cropped as it is shown; nothing when there is no such page. */
  pageSize(index: number): Size | undefined {
    const size = this.#sizeAsCropped(index);
    if (size === undefined || !isEmpty(size)) return size;
    this.withPage(index, () => {});
    return this.#sizeAsCropped(index);
  }

  #sizeAsCropped(index: number): Size | undefined {
    const at = this.engine.words(0, 0);
    try {
      const isThere = this.#read((api) => api.FPDF_GetPageSizeByIndexF(this.#document, index, at));
      if (!isThere) return undefined;
      const { buffer, byteOffset } = this.engine.view(at, 8);
      const [width = 0, height = 0] = new Float32Array(buffer, byteOffset, 2);
      return { width, height };
    } finally {
      this.engine.free(at);
    }
  }

  /**
   * Opens a page for as long as `use` runs.
   *
   * @returns nothing when PDFium cannot open it
   */
  withPage<Result>(index: number, use: (page: Pointer) => Result): Result | undefined {
    return orFailure(this.#access, () => {
      const { engine, form } = this;
      const page = engine.call((api) => this.#load(api, index));
      if (page === 0) return undefined;
      try {
        engine.call((api) => api.FORM_OnAfterLoadPage(page, form));
        return use(page);
      } finally {
        if (!engine.isBroken) {
          engine.call((api) => {
            api.FORM_OnBeforeClosePage(page, form);
            api.FPDF_ClosePage(page);
          });
        }
      }
    });
  }

  /** A page that its crop box does not meet is loaded without that, as other readers do. */
  #load(api: PdfiumApi, index: number): Pointer {
    const page = api.FPDF_LoadPage(this.#document, index);
    if (page === 0) return page;
    const size = { width: api.FPDF_GetPageWidthF(page), height: api.FPDF_GetPageHeightF(page) };
    if (!isEmpty(size)) return page;
    api.FPDFPage_SetCropBox(page, -FAR, -FAR, FAR, FAR);
    api.FPDF_ClosePage(page);
    return api.FPDF_LoadPage(this.#document, index);
  }

  /**
   * Has some of a page's annotations left out, for as long as the document is open.
   *
   * @param annotations by their places in `Annots`, counted from 0
   */
  hideAnnotations(index: number, annotations: readonly number[]): void {
    this.withPage(index, (page) => {
      this.engine.call((api) => {
        for (const place of annotations) {
          const annotation = api.FPDFPage_GetAnnot(page, place);
          if (annotation === 0) continue;
          api.FPDFAnnot_SetFlags(annotation, HIDDEN);
          api.FPDFPage_CloseAnnot(annotation);
        }
      });
    });
  }

  #read<Result>(work: (api: PdfiumApi) => Result): Result {
    return orFailure(this.#access, () => this.engine.call(work));
  }

  close(): void {
    if (this.engine.isBroken) return;
    this.engine.call((api) => {
      api.PDFiumExt_ExitFormFillEnvironment(this.form);
      api.PDFiumExt_CloseFormFillInfo(this.#formInfo);
      api.FPDF_CloseDocument(this.#document);
    });
    this.#access.free();
  }
}

function isEmpty({ width, height }: Size): boolean {
  return width <= 0 || height <= 0;
}

/** When the file could not be read, that is why the work failed, whatever PDFium made of it: it may well trap. */
function orFailure<Result>(access: FileAccess, work: () => Result): Result {
  try {
    return work();
  } finally {
    access.throwIfFailed();
  }
}
