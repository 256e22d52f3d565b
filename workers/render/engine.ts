import wasmAddress from "@embedpdf/pdfium/pdfium.wasm?url";
import { ServiceError } from "../../src/shared/errors.ts";
import { outOfMemory } from "../../src/shared/failure.ts";
import { tellsOfMemory } from "../../src/shared/job-failure.ts";
import { adoptWasmModule, wasmModule } from "../image/wasm/wasm-module.ts";
import { SystemFonts } from "./fonts/system-fonts.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** WebAssembly memory never shrinks: one that a large page has filled is given back as a whole. */
const LARGEST_KEPT_MEMORY = 192 * 2 ** 20;
/**
 * What PDFium's runtime warns of when its memory cannot grow, over its limit and under it: the abort that may follow
 * does not say why.
 */
const OVER_LIMIT = /enlarge memory, requested (\d+) bytes/i;
const REFUSED_BY_BROWSER = /heap/i;

const LONGEST_TEXT = 256;

/** PDFium gave up on a document: a trap, an abort, a stack that overflowed. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
}

interface Refusals {
  /** By how many bytes memory could not grow; infinite when it always could. */
  smallest: number;
}

let kept: PdfiumEngine | undefined;

/** PDFium's code, compiled, for other workers. */
export function pdfiumModule(): Promise<WebAssembly.Module> {
  return wasmModule(wasmAddress);
}

/** Takes over what another worker has compiled. */
export function adoptPdfiumModule(module: WebAssembly.Module): void {
  adoptWasmModule(wasmAddress, module);
}

/** One PDFium, its memory, and what it has done to it. */
export class PdfiumEngine {
  readonly api: PdfiumApi;
  /** Whom it asks for fonts that a document does not hold. */
  readonly fonts: SystemFonts;
  #isBroken = false;
  readonly #refusals: Refusals;
  #pixels: { readonly at: Pointer; readonly bytes: number } | undefined;

  private constructor(api: PdfiumApi, refusals: Refusals) {
    this.api = api;
    this.#refusals = refusals;
    this.fonts = new SystemFonts(this);
  }

  /** The one that the last document left behind, or a new one. Whoever comes while it is in use gets another. */
  static async take(): Promise<PdfiumEngine> {
    const engine = kept ?? (await PdfiumEngine.#create());
    kept = undefined;
    return engine;
  }

  static async #create(): Promise<PdfiumEngine> {
    const [{ createPdfium }, module] = await Promise.all([import("./wasm/pdfium.ts"), pdfiumModule()]);
    const refusals: Refusals = { smallest: Number.POSITIVE_INFINITY };
    let memoryBytes = () => 0;
    const api = await createPdfium(module, (warning) => {
      const wanted = OVER_LIMIT.exec(warning)?.[1];
      if (wanted !== undefined) {
        refusals.smallest = Math.min(refusals.smallest, Number(wanted) - memoryBytes());
      } else if (REFUSED_BY_BROWSER.test(warning)) refusals.smallest = 0;
    });
    memoryBytes = () => api.pdfium.HEAPU8.length;
    api.PDFiumExt_Init();
    return new PdfiumEngine(api, refusals);
  }

  /** Whether nobody knows its state any more. It must not be called again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Leaves the engine to the next document, unless it is broken or has grown large. */
  leave(): void {
    this.fonts.document = undefined;
    if (!this.#isBroken && this.memoryBytes <= LARGEST_KEPT_MEMORY) kept = this;
  }

  get memoryBytes(): number {
    return this.api.pdfium.HEAPU8.length;
  }

  /**
   * Calls PDFium.
   *
   * @throws {ServiceError} `out_of_memory`
   * @throws {EngineFailure} when it gives up
   */
  call<Result>(work: (api: PdfiumApi) => Result): Result {
    if (this.#isBroken) throw new EngineFailure("the engine is broken");
    try {
      return work(this.api);
    } catch (thrown) {
      if (thrown instanceof ServiceError) throw thrown;
      this.#isBroken = true;
      if (this.hasRefused(Number.MAX_VALUE) || tellsOfMemory(thrown)) throw outOfMemory();
      throw new EngineFailure(String(thrown));
    }
  }

  /**
   * Whether PDFium has asked for memory in vain, for at most so many bytes, and may have gone on without. What it asks
   * more for is what a file only claims to hold.
   */
  hasRefused(bytes: number): boolean {
    return this.#refusals.smallest <= bytes;
  }

  /** Begins anew with what {@link hasRefused} tells. */
  forgetRefusals(): void {
    this.#refusals.smallest = Number.POSITIVE_INFINITY;
  }

  /** Room of so many bytes. */
  allocate(bytes: number): Pointer {
    const at = this.call(({ pdfium }) => pdfium.wasmExports.malloc(bytes));
    if (at === 0) throw outOfMemory();
    return at >>> 0;
  }

  free(at: Pointer): void {
    if (!this.#isBroken) this.api.pdfium.wasmExports.free(at);
  }

  /** Room for so many pixels, the same each time as long as it suffices. */
  pixelRoom(count: number): Pointer {
    const bytes = 4 * count;
    if (this.#pixels === undefined || this.#pixels.bytes < bytes) {
      if (this.#pixels !== undefined) this.free(this.#pixels.at);
      this.#pixels = undefined;
      this.#pixels = { at: this.allocate(bytes), bytes };
    }
    return this.#pixels.at;
  }

  /** A piece of the memory, until that grows. */
  view(at: Pointer, bytes: number): Uint8Array<ArrayBuffer> {
    const { buffer } = this.api.pdfium.HEAPU8;
    if (!(buffer instanceof ArrayBuffer)) throw new Error("PDFium's memory is shared");
    return new Uint8Array(buffer, at, bytes);
  }

  /** A text that ends in 0, or the beginning of a long one: its bytes, each as a character. */
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
