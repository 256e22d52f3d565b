import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { qpdfEncryption } from "../support/oracles.ts";

// The boxes of the app must show the permissions that qpdf finds in the protected file.

const NO_WITNESS = announceMissing("the permissions of the app", ["qpdf"]).length > 0;

const PRINT = "Print";
const PRINT_LOW = "Print in low quality";
/** The names that qpdf uses for the permissions of the boxes. */
const NAMES: Readonly<Record<string, string>> = {
  [PRINT]: "print high resolution",
  [PRINT_LOW]: "print low resolution",
  "Change the document": "modify other",
  "Copy text and images": "extract for any purpose",
  "Add comments": "modify annotations",
  "Fill in forms": "modify forms",
  "Rearrange pages": "modify document assembly",
};

describe.skipIf(NO_WITNESS)("the permissions of the app", () => {
  let app: AppPage;

  openAppForEach(async (opened) => {
    app = opened.app;
    app.write("report.pdf", makePdf({ pages: 1 }));
    await app.choose("report.pdf");
    await app.task("Protect");
    await app.radio("only what I choose");
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["the user changes nothing", [], []],
    ['"print" is unticked: no printing at all', [PRINT], [PRINT, PRINT_LOW]],
    ['"print" is unticked and low quality is ticked: only low quality', [PRINT, PRINT_LOW], [PRINT]],
    ["low quality, a part of printing, is unticked: no printing", [PRINT_LOW], [PRINT, PRINT_LOW]],
    ['"print" is unticked and ticked again: all printing', [PRINT, PRINT], []],
    ['"annotate" is unticked: forms can still be filled in', ["Add comments"], ["Add comments"]],
    [
      '"Fill in forms", a part of annotating, is unticked: neither',
      ["Fill in forms"],
      ["Add comments", "Fill in forms"],
    ],
    [
      "copying and changing are unticked",
      ["Copy text and images", "Change the document"],
      ["Copy text and images", "Change the document"],
    ],
  ])("hold in the file when %s", async (_, clicked, forbidden) => {
    for (const label of clicked) await app.page.getByLabel(label, { exact: true }).click();
    const allowed = Object.keys(NAMES).filter((label) => !forbidden.includes(label));
    const labels = app.page.locator(".checks label").filter({ has: app.page.locator("input:checked") });
    expect(await labels.allTextContents()).toEqual(allowed);

    await app.page.getByLabel("Password", { exact: true }).fill("reader");
    await app.page.getByLabel("Repeat the password").fill("reader");
    await app.start();
    const file = await app.save("protected-report.pdf");
    const found = (await qpdfEncryption(file, "reader")).allowed;
    expect(Object.keys(NAMES).filter((label) => found.get(NAMES[label] ?? ""))).toEqual(allowed);
  });
});
