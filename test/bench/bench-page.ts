import type { Page } from "playwright-core";
import type { ServedClient } from "../support/browsers/served-client.ts";
import { type Failed, failed, withinTime } from "./contest.ts";
import { watchGrowth } from "./peak-memory.ts";

const TIME_LIMIT_MS = 300_000;

/** A page in Chromium that works on a chosen file. It stays open, like the page of a user, so code loads once. */
export class BenchPage {
  readonly #served: ServedClient;
  readonly #script: string;
  #page: Page | undefined;

  /** @param script the script of the page, as a path in the repository */
  constructor(served: ServedClient, script: string) {
    this.#served = served;
    this.#script = script;
  }

  /** Chooses a file, and measures the memory that work with it adds to the processes of the browser. */
  async measure<Answer extends object>(
    input: string,
    work: (page: Page) => Promise<Answer>,
  ): Promise<(Answer & { readonly kind: "done"; readonly peakBytes: number }) | Failed> {
    this.#page ??= await this.#served.open(this.#script);
    await this.#page.setInputFiles("#file", input);
    const memory = watchGrowth(await this.#served.processIds());
    try {
      const answer = await withinTime(work(this.#page), TIME_LIMIT_MS);
      return { ...answer, kind: "done", peakBytes: memory.stop() };
    } catch (error) {
      memory.stop();
      await this.close();
      return failed(error);
    }
  }

  async close(): Promise<void> {
    await this.#page?.close();
    this.#page = undefined;
  }
}
