import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** Shrinking and cleaning in the app. What the operations keep and remove is tested without it. */

let app: AppPage;

openAppForEach((opened) => {
  ({ app } = opened);
  app.write("report.pdf", makePdf({ pages: 3 }));
  const noise = (x: number, y: number) => [(x * 7919 + y * 104_729) % 256, (x * y) % 256, (x + y * 31) % 256];
  app.write("photo.png", makePng({ width: 1600, height: 1200, colorType: 2, bitDepth: 8, sample: noise }));
});

test("shrinks a PDF and a picture, and says how much smaller they are", async () => {
  await app.choose("report.pdf", "photo.png");
  await app.task("Shrink");
  await app.radio("Smallest");
  await app.start();
  const pdf = await app.save("compressed-report.pdf");
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-");
  const picture = await app.save("small-photo.webp");
  expect(statSync(picture).size).toBeLessThan(1_000_000);
  expect(await app.page.locator(".output").nth(1).textContent()).toMatch(/−\d+%/);
});

test("shrinks below a size, and says what is too small", async () => {
  await app.choose("report.pdf");
  await app.task("Shrink");
  await app.radio("Below a size");
  await app.page.getByLabel("Largest size in MB").fill("0");
  await app.start();
  expect(await app.problemAt("shrink-size")).toBe(
    "Enter a number above 0, such as 1.5 or 2000, without a separator for thousands.",
  );
  await app.page.getByLabel("Largest size in MB").fill("0.0002");
  await app.start();
  await app
    .row("report.pdf")
    .getByText(/^This file cannot get smaller than/)
    .waitFor();
});

test("cleans a PDF, and says before what is in it", async () => {
  await app.choose("report.pdf");
  await app.task("Clean");
  const scripts = app.page.getByLabel("Scripts");
  await app.page.getByText("none").first().waitFor();
  expect(await scripts.isChecked()).toBe(true);
  await scripts.uncheck();
  await app.page.getByLabel("Draw forms into the pages").check();
  await app.start();
  const cleaned = await app.save("cleaned-report.pdf");
  expect(readFileSync(cleaned).subarray(0, 5).toString()).toBe("%PDF-");
  // The result belongs to these options.
  await app.back();
  await scripts.check();
  await app.showResult();
  await app.page.getByRole("heading", { name: "Made with earlier settings" }).waitFor();
});

test("grays the task that no file takes, and says why", async () => {
  await app.choose("photo.png");
  // For tools it is disabled. A click says why.
  await app.page.locator('.tab[data-task="clean"]').click({ force: true });
  await app.page.getByRole("status").getByText("Only PDFs can be cleaned.").waitFor();
});
