import { ServiceError } from "../../src/shared/errors.ts";
import { outOfMemory } from "../../src/shared/failure.ts";
import { isOutOfMemory } from "../../src/shared/job-failure.ts";
import { requestGc } from "../../src/shared/request-gc.ts";
import { tooMuchMemory } from "../call-budget.ts";
import { SystemFonts } from "./fonts/system-fonts.ts";
import { loadPdfium } from "./load-pdfium.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** WebAssembly memory never shrinks. An engine with more memory than this is not used for its document again. */
const LARGEST_KEPT_MEMORY = 192 * 2 ** 20;
/** Above this share of its memory, an engine is replaced before the next page. */
const USED_UP = 3 / 4;
/** The browser is asked to free the memory of unused engines when they have more. Asking for each takes 2 ms. */
const MOST_UNUSED_MEMORY = 192 * 2 ** 20;
/** The most bytes of an instance that PDFium itself allows. Only a damaged file asks for more. */
const PDFIUM_MEMORY = 2 ** 31;
/**
 * Warnings of PDFium's runtime when its memory cannot grow: above its own limit, or refused by the browser. The abort that
 * may follow does not name the reason.
 */
const OVER_LIMIT = /enlarge memory, requested (\d+) bytes/i;
const REFUSED_BY_BROWSER = /heap/i;

const LONGEST_TEXT = 256;

/** PDFium failed with a trap, an abort or a stack overflow. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
}

interface Refusals {
  /** The smallest growth in bytes that failed. Infinite when none failed. */
  smallest: number;
  /** Whether our own limit of memory was the reason. */
  isByLimit: boolean;
}

/** What an engine is made for. */
export interface EngineUse {
  /** The file of the document. */
  readonly file: Blob;
  /** The most bytes of memory. */
  readonly mostMemory: number;
}

/** The memory of engines that are no longer used. Browsers free it late without a request. */
let unusedBytes = 0;

/** The engine of a document that was closed. It opens the same document again, and no other. */
let kept: { readonly file: Blob; readonly engine: PdfiumEngine } | undefined;

/** One instance of PDFium with its memory. */
export class PdfiumEngine {
  readonly api: PdfiumApi;
  /** Provides fonts that a document does not contain. */
  readonly fonts: SystemFonts;
  #isBroken = false;
  readonly #refusals: Refusals;
  #pixels: { readonly at: Pointer; readonly bytes: number } | undefined;

  readonly #use: EngineUse;

  private constructor(api: PdfiumApi, refusals: Refusals, use: EngineUse) {
    this.api = api;
    this.#refusals = refusals;
    this.#use = use;
    this.fonts = new SystemFonts(this);
  }

  /**
   * Returns a new engine, or the one that had the same document open before. Documents change the state of an engine, so
   * each gets its own: the next one could look different.
   */
  static async take(use: EngineUse): Promise<PdfiumEngine> {
    const engine = kept?.file === use.file ? kept.engine : undefined;
    if (engine === undefined) unusedBytes += kept?.engine.memoryBytes ?? 0;
    kept = undefined;
    return engine ?? (await PdfiumEngine.#create(use));
  }

  static async #create(use: EngineUse): Promise<PdfiumEngine> {
    const [{ createPdfium }, module] = await loadPdfium();
    if (unusedBytes > MOST_UNUSED_MEMORY) {
      requestGc();
      unusedBytes = 0;
    }
    const refusals: Refusals = { smallest: Number.POSITIVE_INFINITY, isByLimit: false };
    let memoryBytes = () => 0;
    const refuse = (wanted: number) => {
      refusals.smallest = Math.min(refusals.smallest, wanted - memoryBytes());
    };
    const onWarning = (warning: string) => {
      const wanted = OVER_LIMIT.exec(warning)?.[1];
      if (wanted !== undefined) refuse(Number(wanted));
      else if (REFUSED_BY_BROWSER.test(warning)) refusals.smallest = 0;
    };
    const mayGrow = (bytes: number) => {
      // PDFium refuses more by itself, and reports it.
      if (bytes <= use.mostMemory || bytes > PDFIUM_MEMORY) return true;
      refuse(bytes);
      refusals.isByLimit = true;
      return false;
    };
    const api = await createPdfium(module, onWarning, mayGrow);
    memoryBytes = () => api.pdfium.HEAPU8.length;
    api.PDFiumExt_Init();
    return new PdfiumEngine(api, refusals, use);
  }

