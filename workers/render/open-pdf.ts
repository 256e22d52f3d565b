import type { Turn } from "../../src/shared/rotation.ts";
import { tooMuchMemory } from "../call-budget.ts";
import type { Size } from "../image/picture/size.ts";
import type { ByteSource } from "../io/source.ts";
import type { PdfiumEngine } from "./engine.ts";
import { type FileAccess, fileAccess, LONGEST_FILE } from "./file-access.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** A coordinate outside all pages. */
const FAR = 1e9;
/** Flags of an annotation's `F` (ISO 32000-2, 12.5.3): bit positions 2 and 6. */
const HIDDEN = 2;
const NO_VIEW = 32;
/** The usage of `FPDFPage_Flatten` for annotations that a screen shows (fpdf_flatten.h). */
const FOR_DISPLAY = 0;

/** An open document, with its form. */
export class OpenPdf {
  readonly engine: PdfiumEngine;
  readonly #document: Pointer;
  readonly #access: FileAccess;
  readonly #formInfo: Pointer;
  /** The form fill environment, which draws form fields. 0 when there is none. */
  readonly form: Pointer;

  private constructor(engine: PdfiumEngine, document: Pointer, access: FileAccess) {
    this.engine = engine;
    this.#document = document;
    this.#access = access;
    this.#formInfo = engine.call((api) => api.PDFiumExt_OpenFormFillInfo());
    this.form = engine.call((api) => api.PDFiumExt_InitFormFillEnvironment(document, this.#formInfo));
  }

  /**
   * Opens a document.
   *
   * @param password empty for a document without a password
   * @returns `undefined` when PDFium cannot open it
   * @throws {EngineFailure} when PDFium fails
   * @throws {ServiceError} `input_too_large` when little memory is left for the pages
   */
  static open(engine: PdfiumEngine, source: ByteSource, password: string): OpenPdf | undefined {
    if (source.size > LONGEST_FILE) return undefined;
    const access = fileAccess(engine, source);
    const document = orFailure(access, () =>
      engine.call((api) => api.FPDF_LoadCustomDocument(access.at, password)),
    );
    if (engine.isUsedUp) throw tooMuchMemory(engine.mostMemory);
    if (document !== 0) return new OpenPdf(engine, document, access);
    access.free();
    return undefined;
  }

  get pageCount(): number {
    return this.engine.call((api) => api.FPDF_GetPageCount(this.#document));
  }

  /** How many bytes of the file have been read. Most of them are still in memory. */
  get bytesRead(): number {
    return this.#access.bytesRead();
  }

  /** Returns the object number of a page, or 0 for a direct object. */
  pageObject(index: number): number {
    return this.#read((api) => api.EPDFDoc_GetPageObjectNumberByIndex(this.#document, index));
  }

  /** Returns whether there is a page with this index, without loading its content. */
  hasPage(index: number): boolean {
    return this.#sizeAsCropped(index) !== undefined;
  }

  /** Returns the displayed size of a page in user units, rotated and cropped, or `undefined` when there is no such page. */
  pageSize(index: number): Size | undefined {
    const size = this.#sizeAsCropped(index);
    if (size === undefined || !isEmpty(size)) return size;
    // Loading the page removes a crop box that makes it empty.
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
   * Opens a page while `use` runs.
   *
   * @returns `undefined` when PDFium cannot open it
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

  /**
   * Opens a page, rotated in addition to its own rotation, while `use` runs. Annotations that do not rotate with the page
   * (`NoRotate`, ISO 32000-2, 12.5.3) stay upright: PDFium sees them only if the page itself is rotated.
   *
   * @returns `undefined` when PDFium cannot open it
   */
  withTurnedPage<Result>(index: number, turn: Turn, use: (page: Pointer) => Result): Result | undefined {
    if (turn === 0) return this.withPage(index, use);
    return this.withPage(index, (page) => {
      const { engine } = this;
      const own = engine.call((api) => api.FPDFPage_GetRotation(page));
      const rotate = (quarters: number) => engine.call((api) => api.FPDFPage_SetRotation(page, quarters % 4));
      rotate(own + turn / 90);
      try {
        return use(page);
      } finally {
        if (!engine.isBroken) rotate(own);
      }
    });
  }

  /** Loads a page. Ignores a crop box outside the page, as other readers do. */
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
   * Hides annotations of a page while the document is open.
   *
   * @param annotations their indices in `Annots`, from 0
   */
  hideAnnotations(index: number, annotations: readonly number[]): void {
    this.withPage(index, (page) => {
      for (const place of annotations) this.#hide(page, place, () => true);
    });
  }

  /** Makes the shown annotations and form fields of a page a part of its content, while the document is open. */
  flattenAnnotations(index: number): void {
    this.withPage(index, (page) => {
      const count = this.engine.call((api) => api.FPDFPage_GetAnnotCount(page));
      // PDFium does not draw such annotations, but flattens them.
      for (let place = 0; place < count; place++) this.#hide(page, place, (flags) => (flags & NO_VIEW) !== 0);
      this.engine.call((api) => api.FPDFPage_Flatten(page, FOR_DISPLAY));
    });
  }

  #hide(page: Pointer, place: number, isWanted: (flags: number) => boolean): void {
    this.engine.call((api) => {
      const annotation = api.FPDFPage_GetAnnot(page, place);
      if (annotation === 0) return;
      if (isWanted(api.FPDFAnnot_GetFlags(annotation))) api.FPDFAnnot_SetFlags(annotation, HIDDEN);
      api.FPDFPage_CloseAnnot(annotation);
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

/** Runs `work`. Throws the error of a failed read instead of the error that it causes in PDFium. */
function orFailure<Result>(access: FileAccess, work: () => Result): Result {
  try {
    return work();
  } finally {
    access.throwIfFailed();
  }
}
