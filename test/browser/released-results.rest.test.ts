import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** Together more than Chromium keeps in memory for a private window, which the browser of the tests shows. */
const RESULTS = 60;
const RESULT_BYTES = 64 * 1024 * 1024;

test("released results leave room for others, also in a private window", async () => {
  const client = createClient({ maxWorkers: 1 });
  onTestFinished(() => client.close());
  const file = new Blob([makePdf({ pages: 1, ballastPerPage: RESULT_BYTES })]);
  for (let made = 0; made < RESULTS; made++) {
    const result = await client.protectPdf({ file, password: "secret" });
    expect(client.blob(result).size).toBeGreaterThan(RESULT_BYTES);
    client.release(result);
  }
});
