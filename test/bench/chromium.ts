import { ServedClient } from "../native/served-client.ts";
import type { Contestant, Measurement } from "./contest.ts";
import { MemoryWatch } from "./memory.ts";

const PAGE_PATH = "test/bench/bench-page.html";

/**
 * Our client and its worker in Chromium, from a chosen file to a blob URL. The memory is what the browser's
 * processes take together above what they took before.
 */
export async function chromiumClient(): Promise<Contestant> {
  const served = await ServedClient.start();
  return {
    name: "Chromium",

    async run({ operation, input, pages }): Promise<Measurement> {
      const page = await served.open(PAGE_PATH);
      await page.setInputFiles("#file", input);
      const pids = await served.processIds();
      const before = new MemoryWatch(pids).stop();
      const memory = new MemoryWatch(pids);
      const { milliseconds, outputBytes } = await page.evaluate((task) => window.runTask(task), {
        operation,
        pages,
      });
      const peakBytes = memory.stop() - before;
      await page.close();
      return { milliseconds, peakBytes, outputBytes };
    },

    close: () => served.close(),
  };
}
