import type { Page } from "playwright-core";
import { ServedClient } from "../../support/browsers/served-client.ts";
import { MemoryWatch } from "../memory.ts";
import { IDLE, type PageTask } from "./page-task.ts";
import { type ImageContestant, type ImageMeasurement, type ImageTask, keepsAlpha, QUALITY } from "./task.ts";

const CLIENT_PAGE = "test/bench/image/client-page.ts";
const PEERS_PAGE = "test/bench/image/peers-page.ts";
const TIME_LIMIT_MS = 300_000;

/** Our client and its workers in Chromium, and on a page of their own those that a user would pick instead. */
export class ServedContestants {
  readonly #served: ServedClient;

  private constructor(served: ServedClient) {
    this.#served = served;
  }

  static async start(): Promise<ServedContestants> {
    return new ServedContestants(await ServedClient.start());
  }

  client(): ImageContestant {
    return this.#contestant("stayput", CLIENT_PAGE, () => true);
  }

  /** Where hardly anything is to be done beside it. */
  idle(): ImageContestant {
    const offers: ImageContestant["offers"] = ({ from, to }) =>
      to === "pdf" && (from === "png" || from === "jpg");
    return this.#contestant("stayput, idle", CLIENT_PAGE, offers, IDLE);
  }

  peer(name: string, offers: (task: Pick<ImageTask, "from" | "to">) => boolean): ImageContestant {
    return this.#contestant(name, PEERS_PAGE, (task) => task.maxWidth === undefined && offers(task), name);
  }

  /** How long many conversions of one file take together, with so many workers. */
  async crowd(input: string, to: ImageTask["to"], count: number, maxWorkers: number): Promise<number> {
    const page = await this.#served.open(CLIENT_PAGE);
    await page.setInputFiles("#file", input);
    const milliseconds = await page.evaluate((task) => window.benchCrowd(task), { to, count, maxWorkers });
    await page.close();
    return milliseconds;
  }

  close(): Promise<void> {
    return this.#served.close();
  }

  #contestant(name: string, path: string, offers: ImageContestant["offers"], peer?: string): ImageContestant {
    let page: Page | undefined;
    const served = this.#served;
    return {
      name,
      offers,

      async run({ from, to, input, asStored = false, maxWidth }): Promise<ImageMeasurement> {
        // The page stays open from one task to the next, as a user's does: what is loaded stays loaded.
        page ??= await served.open(path);
        await page.setInputFiles("#file", input);
        const pids = await served.processIds();
        const before = new MemoryWatch(pids).stop();
        const memory = new MemoryWatch(pids);
        try {
          const task: PageTask = {
            from,
            to,
            quality: qualityFor({ from, to, asStored }),
            maxWidth,
            ...(peer && { peer }),
          };
          const { milliseconds, outputBytes } = await withinTime(
            page.evaluate((task) => window.benchImage(task), task),
          );
          return { kind: "done", milliseconds, outputBytes, peakBytes: memory.stop() - before };
        } catch (error) {
          memory.stop();
          await page.close();
          page = undefined;
          return { kind: "failed", why: String(error).split("\n")[0] ?? "" };
        }
      },

      async close() {
        await page?.close();
      },
    };
  }
}

/** None where the result has to be exact. */
function qualityFor(task: Pick<ImageTask, "from" | "to" | "asStored">): number | undefined {
  const { to, asStored } = task;
  if (asStored || to === "png" || to === "pdf" || (to === "webp" && keepsAlpha(task))) return undefined;
  return QUALITY[to];
}

function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(
      () => reject(new Error(`no answer in ${TIME_LIMIT_MS / 1000} s`)),
      TIME_LIMIT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}
