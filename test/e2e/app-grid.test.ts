import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { qpdfCheck, qpdfEncrypt } from "../support/oracles.ts";

const NO_QPDF = announceMissing("the grid of the app", ["qpdf"]).length > 0;

/** More cells than this would slow down the page: three screens of them on a large desktop. */
const MOST_CELLS = 120;

let host: DemoHost;
let app: AppPage;

openAppForEach((opened) => {
  ({ host, app } = opened);
});

function option(page: number) {
  return app.page.getByRole("option", { name: `Page ${page.toLocaleString("en")}`, exact: true });
}

test("makes cells for the pages in view only, of 5,000, and draws the last one next", async () => {
  app.write("huge.pdf", makePdf({ pages: 5000 }));
  await app.choose("huge.pdf");
  await option(1).focus();
  expect(await app.page.locator(".page").count()).toBeLessThan(MOST_CELLS);
  await app.page.keyboard.press("End");
  await option(5000).locator("img").waitFor();
  await app.page.locator('.page[data-page="5000"]:focus').waitFor();
  expect(await app.page.locator(".page").count()).toBeLessThan(MOST_CELLS);
  expect(await option(5000).getAttribute("aria-posinset")).toBe("5000");
  // Tab comes back to the page that was left, also when it is far out of view.
  await app.page.locator(".stage").evaluate((stage) => stage.scrollTo(0, 0));
  await option(1).locator("img").waitFor();
  await app.page.locator('[name="split-way"]:checked').focus();
  await app.page.keyboard.press("Shift+Tab");
  await app.page.locator('.page[data-page="5000"]:focus').waitFor();
});

test("keeps a selection for each of two PDFs, or one for both", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Split");
  await app.radio("Cut into several PDFs");
  const pages = app.page.getByLabel("Pages", { exact: true });
  await pages.fill("1, 3-5");
  await app.show("letter.pdf");
  await app.page.getByRole("listbox", { name: "Pages of letter.pdf" }).waitFor();
  expect(await pages.inputValue()).toBe("");
  await option(2).click();
  expect(await pages.inputValue()).toBe("2");
  await app.show("report.pdf");
  expect(await pages.inputValue()).toBe("1, 3-5");
  await app.start();
  for (const name of ["report-1.pdf", "report-3-5.pdf", "letter-2.pdf"]) await app.save(name);
  await app.back();
  // Only the file whose selection changes is split again.
  await pages.fill("1");
  expect(await app.page.locator("#start").textContent()).toBe("Split");
  await app.page.getByLabel("Same pages in all files").click();
  await app.show("letter.pdf");
  expect(await pages.inputValue()).toBe("1");
  await pages.fill("2");
  await app.show("report.pdf");
  expect(await pages.inputValue()).toBe("2");
  await app.page.getByLabel("Same pages in all files").click();
  expect(await pages.inputValue()).toBe("1");
});

test("shows the file without a selection when the split starts", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Split");
  await app.page.getByLabel("Pages", { exact: true }).fill("1");
  expect(await app.page.locator(".bar-text").textContent()).toBe(
    "letter.pdf: Select pages, or write 1, 3-5.",
  );
  await app.start();
  expect(await app.problemAt("split-pages")).toBe("Select pages, or write 1, 3-5.");
  await app.page.getByRole("listbox", { name: "Pages of letter.pdf" }).waitFor();
});

test("shows the files of a preset, and makes them a selection by a click", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.choose("report.pdf");
  const pages = app.page.getByLabel("Pages", { exact: true });
  await app.radio("Every … pages");
  await app.page.getByLabel("Pages in each file").fill("4");
  await app.page.getByText("2 files come out.").waitFor();
  await app.page.locator('.page[data-page="6"]').click();
  expect(await app.page.getByRole("radio", { name: "Cut into several PDFs" }).isChecked()).toBe(true);
  expect(await pages.inputValue()).toBe("1-4, 5");
});

