import { availableParallelism } from "node:os";
import { announceBrowser, type BrowserName } from "../support/browsers/browser-session.ts";
import { Scratch } from "../support/native-tools.ts";
import { type ClientSession, startClient } from "./client-session.ts";
import type { Row, RunSettings } from "./family.ts";
import { type Contestant, NativeQpdf, OurEngine, PdfLib } from "./split/contestant.ts";

/** Longer than our client's limit of 60 s for a page, so that the client reports it first. */
const TIME_LIMIT_MS = 90_000;

/** Programs that work on one file at a time. Each starts when it is first needed, and then serves all families. */
export class Lane {
  readonly engine = new OurEngine();
  readonly #peers = [new NativeQpdf(), new PdfLib()];
  readonly #browsers = new Map<BrowserName, Promise<ClientSession>>();

  /** Our engine, then the peers if they take part. */
  contestants(peers: boolean): readonly Contestant[] {
    return [this.engine, ...(peers ? this.#peers : [])];
  }

  browser(name: BrowserName): Promise<ClientSession> {
    const session = this.#browsers.get(name) ?? startClient(name, TIME_LIMIT_MS);
    this.#browsers.set(name, session);
    return session;
  }

  async close(): Promise<void> {
    for (const contestant of this.contestants(true)) await contestant.close();
    // A browser that did not start has failed the run already.
    for (const started of await Promise.allSettled(this.#browsers.values())) {
      if (started.status === "fulfilled") await started.value.close();
    }
  }
}

/** Works on one item in a lane. The scratch folder is removed afterwards. */
export type Work<Item> = (item: Item, lane: Lane, scratch: Scratch) => Promise<void>;

/** Returns a lane for each core. */
export function newLanes(): readonly Lane[] {
  return Array.from({ length: availableParallelism() }, () => new Lane());
}

/** What a family works with: its settings, the lanes of the run, and where its rows go. */
export class CorpusRun {
  readonly settings: RunSettings;
  readonly onRow: (row: Row) => void;
  readonly #lanes: readonly Lane[];

  constructor(settings: RunSettings, lanes: readonly Lane[], onRow: (row: Row) => void) {
    this.settings = settings;
    this.#lanes = lanes;
    this.onRow = onRow;
  }

  /** Works on all items, in all lanes. They share the queue. */
  async each<Item>(items: Iterable<Item>, work: Work<Item>, lanes = this.#lanes): Promise<void> {
    const queue = items[Symbol.iterator]();
    await Promise.all(
      lanes.map(async (lane) => {
        for (let next = queue.next(); !next.done; next = queue.next()) {
          const scratch = new Scratch();
          try {
            await work(next.value, lane, scratch);
          } finally {
            scratch.remove();
          }
        }
      }),
    );
  }

  /** Works on all items in Firefox and on all in WebKit, side by side. */
  async eachInOtherBrowsers<Item>(
    items: readonly Item[],
    suite: string,
    work: (item: Item, browser: "firefox" | "webkit", lane: Lane, scratch: Scratch) => Promise<void>,
  ): Promise<void> {
    if (items.length === 0) return;
    const browsers = (["firefox", "webkit"] as const).filter((browser) => announceBrowser(browser, suite));
    await Promise.all(
      browsers.map((browser, index) => {
        const lanes = this.#lanes.slice(index % this.#lanes.length).slice(0, 1);
        return this.each(items, (item, lane, scratch) => work(item, browser, lane, scratch), lanes);
      }),
    );
  }
}
