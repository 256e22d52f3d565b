import { spawn } from "node:child_process";
import type { Page } from "playwright-core";
import type { ServedClient } from "../../support/browsers/served-client.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { MemoryWatch } from "../memory.ts";
import { DPI, QUALITY, type RenderContestant, type RenderMeasurement } from "./contestant.ts";

/** Native poppler, one page after the other. */
export function pdftoppm(scratch: Scratch): RenderContestant {
  return {
    name: "pdftoppm",
    run: (input) =>
      new Promise<RenderMeasurement>((resolve) => {
        const options = ["-jpeg", "-jpegopt", `quality=${QUALITY}`, "-r", String(DPI)];
        const start = performance.now();
        const child = spawn("pdftoppm", [...options, input, scratch.path("page")], { stdio: "ignore" });
        const memory = new MemoryWatch(child.pid === undefined ? [] : [child.pid]);
        child.on("error", (error) => resolve({ kind: "failed", why: error.message }));
        child.on("close", (code) => {
          const milliseconds = performance.now() - start;
          const peakBytes = memory.stop();
          if (code === 0) resolve({ kind: "done", milliseconds, peakBytes });
          else resolve({ kind: "failed", why: `it ended with ${code}` });
        });
      }),
    async close() {},
  };
}

/** A page in Chromium that draws, and how. */
export interface DrawingPage {
  readonly name: string;
  readonly path: string;
  readonly workers: number;
  readonly isOneByOne?: boolean;
}

/** What a page in Chromium draws, with so many workers. */
export function onPage(
  { name, path, workers, isOneByOne = false }: DrawingPage,
  served: ServedClient,
  pageCount: number,
): RenderContestant {
  let page: Page | undefined;
  return {
    name: `${name}, ${workers} worker${workers === 1 ? "" : "s"}`,
    async run(input) {
      // The page stays open, as a user's does: what is loaded stays loaded.
      page ??= await served.open(path);
      await page.setInputFiles("#file", input);
      const pids = await served.processIds();
      const before = new MemoryWatch(pids).stop();
      const memory = new MemoryWatch(pids);
      try {
        const task = { dpi: DPI, quality: QUALITY / 100, workers, isOneByOne };
        const { milliseconds, pictures, first } = await page.evaluate(
          (task) => window.benchRender(task),
          task,
        );
        const peakBytes = memory.stop() - before;
        if (pictures !== pageCount) return { kind: "failed", why: `it made ${pictures} pictures` };
        return { kind: "done", milliseconds, peakBytes, ...(first !== undefined && { first }) };
      } catch (error) {
        memory.stop();
        return { kind: "failed", why: String(error).split("\n")[0] ?? "" };
      }
    },
    async close() {
      await page?.close();
    },
  };
}