test("selects all, odd and even pages by buttons, and the others", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.choose("report.pdf");
  const pages = app.page.getByLabel("Pages", { exact: true });
  const press = (name: string) => app.page.getByRole("button", { name, exact: true }).click();
  await press("odd");
  await app.page.getByText("One PDF with 3 pages comes out.").waitFor();
  expect(await pages.inputValue()).toBe("odd");
  await press("Invert");
  expect(await pages.inputValue()).toBe("2, 4, 6");
  await press("all");
  await app.page.getByText("One PDF with 6 pages comes out.").waitFor();
});

test("says that a document stays whole, and nothing about files that do not come out", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.choose("report.pdf");
  await app.radio("Every … pages");
  await app.page.getByLabel("Pages in each file").fill("10");
  const result = app.page.locator("#grid-result");
  await result.getByText("All 6 pages stay in one file.").waitFor();
  await app.radio("Cut into several PDFs");
  const pages = app.page.getByLabel("Pages", { exact: true });
  await pages.fill("1, 6");
  await result.getByText("2 files come out.").waitFor();
  await pages.fill("1, 9");
  await expect.poll(() => result.textContent()).toBe("");
});

test("cuts between two pages by scissors, and undoes it", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.choose("report.pdf");
  const pages = app.page.getByLabel("Pages", { exact: true });
  await app.radio("Cut into several PDFs");
  await app.page.getByRole("button", { name: "Cut between pages 2 and 3" }).click();
  expect(await pages.inputValue()).toBe("1-2, 3-6");
  await app.page.getByRole("button", { name: "Cut between pages 4 and 5" }).click();
  expect(await pages.inputValue()).toBe("1-2, 3-4, 5-6");
  await app.page.getByRole("button", { name: "Join pages 2 and 3" }).click();
  expect(await pages.inputValue()).toBe("1-4, 5-6");
  await app.start();
  await app.saveAll("split-report.zip");
});

test("cuts, selects a range and shows a page large without a mouse", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.choose("report.pdf");
  const { keyboard } = app.page;
  const pages = app.page.getByLabel("Pages", { exact: true });
  await app.radio("Cut into several PDFs");
  await option(1).focus();
  await keyboard.press("ArrowRight");
  await app.page.locator('.page[data-page="2"]:focus').waitFor();
  await keyboard.press("Tab");
  await app.page.locator('.seam[data-after="2"]:focus').waitFor();
  await keyboard.press("Enter");
  expect(await pages.inputValue()).toBe("1-2, 3-6");
  await keyboard.press("ArrowRight");
  await app.page.locator('.seam[data-after="3"]:focus').waitFor();
  await keyboard.press("Space");
  expect(await pages.inputValue()).toBe("1-2, 3, 4-6");
  await keyboard.press("Shift+Tab");
  await app.page.locator('.page[data-page="3"]:focus').waitFor();
  await keyboard.press("Shift+ArrowRight");
  await keyboard.press("Shift+ArrowRight");
  expect(await pages.inputValue()).toBe("1-2, 6, 3-5");
  // A range that gets smaller gives back what it took.
  await keyboard.press("Shift+ArrowLeft");
  expect(await pages.inputValue()).toBe("1-2, 5-6, 3-4");
  // What changes in between stays.
  await pages.fill("6, 1");
  await app.page.locator('.page[data-page="4"]').focus();
  await keyboard.press("Shift+ArrowRight");
  expect(await pages.inputValue()).toBe("6, 1, 3-5");
  await keyboard.press("Shift+ArrowLeft");
  await keyboard.press("Space");
  await app.page.getByRole("dialog", { name: "Page 4" }).getByRole("img", { name: "Page 4" }).waitFor();
  await keyboard.press("ArrowRight");
  await app.page.getByRole("dialog", { name: "Page 5" }).getByRole("img", { name: "Page 5" }).waitFor();
  await keyboard.press("Escape");
  await app.page.locator('.page[data-page="4"]:focus').waitFor();
});

test("shows a page large by its magnifier, and selects nothing", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.choose("report.pdf");
  await option(3).hover();
  await option(3).locator(".page-magnifier").click();
  const large = app.page.getByRole("dialog", { name: "Page 3" });
  await large.getByRole("img", { name: "Page 3" }).waitFor();
  await large.getByRole("button", { name: "Close" }).click();
  await large.waitFor({ state: "hidden" });
  expect(await app.page.getByLabel("Pages", { exact: true }).inputValue()).toBe("");
});

