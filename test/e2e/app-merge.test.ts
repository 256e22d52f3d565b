import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, qpdfEncrypt } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("the merge of the app", ["qpdf", "pdftotext"]).length > 0;

let host: DemoHost;
let app: AppPage;

openAppForEach((opened) => {
  ({ host, app } = opened);
});

beforeEach(() => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
  const sample = (x: number, y: number) => [x, y, 99];
  app.write("photo.png", makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
});

const places = () => app.page.locator(".sequence li");

/** Waits for the pictures of the files. A busy machine takes seconds to draw them. */
async function picturesDrawn(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await places().nth(index).locator("img").waitFor();
}

const pagesOf = (name: string) => app.page.getByRole("textbox", { name: `Pages of ${name}`, exact: true });

test("shows which pages each file becomes, with its first page", async () => {
  await app.choose("report.pdf", "photo.png", "letter.pdf");
  await app.task("Merge");
  expect(await places().locator(".sequence-pages").allTextContents()).toEqual([
    "Pages 1–6",
    "Page 7",
    "Pages 8–9",
  ]);
  await picturesDrawn(3);
});

test("a file is dragged to another place", async () => {
  await app.choose("report.pdf", "photo.png", "letter.pdf");
  await app.task("Merge");
  await places().last().hover();
  await app.page.mouse.down();
  await places().first().hover();
  // A second move, because browsers begin a drag with the first one.
  await places().first().hover();
  // In the list, too.
  await expect.poll(() => app.page.locator("[data-dragged]").count()).toBe(2);
  await app.page.mouse.up();
  await expect.poll(() => app.page.locator("[data-dragged]").count()).toBe(0);
  await expect
    .poll(() => places().locator(".sequence-name").allTextContents())
    .toEqual(["letter.pdf", "report.pdf", "photo.png"]);
  expect(await app.page.locator(".row-name").allTextContents()).toEqual([
    "letter.pdf",
    "report.pdf",
    "photo.png",
  ]);
  expect(await places().first().locator(".sequence-pages").textContent()).toBe("Pages 1–2");
});

test("images are shown on their paper", async () => {
  app.write(
    "other.png",
    makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] }),
  );
  await app.choose("photo.png", "other.png");
  await app.task("One PDF");
  const shape = () =>
    places()
      .first()
      .locator(".sequence-page")
      .evaluate((page) => {
        const { width, height } = page.getBoundingClientRect();
        return (width / height).toFixed(2);
      });
  expect(await shape()).toBe("1.50");
  await app.radio("A4");
  await expect.poll(shape).toBe("1.41");
});

test("counts the chosen pages of each file, and shows the first of them", async () => {
  await app.choose("report.pdf", "photo.png", "letter.pdf");
  await app.task("Merge");
  await picturesDrawn(3);
  const picture = places().first().locator("img");
  const firstPage = await picture.getAttribute("src");
  expect(await pagesOf("report.pdf").getAttribute("placeholder")).toBe("all");
  await pagesOf("report.pdf").fill("5\u20136; 2");
  await app.page.locator(".bar-text").getByText("1 PDF, 6 pages").waitFor();
  expect(await places().locator(".sequence-pages").allTextContents()).toEqual([
    "Pages 1\u20133",
    "Page 4",
    "Pages 5\u20136",
  ]);
  await app.row("report.pdf").getByText("3 of 6 pages").waitFor();
  // The picture of the first page is gone with the text of before.
  await picture.waitFor();
  expect(await picture.getAttribute("src")).not.toBe(firstPage);
  // The selection of a split is another one.
  await app.task("Split");
  expect(await app.page.getByLabel("Pages", { exact: true }).inputValue()).toBe("");
  await app.task("Merge");
  expect(await pagesOf("report.pdf").inputValue()).toBe("5\u20136; 2");
});

test("has a field for the PDF of the current row, and none for images", async () => {
  await app.choose("photo.png", "report.pdf", "letter.pdf");
  await app.task("Merge");
  await pagesOf("report.pdf").waitFor();
  await app.row("letter.pdf").focus();
  await pagesOf("letter.pdf").waitFor();
  // A click in the sequence chooses a file, too.
  await places().nth(1).click();
  await pagesOf("report.pdf").waitFor();
  await app.page.locator('.row[aria-label="report.pdf"][data-shown]').waitFor();
  await app.row("photo.png").focus();
  expect(await pagesOf("photo.png").count()).toBe(0);
  for (const name of ["report.pdf", "letter.pdf"]) {
    await app
      .row(name)
      .getByRole("button", { name: `Remove ${name}` })
      .click();
  }
  app.write(
    "other.png",
    makePng({ width: 6, height: 4, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] }),
  );
  await app.choose("other.png");
  await app.task("One PDF");
  expect(await app.page.locator('[id^="merge-pages-"]').count()).toBe(0);
});

test("shows the file and its field when its pages are wrong", async () => {
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Merge");
  await pagesOf("report.pdf").fill("1");
  await app.show("letter.pdf");
  await pagesOf("letter.pdf").fill("1-3");
  await app.show("report.pdf");
  await pagesOf("report.pdf").waitFor();
  await app.start();
  expect(await app.problemAt("merge-pages-")).toBe("There is no page 3. The file has 2 pages.");
  await expect
    .poll(() => pagesOf("letter.pdf").evaluate((field) => field === document.activeElement))
    .toBe(true);
  expect(await app.page.locator(".row.merged").count()).toBe(0);
  await pagesOf("letter.pdf").fill("");
  await app.start();
  await app.save("merged-report.pdf");
});

describe.skipIf(NO_WITNESSES)("with native tools that read the output", () => {
  test("merges the chosen pages of each file, also of a locked one", async () => {
    await qpdfEncrypt(join(host.folder, "report.pdf"), join(host.folder, "locked.pdf"), {
      user: "sesame",
      owner: "owner",
    });
    await app.choose("report.pdf", "photo.png", "locked.pdf");
    await app.task("Merge");
    await app.page.getByLabel("Password of locked.pdf").fill("sesame");
    await app.page.getByLabel("Password of locked.pdf").press("Enter");
    await app.row("locked.pdf").getByText("6 pages").waitFor();
    await pagesOf("report.pdf").fill("4, 1");
    await app.show("locked.pdf");
    await pagesOf("locked.pdf").fill("last");
    await app.start();
    const file = await app.save("merged-report.pdf");
    expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 4, encrypted: false });
    const text = String(await popplerText(file));
    const order = [4, 1, 6].map((page) => text.indexOf(pageText(page)));
    expect(Math.min(...order)).toBeGreaterThanOrEqual(0);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(text).not.toContain(pageText(2));
    // Other pages make another PDF.
    await app.back();
    await pagesOf("locked.pdf").fill("");
    await app.start();
    expect(await qpdfCheck(await app.save("merged-report.pdf"))).toMatchObject({
      verdict: "ok",
      pageCount: 9,
    });
  });
});
