import { fileURLToPath } from "node:url";
import { announceBrowser } from "../../support/browsers/browser-session.ts";
import { ServedClient } from "../../support/browsers/served-client.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import { inTurns, median } from "../contest.ts";
import { installPackages } from "../peers.ts";
import { DPI, type RenderContestant, type RenderMeasurement } from "./contestant.ts";
import { type DrawingPage, onPage, pdftoppm } from "./contestants.ts";
import { writeReport } from "./document.ts";

const SUITE = "the benchmark of rendering";
const PAGE_COUNTS = [20, 200];
const PEERS = fileURLToPath(new URL("./peers/", import.meta.url));
/** How much faster than pdftoppm the client has to be, by its workers. */
const TARGETS: Readonly<Record<number, number>> = { 1: 1, 2: 1.5 };

export interface RenderBenchSettings {
  readonly rounds: number;
  readonly peers: boolean;
}

/**
 * `npm run bench -- --render`: all pages of a document to JPEG, in Chromium with one worker and with two, as ratios to
 * pdftoppm's pages per second on the same file in the same run, with `--peers` beside pdf.js in workers.
 */
export async function benchRender({ rounds, peers }: RenderBenchSettings): Promise<void> {
  if (announceMissing(SUITE, ["pdftoppm", "vips", "heif-enc"]).length > 0) return;
  if (!announceBrowser("chromium", SUITE)) return;
  const scratch = new Scratch();
  const served = await ServedClient.start();
  const hasPeers = peers && installPackages(PEERS, SUITE);
  try {
    for (const pageCount of PAGE_COUNTS) {
      const input = scratch.path("report.pdf");
      await writeReport(input, pageCount, scratch);
      const native = pdftoppm(scratch);
      const on = (page: DrawingPage) => onPage(page, served, pageCount);
      const path = "test/bench/render/client-page.ts";
      const client = (workers: number) => on({ name: "stayput", path, workers });
      const oneByOne = on({ name: "renderPages", path, workers: 2, isOneByOne: true });
      const pdfjs = (workers: number) =>
        on({ name: "pdf.js", path: "test/bench/render/peer-page.ts", workers });
      const field = [native, client(1), client(2), oneByOne, ...(hasPeers ? [pdfjs(1), pdfjs(2)] : [])];
      console.log(`\n${pageCount} pages to JPEG at ${DPI} dpi, medians of ${rounds}`);
      await contest(input, pageCount, native, field, rounds);
      for (const contestant of field) await contestant.close();
    }
  } finally {
    await served.close();
    scratch.remove();
  }
}

async function contest(
  input: string,
  pageCount: number,
  native: RenderContestant,
  field: readonly RenderContestant[],
  rounds: number,
): Promise<void> {
  const measured = await inTurns(field, rounds, (contestant) => contestant.run(input));
  const doneIn = (runs: readonly RenderMeasurement[]) =>
    runs.flatMap((run) => (run.kind === "done" ? [run] : []));
  const speedOf = (runs: readonly RenderMeasurement[]) =>
    (1000 * pageCount) / median(doneIn(runs).map(({ milliseconds }) => milliseconds));
  const nativeSpeed = speedOf(measured.get(native) ?? []);
  for (const [{ name }, runs] of measured) {
    const failure = runs.find((run) => run.kind === "failed");
    if (failure !== undefined) {
      console.log(`${name.padEnd(22)}failed: ${failure.why}`);
      continue;
    }
    const speed = speedOf(runs);
    const ratio = speed / nativeSpeed;
    const peak = median(doneIn(runs).map(({ peakBytes }) => peakBytes));
    const target = TARGETS[Number(/^stayput, (\d)/.exec(name)?.[1])];
    // In the first round, the worker has to start.
    const firsts = doneIn(runs.slice(1)).flatMap(({ first }) => first ?? []);
    const first = firsts.length > 0 ? `first after ${median(firsts).toFixed(0)} ms` : "";
    console.log(
      [
        name.padEnd(22),
        `${speed.toFixed(1)} pages/s`.padStart(14),
        ratio.toFixed(2).padStart(7),
        `peak ${(peak / 1e6).toFixed(0)} MB`.padStart(13),
        target === undefined ? first : ratio >= target ? `above ${target}` : `BELOW ${target}`,
      ].join("  "),
    );
  }
}
