import type { ServedClient } from "../../support/browsers/served-client.ts";
import { BenchPage } from "../bench-page.ts";
import { type ImageContestant, type ImageTask, keepsAlpha, QUALITY } from "./task.ts";

const CLIENT_PAGE = "test/bench/image/client-page.ts";
const PEERS_PAGE = "test/bench/image/peers-page.ts";

/**
 * Our client and its workers in Chromium.
 *
 * @param name `before` for another build than this checkout's
 */
export function clientContestant(served: ServedClient, name: "stayput" | "before"): ImageContestant {
  return onPage(name, new BenchPage(served, CLIENT_PAGE), () => true);
}

/** What a user would pick instead, in Chromium. */
export function peerContestant(
  served: ServedClient,
  name: string,
  offers: ImageContestant["offers"],
): ImageContestant {
  const offersWhole = (task: ImageTask) => task.maxWidth === undefined && offers(task);
  return onPage(name, new BenchPage(served, PEERS_PAGE), offersWhole, name);
}

function onPage(
  name: string,
  page: BenchPage,
  offers: ImageContestant["offers"],
  peer?: string,
): ImageContestant {
  return {
    name,
    offers,
    run({ from, to, input, asStored = false, maxWidth }) {
      const quality = qualityFor({ from, to, asStored });
      const task = { from, to, quality, maxWidth, ...(peer && { peer }) };
      return page.measure(input, (page) => page.evaluate((task) => window.benchImage(task), task));
    },
    close: () => page.close(),
  };
}

/** How long many conversions of one file take together, with so many workers. */
export async function crowdTime(
  served: ServedClient,
  { input, to }: Pick<ImageTask, "input" | "to">,
  count: number,
  maxWorkers: number,
): Promise<number> {
  const page = await served.open(CLIENT_PAGE);
  await page.setInputFiles("#file", input);
  const milliseconds = await page.evaluate((task) => window.benchCrowd(task), { to, count, maxWorkers });
  await page.close();
  return milliseconds;
}

/** None where the result has to be exact. */
function qualityFor(task: Pick<ImageTask, "from" | "to" | "asStored">): number | undefined {
  const { to, asStored } = task;
  if (asStored || to === "png" || to === "pdf" || (to === "webp" && keepsAlpha(task))) return undefined;
  return QUALITY[to];
}
