import { expect, test } from "vitest";
import { makePdf } from "../support/fixtures/pdf.ts";
import { app, useKeyboardApp } from "./keyboard-app.ts";

useKeyboardApp();

/** Waits until an element has the focus: a key must never begin again at the top of the page. */
async function expectFocus(selector = ":focus"): Promise<void> {
  await expect.poll(() => app.page.locator(selector).and(app.page.locator(":focus")).count()).toBe(1);
}

/** The fields that a person fills in before a task can start. */
const TYPED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  protect: [
    ["#protect-password", "secret"],
    ["#protect-repeated", "secret"],
  ],
  split: [["input[id^=split-pages-]", "1"]],
};

test.each(["protect", "unlock", "organize", "split", "merge", "shrink", "clean", "convert"])(
  "never loses the focus: %s, with the keys alone",
  async (task) => {
    const { keyboard } = app.page;
    app.write("letter.pdf", makePdf({ pages: 2 }));
    await app.page.locator("#file-input").focus();
    await app.choose(...(task === "unlock" ? ["one.pdf", "two.pdf"] : ["report.pdf", "letter.pdf"]));
    if (task === "unlock") {
      // The field of the file that was inspected first.
      await expectFocus('input[id^="password-"]');
      for (const name of ["one", "two"]) {
        await app.page.getByLabel(`Password of ${name}.pdf`).focus();
        await keyboard.type(`opens ${name}`);
        await keyboard.press("Enter");
        await app.page.getByText(`${name}.pdf: the password is correct`).waitFor();
      }
    } else {
      await expectFocus(".row");
      await app.page.locator(`.tab[data-task="${task}"]`).focus();
      await keyboard.press("Enter");
    }
    for (const [field, text] of TYPED[task] ?? []) {
      await app.page.locator(field).focus();
      await keyboard.type(text);
    }
    if (task === "split") await app.page.getByLabel("Same pages in all files").press("Space");
    await app.page.locator("#start").focus();
    await keyboard.press("Enter");
    await app.page.locator("#save-all").waitFor();
    await expectFocus();
    await app.page.locator(".row").first().focus();
    await keyboard.press("Delete");
    await expectFocus(".row");
    await keyboard.press("Control+z");
    await expectFocus();
    await app.page.getByRole("button", { name: "Remove all" }).press("Enter");
    await expectFocus("#file-input");
    await app.page.getByRole("button", { name: "Undo" }).press("Enter");
    await expectFocus();
  },
);
