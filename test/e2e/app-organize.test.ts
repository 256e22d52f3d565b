import { expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("organizing in the app", ["qpdf", "pdftotext"]).length > 0;

let app: AppPage;

openAppForEach(async (opened) => {
  ({ app } = opened);
  app.write("report.pdf", makePdf({ pages: 3 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
});

const page = (number: number, file: string) =>
  app.page.getByRole("option", { name: new RegExp(`^Page ${number} of ${file}`) });

const order = () => app.page.locator(".organized-page .visually-hidden").allTextContents();

async function open(): Promise<void> {
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Organize");
  await page(2, "letter.pdf").waitFor();
}

test.skipIf(NO_WITNESSES)("turns, deletes and reorders pages of two files into one PDF", async () => {
  await open();
  await page(2, "report.pdf").click();
  await app.page.getByRole("button", { name: "Delete", exact: true }).click();
  await page(1, "letter.pdf").click();
  await app.page.getByRole("button", { name: "Rotate right" }).click();
  await page(1, "letter.pdf").dragTo(page(1, "report.pdf"));
  expect(await order()).toEqual([
    "Page 1 of letter.pdf, 90°",
    "Page 1 of report.pdf",
    "Page 3 of report.pdf",
    "Page 2 of letter.pdf",
  ]);
  expect(await app.page.locator("#start").textContent()).toBe("Put 4 pages into one PDF");
  await app.start();
  await app.finished();
  const file = await app.saveAll("organized-letter.pdf");
  expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 4 });
  const text = String(await popplerText(file));
  const places = [pageText(1), pageText(3), pageText(2)].map((one) => text.indexOf(one));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

test("works with the keys alone, and undoes", async () => {
  await open();
  const { keyboard } = app.page;
  await page(1, "report.pdf").focus();
  await keyboard.press("ArrowRight");
  await page(2, "report.pdf").and(app.page.locator(":focus")).waitFor();
  await keyboard.press("Alt+ArrowLeft");
  await expect.poll(async () => (await order())[0]).toBe("Page 2 of report.pdf");
  await page(2, "report.pdf").and(app.page.locator(":focus")).waitFor();
  await keyboard.press("r");
  await expect.poll(async () => (await order())[0]).toBe("Page 2 of report.pdf, 90°");
  await keyboard.press("Delete");
  await expect.poll(async () => (await order()).length).toBe(4);
  for (let step = 0; step < 3; step++) await keyboard.press("Control+z");
  await expect
    .poll(async () => (await order()).slice(0, 2))
    .toEqual(["Page 1 of report.pdf", "Page 2 of report.pdf"]);
});
