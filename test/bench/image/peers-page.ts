import { chosenFile } from "../chosen-file.ts";
import { type PeerJob, peers } from "./peers/peers.js";
import { formatOf } from "./task.ts";

/** The page on which peers convert a file that a user has chosen. */

window.benchImage = async ({ peer, from, to, quality }) => {
  const convert = peers[peer ?? ""];
  if (convert === undefined) throw new Error(`no peer called ${peer}`);
  const job: PeerJob = { file: chosenFile(), from: formatOf(from), to, quality };
  const start = performance.now();
  const output = await convert(job);
  return { milliseconds: performance.now() - start, outputBytes: output.size };
};

document.title = "ready";
