// pdf.js in a worker, both of its halves: the page stays smooth, as it does with ours.
const PACKAGE = "/test/bench/render/peers/node_modules/pdfjs-dist/";

const loaded = (async () => {
  Reflect.set(
    globalThis,
    "pdfjsWorker",
    await import(/* @vite-ignore */ `${PACKAGE}build/pdf.worker.min.mjs`),
  );
  return import(/* @vite-ignore */ `${PACKAGE}build/pdf.min.mjs`);
})();

class Canvases {
  /** @param {number} width @param {number} height */
  create(width, height) {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    return { canvas, context: canvas.getContext("2d", { willReadFrequently: true }) };
  }
  /** @param {{ canvas: OffscreenCanvas }} pair @param {number} width @param {number} height */
  reset({ canvas }, width, height) {
    canvas.width = width;
    canvas.height = height;
  }
  /** @param {{ canvas: OffscreenCanvas }} pair */
  destroy({ canvas }) {
    canvas.width = 0;
  }
  /** @param {OffscreenCanvas} canvas */
  getNoAlphaContext(canvas) {
    return canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }
}

class NoFilters {
  addFilter = () => "none";
  addHCMFilter = () => "none";
  addAlphaFilter = () => "none";
  addLuminosityFilter = () => "none";
  addHighlightHCMFilter = () => "none";
  destroy() {}
}

addEventListener("message", async ({ data: { file, dpi, quality, first, step } }) => {
  try {
    const { getDocument } = await loaded;
    const task = getDocument({
      data: new Uint8Array(await file.arrayBuffer()),
      CanvasFactory: Canvases,
      FilterFactory: NoFilters,
      ownerDocument: { fonts: Reflect.get(self, "fonts"), createElement: () => ({}) },
      standardFontDataUrl: `${PACKAGE}standard_fonts/`,
      cMapUrl: `${PACKAGE}cmaps/`,
      wasmUrl: `${PACKAGE}wasm/`,
      useWorkerFetch: true,
      disableFontFace: false,
      verbosity: 0,
    });
    const pdf = await task.promise;
    let pictures = 0;
    for (let number = first; number <= pdf.numPages; number += step) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale: dpi / 72 });
      const canvas = new OffscreenCanvas(Math.round(viewport.width), Math.round(viewport.height));
      await page.render({ canvas, viewport }).promise;
      const picture = await canvas.convertToBlob({ type: "image/jpeg", quality });
      if (picture.size > 0) pictures++;
      page.cleanup();
    }
    await task.destroy();
    postMessage({ pictures });
  } catch (thrown) {
    postMessage({ failure: String(thrown) });
  }
});
