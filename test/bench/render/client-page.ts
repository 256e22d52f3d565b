import { unzipSync } from "fflate";
import { type Client, createClient } from "../../../src/index.ts";
import { chosenFile } from "../chosen-file.ts";
import type { RenderAnswer } from "./contestant.ts";

/** The page on which the real client draws a file that a user has chosen. */

const clients = new Map<number, Client>();

window.benchRender = async ({ dpi, quality, workers, isOneByOne }) => {
  const client = clients.get(workers) ?? createClient({ maxWorkers: workers });
  clients.set(workers, client);
  if (isOneByOne) return renderPages(client, dpi);
  const start = performance.now();
  const result = await client.convert({ file: chosenFile(), output_format: "jpg", dpi, quality });
  const milliseconds = performance.now() - start;
  const archive = await (await fetch(result.download_url)).arrayBuffer();
  client.release(result);
  return { milliseconds, pictures: Object.keys(unzipSync(new Uint8Array(archive))).length };
};

async function renderPages(client: Client, dpi: number): Promise<RenderAnswer> {
  const start = performance.now();
  const times: number[] = [];
  for await (const _ of client.renderPages({ file: chosenFile(), format: "jpg", dpi })) {
    times.push(performance.now() - start);
  }
  return { milliseconds: performance.now() - start, pictures: times.length, first: times[0] ?? 0 };
}

document.title = "ready";