  /** Whether a call has failed. The state is then undefined, and the engine must not be called again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Keeps the engine for the same document, unless it is broken or has grown large. */
  leave(): void {
    this.fonts.document = undefined;
    if (this.#isBroken || this.memoryBytes > LARGEST_KEPT_MEMORY) unusedBytes += this.memoryBytes;
    else kept = { file: this.#use.file, engine: this };
  }

  /** Marks the engine as broken, after work that failed or was broken off. */
  abandon(): void {
    this.#isBroken = true;
  }

  /** Whether little of its memory is left. A new engine has all of it. */
  get isUsedUp(): boolean {
    return this.memoryBytes > this.mostMemory * USED_UP;
  }

  /** The most bytes of memory that it takes. */
  get mostMemory(): number {
    return this.#use.mostMemory;
  }

  get memoryBytes(): number {
    return this.api.pdfium.HEAPU8.length;
  }

  /**
   * Calls PDFium.
   *
   * @throws {ServiceError} `out_of_memory`; `input_too_large` when it failed at our limit of memory
   * @throws {EngineFailure} when PDFium fails
   */
  call<Result>(work: (api: PdfiumApi) => Result): Result {
    if (this.#isBroken) throw new EngineFailure("the engine is broken");
    try {
      return work(this.api);
    } catch (thrown) {
      if (thrown instanceof ServiceError) throw thrown;
      this.#isBroken = true;
      this.throwIfLimited();
      if (this.hasRefused(Number.MAX_VALUE) || isOutOfMemory(thrown)) throw outOfMemory();
      throw new EngineFailure(String(thrown));
    }
  }

  /**
   * Whether a request for at most that many bytes of memory has failed. PDFium may have continued without the memory.
   * Larger requests come from sizes that a damaged file only claims.
   */
  hasRefused(bytes: number): boolean {
    return this.#refusals.smallest <= bytes;
  }

  /** Resets {@link hasRefused} and {@link throwIfLimited}. */
  forgetRefusals(): void {
    this.#refusals.smallest = Number.POSITIVE_INFINITY;
    this.#refusals.isByLimit = false;
  }

  /**
   * Throws if PDFium has asked for more memory than our limit allows. It may have left something out.
   *
   * @throws {ServiceError} `input_too_large`
   */
  throwIfLimited(): void {
    if (this.#refusals.isByLimit) throw tooMuchMemory(this.#use.mostMemory);
  }

  /** Allocates memory. Throws `out_of_memory`, or `input_too_large` above our limit. */
  allocate(bytes: number): Pointer {
    const at = this.call(({ pdfium }) => pdfium.wasmExports.malloc(bytes));
    if (at === 0) this.throwIfLimited();
    if (at === 0) throw outOfMemory();
    return at >>> 0;
  }

  free(at: Pointer): void {
    if (!this.#isBroken) this.api.pdfium.wasmExports.free(at);
  }

  /** Returns memory for that many pixels. Reuses the previous memory when it is large enough. */
  pixelBuffer(count: number): Pointer {
    const bytes = 4 * count;
    if (this.#pixels === undefined || this.#pixels.bytes < bytes) {
      if (this.#pixels !== undefined) this.free(this.#pixels.at);
      this.#pixels = undefined;
      this.#pixels = { at: this.allocate(bytes), bytes };
    }
    return this.#pixels.at;
  }

  /** Returns a view of the memory. It is valid until the memory grows. */
  view(at: Pointer, bytes: number): Uint8Array<ArrayBuffer> {
    const { buffer } = this.api.pdfium.HEAPU8;
    if (!(buffer instanceof ArrayBuffer)) throw new Error("PDFium's memory is shared");
    return new Uint8Array(buffer, at, bytes);
  }

  /** Reads a text that ends in 0, up to 256 bytes. Each byte becomes a character. */
  text(at: Pointer): string {
    const start = at >>> 0;
    const bytes = this.view(start, Math.min(LONGEST_TEXT, this.memoryBytes - start));
    const end = bytes.indexOf(0);
    return String.fromCharCode(...bytes.subarray(0, end < 0 ? bytes.length : end));
  }

  /** Allocates a structure of 32-bit words. */
  words(...values: readonly number[]): Pointer {
    const at = this.allocate(4 * values.length);
    const { buffer, byteOffset } = this.view(at, 4 * values.length);
    new Uint32Array(buffer, byteOffset, values.length).set(values);
    return at;
  }
}
