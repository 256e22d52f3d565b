import type { Page } from "playwright-core";
import { ServedClient } from "../../support/browsers/served-client.ts";
import { memoryOf } from "../../support/process-files.ts";
import type { Interrupted, Run } from "../target.ts";
import type { PageCall, PageOutcome } from "./fuzz-page.ts";

const SCRIPT = "test/fuzz/browser/fuzz-page.ts";
/** The processes that Chromium had when the page was opened may end, and others start. */
const RUNS_PER_LOOK_AT_PROCESSES = 200;
const POLL_MS = 50;

export interface TabOptions {
  /** A call that takes longer counts as a hang. */
  readonly timeLimitMs: number;
  readonly maxWorkers: number;
}

/** A tab of a Chromium of its own with the built package. It is replaced when it hangs or crashes. */
export class FuzzTab {
  readonly #served: ServedClient;
  readonly #options: TabOptions;
  #page: Page | undefined;
  #processes: readonly number[] = [];
  #runs = 0;
  /** Errors that no code of the page has caught. */
  #uncaught: string[] = [];

  private constructor(served: ServedClient, options: TabOptions) {
    this.#served = served;
    this.#options = options;
  }

  static async start(options: TabOptions): Promise<FuzzTab> {
    const tab = new FuzzTab(await ServedClient.start(), options);
    await tab.#openPage();
    return tab;
  }

  /** Runs a call on a file. */
  async run(input: Uint8Array, call: PageCall, wantsOutput = false): Promise<Run<PageOutcome>> {
    const page = await this.#openPage();
    if (this.#runs++ % RUNS_PER_LOOK_AT_PROCESSES === 0) this.#processes = await this.#served.processIds();
    const file = Buffer.from(input.buffer, input.byteOffset, input.length).toString("base64");
    const { maxWorkers } = this.#options;
    const before = this.#memory();
    let peak = before;
    const poll = setInterval(() => {
      peak = Math.max(peak, this.#memory());
    }, POLL_MS);
    const start = performance.now();
    const ended = page.evaluate((request) => window.fuzz(request), { file, call, maxWorkers, wantsOutput });
    const outcome = await this.#settled(page, ended);
    const milliseconds = performance.now() - start;
    clearInterval(poll);
    if (outcome.kind === "hang" || outcome.kind === "crash") await this.#dropPage();
    const [uncaught] = this.#uncaught.splice(0);
    return {
      outcome: uncaught === undefined ? outcome : { kind: "untyped error", message: uncaught },
      milliseconds,
      heap: 0,
      grown: peak - before,
      blocks: [],
    };
  }

  async close(): Promise<void> {
    await this.#served.close();
  }

  async #openPage(): Promise<Page> {
    if (this.#page) return this.#page;
    const page = await this.#served.open(SCRIPT);
    page.on("pageerror", (error) => this.#uncaught.push(`not caught: ${error.stack ?? error.message}`));
    this.#page = page;
    return page;
  }

  async #dropPage(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    this.#runs = 0;
    await page?.close();
  }

  /** The memory of all processes of the browser, in bytes. */
  #memory(): number {
    return this.#processes.reduce((sum, pid) => sum + memoryOf(pid), 0);
  }

  #settled(page: Page, call: Promise<PageOutcome>): Promise<PageOutcome | Interrupted> {
    const { timeLimitMs } = this.#options;
    return new Promise((resolve) => {
      const settle = (outcome: PageOutcome | Interrupted) => {
        clearTimeout(clock);
        page.off("crash", onCrash);
        resolve(outcome);
      };
      const onCrash = () => settle({ kind: "crash", message: "the tab crashed" });
      const clock = setTimeout(
        () => settle({ kind: "hang", message: `no answer in ${timeLimitMs / 1000} s` }),
        timeLimitMs,
      );
      page.on("crash", onCrash);
      call.then(settle, (error: unknown) => settle({ kind: "crash", message: String(error) }));
    });
  }
}
