import { unzipSync } from "fflate";
import { type Client, createClient } from "../../../src/index.ts";
import { chosenFile } from "../chosen-file.ts";

/** The page on which the real client draws a file that a user has chosen. */

const clients = new Map<number, Client>();

window.benchRender = async ({ dpi, quality, workers }) => {
  const client = clients.get(workers) ?? createClient({ maxWorkers: workers });
  clients.set(workers, client);
  const start = performance.now();
  const result = await client.convert({ file: chosenFile(), output_format: "jpg", dpi, quality });
  const milliseconds = performance.now() - start;
  const archive = await (await fetch(result.download_url)).arrayBuffer();
  client.release(result);
  return { milliseconds, pictures: Object.keys(unzipSync(new Uint8Array(archive))).length };
};

document.title = "ready";
