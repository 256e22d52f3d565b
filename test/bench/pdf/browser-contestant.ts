import type { StrictServer } from "../../support/browsers/strict-server.ts";
import { failed } from "../contest.ts";
import type { Contestant, ContestantName, DoneRun, Task } from "./task.ts";

/** What a task may take besides its calls: opening a page, reading and saving the result. */
export const BESIDE_LIMIT_MS = 60_000;

/** How a contestant runs the benchmark's page in a browser. */
export interface BrowserRunner<Browser> {
  /** Serves the page. */
  readonly server: StrictServer;
  start(): Promise<Browser>;
  /** Runs a task on a new page. */
  run(browser: Browser, url: string, task: Task): Promise<DoneRun>;
}

/** Makes a contestant that keeps one browser for its tasks. A task that fails ends the browser. The next one starts another. */
export function browserContestant<Browser extends { close(): Promise<void> }>(
  name: ContestantName,
  { server, start, run }: BrowserRunner<Browser>,
): Contestant {
  let browser: Browser | undefined;

  async function endBrowser(): Promise<void> {
    const ending = browser;
    browser = undefined;
    await ending?.close();
  }

  return {
    name,

    async run(task) {
      try {
        browser ??= await start();
        return await run(browser, `http://127.0.0.1:${server.port}/`, task);
      } catch (error) {
        await endBrowser();
        return failed(error);
      }
    },

    async close() {
      await endBrowser();
      await server.close();
    },
  };
}
