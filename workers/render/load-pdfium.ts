import { adoptWasmModule, wasmModule } from "../wasm/wasm-module.ts";

/** Returns PDFium's compiled module, to send to other workers. */
export async function pdfiumModule(): Promise<WebAssembly.Module> {
  return wasmModule(await address());
}

/** Uses a module that another worker has compiled. */
export async function adoptPdfiumModule(module: WebAssembly.Module): Promise<void> {
  adoptWasmModule(await address(), module);
}

/** Loads PDFium: the code around it, and its compiled module. */
export function loadPdfium() {
  return Promise.all([import("./wasm/pdfium.ts"), pdfiumModule()]);
}

/** Returns the address of the file. This module is in worker.js, which runs before it knows the folder of the files. */
async function address(): Promise<string> {
  return (await import("@embedpdf/pdfium/pdfium.wasm?url")).default;
}
