// A stand-in for @matbee/libreoffice-converter/browser, with the part of its interface that docs/recipes/office-engine.md
// uses. Its worker makes a PDF of anything but a file that begins with "broken".

export const createWasmPaths = (base) => ({ sofficeWasm: `${base}soffice.wasm` });

export class WorkerBrowserConverter {
  #options;
  #worker;
  constructor(options) {
    this.#options = options;
  }
  async initialize() {
    new SharedArrayBuffer(1);
    this.#worker = new Worker(this.#options.browserWorkerJs);
  }
  convert(input, { outputFormat }, name) {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
      this.#worker.postMessage({ input, outputFormat, name }, [input]);
    });
  }
}
