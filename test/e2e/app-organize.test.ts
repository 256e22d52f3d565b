import { expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("organizing in the app", ["qpdf", "pdftotext"]).length > 0;

/** More cells than this would slow down the page: three screens of them on a large desktop. */
const MOST_CELLS = 120;

let app: AppPage;

openAppForEach(async (opened) => {
  ({ app } = opened);
  app.write("report.pdf", makePdf({ pages: 3 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
});

const page = (number: number | string, file: string) =>
  app.page.getByRole("option", { name: new RegExp(`^Page ${number} of ${file}`) });

const order = () => app.page.locator(".organized .visually-hidden").allTextContents();

async function open(): Promise<void> {
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Organize");
  await page(2, "letter.pdf").waitFor();
}

test("makes cells for the pages in view only, of 2,000, and keeps the one with the focus", async () => {
  app.write("huge.pdf", makePdf({ pages: 2000 }));
  await app.choose("huge.pdf");
  await app.task("Organize");
  const cells = app.page.getByRole("option");
  await page(1, "huge.pdf").focus();
  const isLast = page("2,000", "huge.pdf").and(app.page.locator(":focus"));
  await app.page.keyboard.press("End");
  await isLast.locator("img").waitFor();
  expect(await cells.count()).toBeLessThan(MOST_CELLS);
  expect(await cells.last().getAttribute("aria-posinset")).toBe("2000");
  // Screen readers read the pages in order.
  const places = await cells.evaluateAll((all) => all.map((one) => Number(one.ariaPosInSet)));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  await app.page.locator(".stage").evaluate((stage) => stage.scrollTo(0, 0));
  await page(1, "huge.pdf").locator("img").waitFor();
  await isLast.waitFor();
  await app.page.keyboard.press("Alt+Home");
  await expect.poll(async () => (await order())[0]).toBe("Page 2,000 of huge.pdf");
  await isLast.waitFor();
  await app.page.keyboard.press("Shift+Space");
  await app.page.keyboard.press("Control+a");
  await app.page.getByRole("button", { name: "Delete", exact: true }).click();
  await app.page.locator(".stage:focus").waitFor();
  expect(await cells.count()).toBe(0);
});

test("keeps the focus in the grid when undoing takes its page away", async () => {
  await open();
  await page(3, "report.pdf").focus();
  await app.page.keyboard.press("Space");
  await app.page.getByRole("button", { name: "Duplicate" }).click();
  await page(3, "report.pdf").last().focus();
  await app.page.keyboard.press("Control+z");
  await expect.poll(async () => (await order()).length).toBe(5);
  await app.page.locator(".organized :focus").waitFor();
});

test("drags a page to a place that is far out of view", async () => {
  app.write("long.pdf", makePdf({ pages: 350 }));
  await app.choose("long.pdf");
  await app.task("Organize");
  await page(1, "long.pdf").hover();
  await app.page.mouse.down();
  await page(2, "long.pdf").hover();
  await app.page.locator(".stage").evaluate((stage) => stage.scrollTo(0, stage.scrollHeight));
  const last = page(350, "long.pdf");
  await last.locator("img").waitFor();
  // The first move over a picture enters it, the next one drags over it.
  for (const x of [50, 60]) await last.hover({ position: { x, y: 40 } });
  await expect.poll(async () => (await order()).at(-1)).toBe("Page 1 of long.pdf");
  await app.page.mouse.up();
  await app.page.keyboard.press("Control+z");
  await expect.poll(async () => (await order()).at(-1)).toBe("Page 350 of long.pdf");
  await app.page.locator(".organized :focus").waitFor();
  await app.page.keyboard.press("Home");
  await expect.poll(async () => (await order())[0]).toBe("Page 1 of long.pdf");
});

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
