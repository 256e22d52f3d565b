import { join } from "node:path";
import { expect, test } from "vitest";
import { lockedPdf } from "../support/fixtures/locked-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { DESKTOP, host, open, PHONE, useDemo } from "./app-screens-suite.ts";

/** 1280 x 800 at a zoom of 200 %. */
const ZOOMED = { viewport: { width: 640, height: 400 } };

useDemo();

test.each([
  ["a desktop", DESKTOP, ["long.pdf"], 12],
  ["a phone", PHONE, ["long.pdf"], 6],
  ["a phone in German with two files", { ...PHONE, locale: "de" }, ["long.pdf", "report.pdf"], 6],
  ["a desktop at a zoom of 200 %", ZOOMED, ["long.pdf"], 2],
  ["a desktop at a zoom of 200 % in German", { ...ZOOMED, locale: "de" }, ["long.pdf"], 2],
] as const)("shows whole pages on %s without scrolling", async (_, device, names, least) => {
  const app = await open(device);
  app.write("long.pdf", makePdf({ pages: 30 }));
  const files = names.map((name) => join(host.folder, name));
  await app.page.locator("#file-input").setInputFiles(files);
  for (const task of ["split", "organize"]) {
    await app.page.locator(`.tab[data-task="${task}"]`).click();
    await app.page.locator(".page img").first().waitFor();
    await app.page.evaluate(() => scrollTo(0, 0));
    const whole = await app.page.locator(".page").evaluateAll((cells) => {
      const [stage, bar] = [".stage", ".action-bar"].map((part) =>
        document.querySelector(part)?.getBoundingClientRect(),
      );
      if (!stage || !bar) throw new Error("There is no stage");
      const bottom = Math.min(stage.bottom, bar.top);
      const boxes = cells.map((cell) => cell.getBoundingClientRect());
      return boxes.filter((box) => box.top >= stage.top && box.bottom <= bottom).length;
    });
    expect(whole, task).toBeGreaterThanOrEqual(least);
  }
});

test("shows a long name in one line with its end, and all of it to screen readers", async () => {
  const app = await open(PHONE);
  const name = `A ${"very ".repeat(20)}long report 2025.pdf`;
  app.write(name, lockedPdf("opens one"));
  await app.choose(name, "report.pdf");
  const expectShort = async (place: string) => {
    const box = app.page.locator(`${place} .file-name`).first();
    expect(await box.getAttribute("title")).toBe(name);
    expect(await box.textContent()).toBe(name);
    const { lines, isEndInView } = await box.evaluate((element) => {
      const end = element.lastElementChild?.getBoundingClientRect();
      const parent = element.closest("p, label")?.getBoundingClientRect();
      return {
        lines:
          element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
        isEndInView: end && parent && end.width > 0 && end.right <= parent.right + 1,
      };
    });
    expect(Math.round(lines), place).toBe(1);
    expect(isEndInView, place).toBe(true);
  };
  await expectShort(".row-name");
  await app.task("Split");
  await app.showOptions();
  await expectShort(".locked-file label");
  await app.enterPassword(name, "opens one");
  await app.showOptions();
  await expectShort(".password-correct");
  await expectShort(".shown-file");
  await app.task("Merge");
  await expectShort(".sequence-name");
  await app.showOptions();
  await expectShort(".field label");
});

test("prints the files, the stage and the options one below the other, without buttons", async () => {
  const app = await open(DESKTOP);
  await app.choose("report.pdf", "photo.png");
  for (const task of ["Split", "Protect"] as const) {
    await app.task(task);
    await app.page.emulateMedia({ media: "print" });
    expect(
      await app.page.locator(".action-bar, .tabs, .row-buttons").and(app.page.locator(":visible")).count(),
    ).toBe(0);
    const boxes = await app.page
      .locator(".tray, .stage, .options")
      .evaluateAll((parts) =>
        parts.map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
      );
    expect(boxes.flat()).toEqual(boxes.flat().toSorted((one, other) => one - other));
    await app.page.emulateMedia({ media: "screen" });
  }
});
