import type { ServedClient } from "../../support/browsers/served-client.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { BenchPage } from "../bench-page.ts";
import { failed } from "../contest.ts";
import { runNatively } from "../native-program.ts";
import { DPI, QUALITY, type RenderContestant } from "./contestant.ts";

/** Native poppler, one page after the other. */
export function pdftoppm(scratch: Scratch): RenderContestant {
  const options = ["-jpeg", "-jpegopt", `quality=${QUALITY}`, "-r", String(DPI)];
  return {
    name: "pdftoppm",
    run: (input) => runNatively("pdftoppm", [...options, input, scratch.path("page")]),
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
  const page = new BenchPage(served, path);
  const task = { dpi: DPI, quality: QUALITY / 100, workers, isOneByOne };
  return {
    name: `${name}, ${workers} worker${workers === 1 ? "" : "s"}`,
    async run(input) {
      const run = await page.measure(input, (page) =>
        page.evaluate((task) => window.benchRender(task), task),
      );
      if (run.kind === "done" && run.pictures !== pageCount)
        return failed(`it made ${run.pictures} pictures`);
      return run;
    },
    close: () => page.close(),
  };
}
