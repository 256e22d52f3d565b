import { expect, test } from "vitest";
import { makePdf } from "../support/fixtures/pdf.ts";
import { app, MOST_TABS, useKeyboardApp } from "./keyboard-app.ts";

/** The app with the keyboard alone. app-tabs.rest.test.ts counts the tabs of each task. */

useKeyboardApp();

test("splits a locked PDF by at most 6 tabs from its row, and Enter in the last field", async () => {
  const { keyboard } = app.page;
  await app.choose("one.pdf");
  await app.task("Split");
  await app.row("one.pdf").focus();
  let count = await app.tabsTo(app.page.getByLabel("Password of one.pdf"));
  await keyboard.type("opens one");
  count += await app.tabsTo(app.page.getByRole("button", { name: "Show: one.pdf" }));
  await app.page.getByRole("status").getByText("one.pdf: the password is correct").waitFor();
  count += await app.tabsTo(app.page.getByLabel("Pages", { exact: true }));
  await keyboard.type("2");
  await keyboard.press("Enter");
  await app.page.locator("#save-all").waitFor();
  expect(count).toBeLessThanOrEqual(MOST_TABS);
});

test("asks for the password at once, unless something else has the focus", async () => {
  await app.choose("one.pdf");
  await expect.poll(() => app.hasFocus(app.page.getByLabel("Password of one.pdf"))).toBe(true);
  await app.row("one.pdf").focus();
  await app.choose("two.pdf");
  await app.page.getByLabel("Password of two.pdf").waitFor();
  expect(await app.hasFocus(app.row("one.pdf"))).toBe(true);
});

test("goes on to the next locked file, and stays at a wrong password", async () => {
  await app.choose("one.pdf", "two.pdf");
  await app.task("Unlock");
  const one = app.page.getByLabel("Password of one.pdf");
  const two = app.page.getByLabel("Password of two.pdf");
  await one.fill("opens two");
  await one.press("Enter");
  await app.problemAt("password-");
  expect(await app.hasFocus(one)).toBe(true);
  await app.enterPassword("one.pdf", "opens one");
  await expect.poll(() => app.hasFocus(two)).toBe(true);
  await one.waitFor({ state: "detached" });
  await app.enterPassword("two.pdf", "opens two");
  await expect.poll(() => app.hasFocus(app.page.locator("#start"))).toBe(true);
});

test("keeps the field of a correct password while it or its button has the focus", async () => {
  await app.choose("one.pdf");
  await app.task("Split");
  const field = app.page.getByLabel("Password of one.pdf");
  const show = app.page.getByRole("button", { name: "Show: one.pdf" });
  await field.fill("opens one");
  await field.press("Tab");
  await app.page.getByRole("status").getByText("one.pdf: the password is correct").waitFor();
  expect(await app.hasFocus(show)).toBe(true);
  await app.page.keyboard.press("Space");
  expect(await field.getAttribute("type")).toBe("text");
  await app.page.keyboard.press("Tab");
  await field.waitFor({ state: "detached" });
  expect(await app.hasFocus(app.page.getByRole("radio", { name: "Take pages out" }))).toBe(true);
});

test("moves nothing away from a pointer when text takes the place of a field", async () => {
  await app.choose("one.pdf");
  await app.task("Split");
  const place = () => app.page.locator(".ways").boundingBox();
  const before = await place();
  await app.page.getByLabel("Password of one.pdf").fill("opens one");
  await app.radio("By size");
  await app.page.getByText("one.pdf: the password is correct").waitFor();
  expect(await app.page.getByRole("radio", { name: "By size" }).isChecked()).toBe(true);
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
  await app.page.locator(".tab").first().focus();
  await keyboard.press("Enter");
  await app.row("report.pdf").focus();
  await app.tabsTo(app.page.locator("#protect-password"));
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
