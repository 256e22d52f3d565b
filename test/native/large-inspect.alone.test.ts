import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import { largePdfOf, writeSparse } from "../support/fixtures/large-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";
import { memoryOf } from "../support/process-files.ts";

const PAGES = 1000;
const BYTES_PER_PAGE = 2_000_000;
const CALLS = 5;

describe("a chosen PDF of 2 GB", () => {
  const scratch = new Scratch();
  let served: ServedClient;

  beforeAll(async () => {
    served = await ServedClient.start();
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  const memory = async () => {
    const ids = await served.processIds();
    return ids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  };

  test("is inspected in at most 50 ms and 20 MB", async () => {
    const small = onDisk(scratch, makePdf({ pages: 1 }), "small.pdf");
    const large = scratch.path("large.pdf");
    writeSparse(large, largePdfOf({ pages: PAGES, bytesPerPage: BYTES_PER_PAGE }));
    const page = await served.open("test/native/chosen-files-page.ts");
    // The small file loads the code.
    await page.setInputFiles("input", small);
    await page.evaluate((calls) => window.inspectChosen(calls), CALLS);
    await page.setInputFiles("input", large);
    const before = await memory();
    const [timed = []] = await page.evaluate((calls) => window.inspectChosen(calls), CALLS);
    const more = (await memory()) - before;
    await page.close();
    const milliseconds = timed.map((call) => call.milliseconds);
    console.log(
      `2 GB: ${milliseconds.map((one) => one.toFixed(0)).join(" ")} ms, ${(more / 1e6).toFixed(1)} MB`,
    );
    for (const { found } of timed) {
      expect(found).toMatchObject({ pages: PAGES, encrypted: false });
      expect(found.size).toBeGreaterThan(PAGES * BYTES_PER_PAGE);
      expect(found.page_sizes).toHaveLength(10);
    }
    // The fastest call: other work on the machine slows down the others.
    expect(Math.min(...milliseconds)).toBeLessThan(50);
    expect(more).toBeLessThan(20e6);
  });
});
