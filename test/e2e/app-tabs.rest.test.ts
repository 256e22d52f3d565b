import { describe, expect, test } from "vitest";
import { makePdf } from "../support/fixtures/pdf.ts";
import { app, MOST_TABS, passwordOf, useKeyboardApp } from "./keyboard-app.ts";

useKeyboardApp();

test.each([
  ["Protect", "report.pdf"],
  ["Split", "report.pdf"],
  ["Convert", "report.pdf"],
  ["Convert", "photo.png"],
] as const)("reaches the start of %s by at most 6 tabs from %s", async (task, name) => {
  await app.choose(name);
  await app.task(task);
  await app.row(name).focus();
  expect(await app.tabsTo(app.page.locator("#start"))).toBeLessThanOrEqual(MOST_TABS);
});

test.each(["Take pages out", "Cut into several PDFs", "Every … pages", "By size"])(
  "reaches the start of a split of several PDFs by at most 6 tabs: %s",
  async (way) => {
    app.write("letter.pdf", makePdf({ pages: 2 }));
    await app.choose("report.pdf", "letter.pdf");
    await app.task("Split");
    await app.page.getByLabel("Pages", { exact: true }).fill("1");
    await app.radio(way);
    await app.row("letter.pdf").focus();
    await app.page.getByRole("listbox", { name: "Pages of letter.pdf" }).waitFor();
    expect(await app.tabsTo(app.page.locator("#start"))).toBeLessThanOrEqual(MOST_TABS);
  },
);

test.each([
  ["Merge", ["report.pdf", "photo.png"]],
  ["One PDF", ["photo.png", "other.png"]],
] as const)("reaches the start of %s by at most 6 tabs", async (task, names) => {
  await app.choose(...names);
  await app.task(task);
  await app.row(names[1]).focus();
  expect(await app.tabsTo(app.page.locator("#start"))).toBeLessThanOrEqual(MOST_TABS);
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
        count += await app.tabsTo(app.page.getByLabel(`Password of ${name}`));
        await app.enterPassword(name, passwordOf(name));
        await app.page.getByLabel(`Password of ${name}`).waitFor({ state: "detached" });
      }
      if (task === "Split") await app.page.getByRole("listbox", { name: "Pages of one.pdf" }).waitFor();
      count += await app.tabsTo(app.page.locator("#start"));
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
    expect(1 + (await app.tabsTo(app.page.locator("#start")))).toBeLessThanOrEqual(MOST_TABS);
  });
});
