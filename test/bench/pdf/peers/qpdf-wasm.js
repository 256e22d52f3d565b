import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { load, OWNER_PASSWORD, PASSWORD, read, write } from "./files.js";

const INPUT = "/input.pdf";
const OUTPUT = "/output";

/** @param {import("./peer-process.js").PeerTask} task */
function argumentsFor({ operation, pages }) {
  const result = `${OUTPUT}/result.pdf`;
  switch (operation) {
    case "protect":
      return ["--encrypt", PASSWORD, OWNER_PASSWORD, "256", "--", INPUT, result];
    case "unlock":
      return [`--password=${PASSWORD}`, "--decrypt", INPUT, result];
    case "split":
      return [INPUT, "--pages", ".", `1-${pages[0]?.length}`, "--", result];
    default:
      return ["--split-pages", INPUT, `${OUTPUT}/page-%d.pdf`];
  }
}

/** @returns {Promise<import("./peer-process.js").Peer>} */
export async function qpdfWasm() {
  const { default: createModule } = await load("@neslinesli93/qpdf-wasm");
  const path = createRequire(import.meta.url).resolve("@neslinesli93/qpdf-wasm/dist/qpdf.wasm");
  const qpdf = await createModule({ locateFile: () => path, wasmBinary: readFileSync(path) });
  return (task) => {
    qpdf.FS.writeFile(INPUT, read(task.input));
    qpdf.FS.mkdir(OUTPUT);
    const code = qpdf.callMain(argumentsFor(task));
    if (code !== 0) throw new Error(`qpdf ended with ${code}`);
    const names = qpdf.FS.readdir(OUTPUT).filter((/** @type {string} */ name) => name.endsWith(".pdf"));
    for (const [number, name] of names.sort().entries()) {
      write(task, number, qpdf.FS.readFile(`${OUTPUT}/${name}`));
    }
  };
}
