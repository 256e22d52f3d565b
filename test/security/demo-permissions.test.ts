import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DemoHost } from "../support/browsers/demo-host.ts";
import type { WatchedPage } from "../support/browsers/watched-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { qpdfEncryption } from "../support/oracles.ts";

// The demo's form must show the permissions that qpdf finds in the protected file.

const NO_WITNESS = announceMissing("the demo's permissions", ["qpdf"]).length > 0;

const PRINT = "print";
const PRINT_LOW = "print in low quality";
/** The names that qpdf uses for the permissions of the form's boxes. */
const NAMES: Readonly<Record<string, string>> = {
  [PRINT]: "print high resolution",
  [PRINT_LOW]: "print low resolution",
  "change the document": "modify other",
  "copy text and images": "extract for any purpose",
  annotate: "modify annotations",
  "fill in forms": "modify forms",
  "rearrange pages": "modify document assembly",
};

describe.skipIf(NO_WITNESS)("the demo's permissions", () => {
  let demo: DemoHost;
  let watched: WatchedPage;

  beforeAll(async () => {
    demo = await DemoHost.start();
    writeFileSync(join(demo.folder, "report.pdf"), makePdf({ pages: 1 }));
  });
  afterAll(() => demo.close());
  beforeEach(async () => {
    watched = await demo.open();
    await watched.page.getByText("Owner password and permissions").click();
  });
  afterEach(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["the user changes nothing", [], []],
    ['"print" is unticked: no printing at all', [PRINT], [PRINT, PRINT_LOW]],
    ['"print" is unticked and low quality is ticked: only low quality', [PRINT, PRINT_LOW], [PRINT]],
    ["low quality, a part of printing, is unticked: no printing", [PRINT_LOW], [PRINT, PRINT_LOW]],
    ['"print" is unticked and ticked again: all printing', [PRINT, PRINT], []],
    ['"annotate" is unticked: forms can still be filled in', ["annotate"], ["annotate"]],
    [
      '"fill in forms", a part of annotating, is unticked: neither',
      ["fill in forms"],
      ["annotate", "fill in forms"],
    ],
    [
      "copying and changing are unticked",
      ["copy text and images", "change the document"],
      ["copy text and images", "change the document"],
    ],
  ])("hold in the file when %s", async (_, clicked, forbidden) => {
    const { page } = watched;
    for (const label of clicked) await page.getByLabel(label, { exact: true }).click();
    const allowed = Object.keys(NAMES).filter((label) => !forbidden.includes(label));
    expect(await tickedBoxes(page)).toEqual(allowed);

    await page.locator("#file-input").setInputFiles(join(demo.folder, "report.pdf"));
    await page.locator("#protect-password").fill("reader");
    await page.getByRole("button", { name: "Protect" }).click();
    const link = page.getByRole("link", { name: "Save protected-report.pdf" });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const file = join(demo.folder, "protected.pdf");
    await download.saveAs(file);
    const found = (await qpdfEncryption(file, "reader")).allowed;
    const inFile = Object.keys(NAMES).filter((label) => found.get(NAMES[label] ?? ""));
    expect(inFile).toEqual(allowed);
  });
});

/** Returns the labels of the ticked boxes, in order. */
async function tickedBoxes(page: Page): Promise<string[]> {
  const labels = page.locator(".permissions label").filter({ has: page.locator("input:checked") });
  return (await labels.allTextContents()).map((text) => text.trim());
}
