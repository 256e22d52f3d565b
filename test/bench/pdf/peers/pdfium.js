import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { load, OWNER_PASSWORD, PASSWORD, read, write } from "./files.js";

const ALL_ALLOWED = 0xfffffffc | 0;

/** @returns {Promise<import("./peer-process.js").Peer>} */
export async function pdfium() {
  const { init } = await load("@embedpdf/pdfium");
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm"));
  const pdfium = await init({ wasmBinary });
  pdfium.PDFiumExt_Init();
  const { pdfium: module } = pdfium;
  const { malloc, free } = module.wasmExports;

  /** @param {Uint8Array} bytes @param {string} password */
  function open(bytes, password) {
    const place = malloc(bytes.length);
    if (place === 0) throw new Error("PDFium has no memory for the file");
    module.HEAPU8.set(bytes, place);
    const document = pdfium.FPDF_LoadMemDocument(place, bytes.length, password);
    if (document === 0) throw new Error(`PDFium cannot open the file: ${pdfium.FPDF_GetLastError()}`);
    return document;
  }

  /** @param {number} document */
  function save(document) {
    const writer = pdfium.PDFiumExt_OpenFileWriter();
    pdfium.PDFiumExt_SaveAsCopy(document, writer);
    const length = pdfium.PDFiumExt_GetFileWriterSize(writer);
    const place = malloc(length);
    pdfium.PDFiumExt_GetFileWriterData(writer, place, length);
    const bytes = module.HEAPU8.slice(place, place + length);
    free(place);
    pdfium.PDFiumExt_CloseFileWriter(writer);
    return bytes;
  }

  return (task) => {
    const document = open(read(task.input), task.operation === "unlock" ? PASSWORD : "");
    switch (task.operation) {
      case "protect":
        if (!pdfium.EPDF_SetEncryption(document, PASSWORD, OWNER_PASSWORD, ALL_ALLOWED))
          throw new Error("PDFium does not encrypt the file");
        write(task, 0, save(document));
        break;
      case "unlock":
        if (!pdfium.EPDF_RemoveEncryption(document)) throw new Error("PDFium does not decrypt the file");
        write(task, 0, save(document));
        break;
      default:
        for (const [number, pages] of task.pages.entries()) {
          const part = pdfium.FPDF_CreateNewDocument();
          const range = `${(pages[0] ?? 0) + 1}-${(pages.at(-1) ?? 0) + 1}`;
          if (!pdfium.FPDF_ImportPages(part, document, range, 0)) {
            throw new Error("PDFium does not take the pages over");
          }
          write(task, number, save(part));
          pdfium.FPDF_CloseDocument(part);
        }
    }
  };
}
