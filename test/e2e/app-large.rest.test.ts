import { join } from "node:path";
import { expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { scrollGrid } from "../support/browsers/blank-pages.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import { largePdfOf, writeSparse } from "../support/fixtures/large-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** The longest that a page in view may be without its picture, in milliseconds. */
const LONGEST_BLANK = 1000;

/** More cells than this would slow down the page: three screens of them on a large desktop. */
const MOST_CELLS = 120;

let host: DemoHost;
let app: AppPage;

openAppForEach((opened) => {
  ({ host, app } = opened);
});

test("scrolls through 350 pages without a blank for more than a second", async () => {
  app.write("long.pdf", makePdf({ pages: 350 }));
  await app.choose("long.pdf");
  await app.page.locator('.page[data-page="1"] img').waitFor();
  // Two screens a second. The document is past in about 8 seconds.
  const { longestBlank, mostCells, pagesSeen } = await scrollGrid(app.page, 1440);
  expect(pagesSeen).toBe(350);
  expect(mostCells).toBeLessThan(MOST_CELLS);
  expect(longestBlank).toBeLessThan(LONGEST_BLANK);
});

test("says that the pages of a very large file are not shown", async () => {
  const shape = { pages: 1100, bytesPerPage: 100_000, pagesPerNode: 1 };
  writeSparse(join(host.folder, "scans.pdf"), largePdfOf(shape));
  await app.choose("scans.pdf");
  await app.task("Split");
  await app.page.getByText("The pages of a file as large as this are not shown here.").waitFor();
  await app.page.getByLabel("Pages", { exact: true }).fill("1-2");
  await app.start();
  await app.page.locator("#save-all").waitFor();
});
