// The process in which a peer, named by the first argument, does one piece of work, from file to file: each as its
// documentation says. Loading the code is not counted, as it is not for Stayput.
import { argv } from "node:process";
import { cantoo } from "./cantoo.js";
import { pdfium } from "./pdfium.js";
import { qpdfWasm } from "./qpdf-wasm.js";

/**
 * @typedef {{ operation: string, input: string, output: string, pages: number[][] }} PeerTask `pages`: for a split,
 *   the pages of each file, from 0
 * @typedef {(task: PeerTask) => void | Promise<void>} Peer
 */

/** @type {Record<string, () => Promise<Peer>>} */
const PEERS = { cantoo, "qpdf-wasm": qpdfWasm, pdfium };

const load = PEERS[argv[2] ?? ""];
if (load === undefined) throw new Error(`no peer is called ${argv[2]}`);
const work = await load();

/** @param {{ operation: string, pageCount: number }} task */
function pagesOf({ operation, pageCount }) {
  const all = Array.from({ length: pageCount }, (_, index) => index);
  return operation === "every page" ? all.map((index) => [index]) : [all.slice(0, 10)];
}

process.on("message", async (/** @type {PeerTask & { pageCount: number }} */ task) => {
  const start = performance.now();
  await work({ ...task, pages: pagesOf(task) });
  process.send?.({ kind: "done", milliseconds: performance.now() - start });
});
process.send?.({ kind: "ready" });
