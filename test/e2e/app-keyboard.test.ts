import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { lockedPdf } from "../support/fixtures/locked-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** The app with the keyboard alone. */

/** How often Tab is pressed at most from the row of a file to the button that starts. */
const MOST_TABS = 6;

let app: AppPage;

openAppForEach(
  (opened) => {
    ({ app } = opened);
    app.write("report.pdf", makePdf({ pages: 6 }));
    const sample = (x: number, y: number) => [x, y, 99];
    for (const name of ["photo.png", "other.png"]) {
      app.write(name, makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
    }
    for (const name of ["one.pdf", "two.pdf"]) app.write(name, lockedPdf(passwordOf(name)));
  },
  { viewport: { width: 1280, height: 800 }, serviceWorkers: "block" },
);

/** Returns the password of a locked file. */
function passwordOf(name: string): string {
  return `opens ${name.replace(".pdf", "")}`;
}

/** Presses Tab until an element has the focus. Returns how often. Fails when nothing has the focus on the way. */
async function tabsTo(element: Locator): Promise<number> {
  for (let count = 0; count <= 20; count++) {
    expect(await app.page.locator("body:focus-within").count()).toBe(1);
    if (await hasFocus(element)) return count;
    await app.page.keyboard.press("Tab");
  }
  throw new Error("Tab does not reach it");
}

function tabsToStart(): Promise<number> {
  return tabsTo(app.page.locator("#start"));
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}

test.each([
  ["Protect", "report.pdf"],
  ["Split", "report.pdf"],
  ["Convert", "report.pdf"],
  ["Convert", "photo.png"],
] as const)("reaches the start of %s by at most 6 tabs from %s", async (task, name) => {
  await app.choose(name);
  await app.task(task);
  await app.row(name).focus();
  expect(await tabsToStart()).toBeLessThanOrEqual(MOST_TABS);
});

test.each([
  "Selected pages",
  "Into one PDF",
  "Same pages in all files",
  "Odd pages",
  "Every … pages",
  "By size",
])("reaches the start of a split of several PDFs by at most 6 tabs: %s", async (way) => {
  app.write("letter.pdf", makePdf({ pages: 2 }));
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Split");
  await app.page.getByLabel("Pages", { exact: true }).fill("1");
  await app.radio(way);
  await app.row("letter.pdf").focus();
  await app.page.getByRole("listbox", { name: "Pages of letter.pdf" }).waitFor();
  expect(await tabsToStart()).toBeLessThanOrEqual(MOST_TABS);
});

test.each([
  ["Merge", ["report.pdf", "photo.png"]],
  ["One PDF", ["photo.png", "other.png"]],
] as const)("reaches the start of %s by at most 6 tabs", async (task, names) => {
  await app.choose(...names);
  await app.task(task);
  await app.row(names[1]).focus();
  expect(await tabsToStart()).toBeLessThanOrEqual(MOST_TABS);
});

describe.each(["Unlock", "Split", "Convert"] as const)("%s", (task) => {
  test.each([[["one.pdf"]], [["one.pdf", "two.pdf"]]] as const)(
    "reaches the start by at most 6 tabs with locked files and a password for each: %s",
    async (names) => {
      await app.choose(...names);
      await app.task(task);
      await app.row("one.pdf").focus();
      let count = 0;
      for (const name of names) {
        count += await tabsTo(app.page.getByLabel(`Password of ${name}`));
        await app.enterPassword(name, passwordOf(name));
        await app.page.getByLabel(`Password of ${name}`).waitFor({ state: "detached" });
      }
      if (task === "Split") await app.page.getByRole("listbox", { name: "Pages of one.pdf" }).waitFor();
      count += await tabsToStart();
      expect(count).toBeLessThanOrEqual(MOST_TABS);
    },
  );

  test("reaches the start by at most 6 tabs from where the focus is put, without Enter in the password", async () => {
    await app.choose("one.pdf");
    await app.task(task);
    const field = app.page.getByLabel("Password of one.pdf");
    await field.fill("opens one");
    await field.press("Tab");
    await app.page.getByRole("status").getByText("one.pdf: the password is correct").waitFor();
    if (task === "Split") await app.page.getByRole("listbox", { name: "Pages of one.pdf" }).waitFor();
    expect(1 + (await tabsToStart())).toBeLessThanOrEqual(MOST_TABS);
  });
});

test("splits a locked PDF by at most 6 tabs from its row, and Enter in the last field", async () => {
  const { keyboard } = app.page;
  await app.choose("one.pdf");
  await app.task("Split");
  await app.row("one.pdf").focus();
  let count = await tabsTo(app.page.getByLabel("Password of one.pdf"));
  await keyboard.type("opens one");
  count += await tabsTo(app.page.getByRole("button", { name: "Show: one.pdf" }));
  await app.page.getByRole("status").getByText("one.pdf: the password is correct").waitFor();
  count += await tabsTo(app.page.getByLabel("Pages", { exact: true }));
  await keyboard.type("2");
  await keyboard.press("Enter");
  await app.page.locator("#save-all").waitFor();
  expect(count).toBeLessThanOrEqual(MOST_TABS);
});

test("asks for the password at once, unless something else has the focus", async () => {
  await app.choose("one.pdf");
  await expect.poll(() => hasFocus(app.page.getByLabel("Password of one.pdf"))).toBe(true);
  await app.row("one.pdf").focus();
  await app.choose("two.pdf");
  await app.page.getByLabel("Password of two.pdf").waitFor();
  expect(await hasFocus(app.row("one.pdf"))).toBe(true);
});

test("goes on to the next locked file, and stays at a wrong password", async () => {
  await app.choose("one.pdf", "two.pdf");
  await app.task("Unlock");
  const one = app.page.getByLabel("Password of one.pdf");
  const two = app.page.getByLabel("Password of two.pdf");
  await one.fill("opens two");
  await one.press("Enter");
  await app.problemAt("password-");
  expect(await hasFocus(one)).toBe(true);
  await app.enterPassword("one.pdf", "opens one");
  await expect.poll(() => hasFocus(two)).toBe(true);
  await one.waitFor({ state: "detached" });
  await app.enterPassword("two.pdf", "opens two");
  await expect.poll(() => hasFocus(app.page.locator("#start"))).toBe(true);
});

test("keeps the field of a correct password while it or its button has the focus", async () => {
  await app.choose("one.pdf");
  await app.task("Split");
  const field = app.page.getByLabel("Password of one.pdf");
  const show = app.page.getByRole("button", { name: "Show: one.pdf" });
  await field.fill("opens one");
  await field.press("Tab");
  await app.page.getByRole("status").getByText("one.pdf: the password is correct").waitFor();
  expect(await hasFocus(show)).toBe(true);
  await app.page.keyboard.press("Space");
  expect(await field.getAttribute("type")).toBe("text");
  await app.page.keyboard.press("Tab");
  await field.waitFor({ state: "detached" });
  expect(await hasFocus(app.page.getByRole("radio", { name: "Selected pages" }))).toBe(true);
});

test("moves nothing away from a pointer when text takes the place of a field", async () => {
  await app.choose("one.pdf");
  await app.task("Split");
  const place = () => app.page.locator('.choice:has([name="split-way"])').boundingBox();
  const before = await place();
  await app.page.getByLabel("Password of one.pdf").fill("opens one");
  await app.radio("Odd pages");
  await app.page.getByText("one.pdf: the password is correct").waitFor();
  expect(await app.page.getByRole("radio", { name: "Odd pages" }).isChecked()).toBe(true);
  await expect.poll(place).toEqual(before);
});

test("shows and announces the pages of the PDF whose row has the focus", async () => {
  app.write("letter.pdf", makePdf({ pages: 2 }));
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Split");
  await app.row("report.pdf").focus();
  await app.page.getByRole("status").getByText("Pages of report.pdf").waitFor();
  await app.page.keyboard.press("ArrowDown");
  await app.page.getByRole("status").getByText("Pages of letter.pdf").waitFor();
  await app.page.getByRole("listbox", { name: "Pages of letter.pdf" }).waitFor();
});

test("protects a PDF, from the tray to the result", async () => {
  const { keyboard } = app.page;
  await app.choose("report.pdf");
  await app.row("report.pdf").focus();
  await keyboard.press("Tab");
  await app.page.locator('input[name="task"]:focus').waitFor();
  await keyboard.press("ArrowLeft");
  await keyboard.press("Tab");
  await keyboard.type("secret");
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await keyboard.type("secret");
  await keyboard.press("Enter");
  await app.page.locator("#save-all").waitFor();
  expect(await app.page.locator("#summary").textContent()).toBe("1 file is ready");
});

test("puts files into another order, and selects pages", async () => {
  await app.choose("report.pdf", "photo.png");
  await app.row("photo.png").focus();
  await app.page.keyboard.press("Alt+ArrowUp");
  const names = app.page.locator(".row-name");
  await expect.poll(() => names.allTextContents()).toEqual(["photo.png", "report.pdf"]);
  await app.task("Split");
  await app.page.getByRole("option", { name: "Page 1", exact: true }).focus();
  await app.page.keyboard.press("Enter");
  await app.page.keyboard.press("ArrowRight");
  await app.page.keyboard.press("ArrowRight");
  await app.page.keyboard.press("Enter");
  expect(await app.page.getByLabel("Pages", { exact: true }).inputValue()).toBe("1, 3");
});

test("shows a page large by Space, and closes it by Escape", async () => {
  await app.choose("report.pdf");
  await app.task("Split");
  await app.page.getByRole("option", { name: "Page 2", exact: true }).click();
  await app.page.keyboard.press("Space");
  const large = app.page.getByRole("dialog", { name: "Page 2" });
  await large.getByRole("img", { name: "Page 2" }).waitFor();
  await app.page.keyboard.press("Escape");
  await large.waitFor({ state: "hidden" });
  expect(await app.page.getByLabel("Pages", { exact: true }).inputValue()).toBe("2");
});
