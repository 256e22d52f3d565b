import { join } from "node:path";
import { expect, test } from "vitest";
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