describe.skipIf(NO_QPDF)("with qpdf", () => {
  test("shows the grid of an encrypted PDF once its password is entered", async () => {
    const plain = app.write("report.pdf", makePdf({ pages: 40 }));
    for (const name of ["first", "second"]) {
      await qpdfEncrypt(plain, join(host.folder, `${name}.pdf`), { user: `opens ${name}`, owner: "owner" });
    }
    await app.choose("first.pdf", "second.pdf");
    await app.task("Split");
    const grid = (name: string) => app.page.getByRole("listbox", { name: `Pages of ${name}.pdf` });
    const enter = async (name: string, password: string) => {
      const field = app.page.getByLabel(`Password of ${name}.pdf`);
      await field.fill(password);
      await field.press("Enter");
    };
    await enter("first", "wrong");
    expect(await app.problemAt("password-")).toMatch("does not open the file");
    expect(await app.page.locator(".page").count()).toBe(0);
    await enter("first", "opens first");
    await option(1).locator("img").waitFor();
    await option(1).focus();
    await app.page.keyboard.press("End");
    await option(40).locator("img").waitFor();
    await app.page.keyboard.press("Space");
    await app.page.getByRole("dialog").getByRole("img", { name: "Page 40" }).waitFor();
    await app.page.keyboard.press("Escape");
    await app.page.keyboard.press("Enter");
    await app.page.getByLabel("Same pages in all files").click();

    // The other file stays locked. Each has a password of its own.
    await app.show("second.pdf");
    await grid("first").waitFor({ state: "detached" });
    expect(await app.page.locator(".page").count()).toBe(0);
    await enter("second", "opens second");
    await grid("second").getByRole("option", { name: "Page 1", exact: true }).locator("img").waitFor();
    await app.start();
    const part = await app.save("pages-second.pdf");
    expect(await qpdfCheck(part, "opens second")).toMatchObject({ verdict: "ok", pageCount: 1 });
  });
});

describe("with a finger", () => {
  openAppForEach(
    (opened) => {
      ({ app } = opened);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  );

  /** Puts a finger on a page. Returns what lifts it. */
  async function press(page: number): Promise<() => Promise<unknown>> {
    await option(page).locator("img").waitFor();
    await option(page).scrollIntoViewIfNeeded();
    const box = await option(page).boundingBox();
    if (box === null) throw new Error(`Page ${page} is not shown`);
    const session = await app.page.context().newCDPSession(app.page);
    const point = { x: box.x + box.width / 2, y: box.y + 20 };
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
    return () => session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  test("shows another PDF by a tap on its picture", async () => {
    app.write("report.pdf", makePdf({ pages: 6 }));
    app.write("letter.pdf", makePdf({ pages: 2 }));
    await app.choose("report.pdf", "letter.pdf");
    await app.task("Split");
    await app.row("letter.pdf").getByRole("button", { name: "Show letter.pdf" }).tap();
    await app.page.getByRole("listbox", { name: "Pages of letter.pdf" }).waitFor();
  });

  test("selects a page by a tap, and shows it large by a long press", async () => {
    app.write("report.pdf", makePdf({ pages: 6 }));
    await app.choose("report.pdf");
    const pages = app.page.getByLabel("Pages", { exact: true });
    await (await press(1))();
    await expect.poll(() => pages.inputValue()).toBe("1");
    const lift = await press(2);
    const large = app.page.getByRole("dialog", { name: "Page 2" });
    await large.getByRole("img", { name: "Page 2" }).waitFor();
    await lift();
    await large.getByRole("button", { name: "Close" }).tap();
    await large.waitFor({ state: "hidden" });
    expect(await pages.inputValue()).toBe("1");
  });
});

test("shows the files with forced colors, too", async () => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  await app.page.emulateMedia({ forcedColors: "active" });
  await app.choose("report.pdf");
  await option(1).click();
  const borderOf = (page: number) =>
    app.page.locator(`.page[data-page="${page}"]`).evaluate((cell) => getComputedStyle(cell).borderTopColor);
  expect(await borderOf(1)).not.toBe(await borderOf(3));
});
