import { beforeEach, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

let app: AppPage;

openAppForEach((opened) => {
  ({ app } = opened);
});

beforeEach(() => {
  app.write("report.pdf", makePdf({ pages: 6 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
  const sample = (x: number, y: number) => [x, y, 99];
  app.write("photo.png", makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
});

const places = () => app.page.locator(".sequence li");

test("shows which pages each file becomes, with its first page", async () => {
  await app.choose("report.pdf", "photo.png", "letter.pdf");
  await app.task("Merge");
  expect(await places().locator(".sequence-pages").allTextContents()).toEqual([
    "Pages 1–6",
    "Page 7",
    "Pages 8–9",
  ]);
  await expect.poll(() => places().locator("img").count()).toBe(3);
});

test("a file is dragged to another place", async () => {
  await app.choose("report.pdf", "photo.png", "letter.pdf");
  await app.task("Merge");
  await places().last().hover();
  await app.page.mouse.down();
  await places().first().hover();
  // A second move, because browsers begin a drag with the first one.
  await places().first().hover();
  // In the list, too.
  await expect.poll(() => app.page.locator("[data-dragged]").count()).toBe(2);
  await app.page.mouse.up();
  await expect.poll(() => app.page.locator("[data-dragged]").count()).toBe(0);
  await expect
    .poll(() => places().locator(".sequence-name").allTextContents())
    .toEqual(["letter.pdf", "report.pdf", "photo.png"]);
  expect(await app.page.locator(".row-name").allTextContents()).toEqual([
    "letter.pdf",
    "report.pdf",
    "photo.png",
  ]);
  expect(await places().first().locator(".sequence-pages").textContent()).toBe("Pages 1–2");
});

test("images are shown on their paper", async () => {
  app.write(
    "other.png",
    makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] }),
  );
  await app.choose("photo.png", "other.png");
  await app.task("One PDF");
  const shape = () =>
    places()
      .first()
      .locator(".sequence-page")
      .evaluate((page) => {
        const { width, height } = page.getBoundingClientRect();
        return (width / height).toFixed(2);
      });
  expect(await shape()).toBe("1.50");
  await app.radio("A4");
  await expect.poll(shape).toBe("1.41");
});
