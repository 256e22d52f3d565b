import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { mustRun, qpdfEncrypt } from "../support/oracles.ts";

const NO_TOOLS = announceMissing("the comparison", ["heif-enc", "qpdf"]).length > 0;

/** The size of the picture. */
const WIDTH = 1600;
const HEIGHT = 400;

let host: DemoHost;
let app: AppPage;

openAppForEach((opened) => {
  ({ host, app } = opened);
  const sample = (x: number, y: number) => [(x * 7) % 256, (y * 3) % 256, (x * y) % 256];
  app.write("photo.png", makePng({ width: WIDTH, height: HEIGHT, colorType: 2, bitDepth: 8, sample }));
});

const comparison = () => app.page.locator(".comparison");
const divider = () => comparison().getByLabel("Border between before and after");
const result = () => comparison().locator(".comparison-sizes [role=status]");

async function openComparison(name = "photo.png"): Promise<void> {
  await app.choose(name);
  await result().getByText(/After/).waitFor();
}

/** Returns the field for the longest side, which is among the further options. */
async function longestSide(): Promise<Locator> {
  await app.page.getByText("More options").click();
  return app.page.getByLabel("Longest side (pixels)");
}

/** Waits for another result than `text`, and returns it. */
async function resultAfter(text: string | null): Promise<string> {
  await expect.poll(() => result().textContent()).not.toBe(text);
  await result().getByText(/After/).waitFor();
  return (await result().textContent()) ?? "";
}

function naturalSize(image: Locator): Promise<readonly [number, number]> {
  return image.evaluate((element) => {
    if (!(element instanceof HTMLImageElement)) throw new Error("Not an image");
    return [element.naturalWidth, element.naturalHeight] as const;
  });
}

/** Returns where a picture is clipped, as a part of the width of the view. */
async function clipEdge(side: "before" | "after"): Promise<number> {
  const clip = await comparison()
    .locator(`.comparison-${side}`)
    .evaluate((element) => getComputedStyle(element).clipPath);
  const { width } = (await comparison().locator(".comparison-slider").boundingBox()) ?? { width: Number.NaN };
  // inset(0px calc(100% - 640px) 0px 0px), inset(0px 0px 0px 640px)
  const edge = side === "before" ? /100% - ([\d.]+)px/ : /([\d.]+)px\)$/;
  return Number(edge.exec(clip)?.[1]) / width;
}

/** Where the result begins, as a part of the width of the view. */
const border = () => clipEdge("after");

test("shows the picture whose row has the focus", async () => {
  const sample = (x: number, y: number) => [x, y, 9];
  app.write("other.png", makePng({ width: 30, height: 20, colorType: 2, bitDepth: 8, sample }));
  await app.choose("photo.png", "other.png");
  const width = async () => (await naturalSize(comparison().getByRole("img", { name: "Before" })))[0];
  await expect.poll(width).toBe(WIDTH);
  await app.row("photo.png").focus();
  await app.page.keyboard.press("ArrowDown");
  await expect.poll(width).toBe(30);
  await app.row("photo.png").click();
  await expect.poll(width).toBe(WIDTH);
});

test("shows the picture before and after, with both sizes", async () => {
  await openComparison();
  expect(
    await comparison()
      .getByText(/^Before PNG, .*[kM]B$/)
      .count(),
  ).toBe(1);
  expect(await result().textContent()).toMatch(/^After JPG, .*[kM]B [+−]\d+%$/);
  for (const name of ["Before", "After"]) {
    expect(await naturalSize(comparison().getByRole("img", { name }))).toEqual([WIDTH, HEIGHT]);
  }
});

test("converts again when the quality, the format or the longest side changes", async () => {
  await openComparison();
  const first = await result().textContent();
  await app.page.getByLabel("Quality").fill("5");
  const poor = await resultAfter(first);
  await app.radio("WebP");
  const other = await resultAfter(poor);
  expect(other).toMatch(/^After WebP/);
  // The size is that of the new format, too.
  expect(other.replace("WebP", "JPG")).not.toBe(poor);
  await (await longestSide()).fill("200");
  await resultAfter(other);
  const after = comparison().getByRole("img", { name: "After" });
  await expect.poll(() => naturalSize(after)).toEqual([200, 50]);
  // Both stay at the same place.
  expect(await after.boundingBox()).toEqual(
    await comparison().getByRole("img", { name: "Before" }).boundingBox(),
  );
  await app.page.getByRole("button", { name: "Set to automatic" }).click();
  await app.page.getByText("automatic", { exact: true }).waitFor();
});

test("converts nothing with a wrong option, and says so at its field", async () => {
  await openComparison();
  const shown = await result().textContent();
  const field = await longestSide();
  await field.fill("wide");
  await field.blur();
  expect(await app.problemAt("convert-side")).toBe("Enter a whole number above 0, in digits only.");
  expect(await result().textContent()).toBe(shown);
});

test("moves the divider by keys and by dragging", async () => {
  await openComparison();
  await expect.poll(border).toBeCloseTo(0.5, 3);
  await divider().focus();
  await app.page.keyboard.press("Home");
  await expect.poll(border).toBe(0);
  for (let count = 0; count < 3; count++) await app.page.keyboard.press("ArrowRight");
  await expect.poll(border).toBeCloseTo(0.03, 3);
  const view = await comparison().locator(".comparison-slider").boundingBox();
  if (view === null) throw new Error("The pictures are not shown");
  const middle = view.y + view.height / 2;
  await app.page.mouse.move(view.x + 0.03 * view.width, middle);
  await app.page.mouse.down();
  await app.page.mouse.move(view.x + 0.7 * view.width, middle, { steps: 4 });
  await app.page.mouse.up();
  await expect.poll(border).toBeCloseTo(0.7, 1);
  await app.page.mouse.click(view.x + 0.25 * view.width, middle);
  await expect.poll(border).toBeCloseTo(0.25, 1);
  // A transparent result must not show the original.
  expect(await clipEdge("before")).toBeCloseTo(await border(), 3);
});

test("fits a tall picture into the view, the same before and after", async () => {
  const sample = (x: number, y: number) => [x % 256, y % 256, 9];
  app.write("photo-tall.png", makePng({ width: 600, height: 1800, colorType: 2, bitDepth: 8, sample }));
  await openComparison("photo-tall.png");
  const view = await comparison().locator(".comparison-slider").boundingBox();
  const boxOf = (name: string) => comparison().getByRole("img", { name, exact: true }).boundingBox();
  await expect.poll(async () => (await boxOf("After"))?.height).toBe(view?.height);
  expect(await boxOf("Before")).toEqual(await boxOf("After"));
});

test("shows a pixel of the picture as one of the screen at 100%, and keeps the divider while it scrolls", async () => {
  await openComparison();
  await app.radio("100%");
  const image = comparison().getByRole("img", { name: "Before" });
  await expect.poll(async () => (await image.boundingBox())?.width).toBe(WIDTH);
  const view = comparison().locator(".comparison-view");
  await view.focus();
  await app.page.keyboard.press("End");
  await view.evaluate((element) => element.scrollTo({ left: 300, behavior: "instant" }));
  const { width } = (await view.boundingBox()) ?? { width: Number.NaN };
  await expect.poll(border).toBeCloseTo(0.5 + 300 / width, 3);
});

test("converts with the options that were compared", async () => {
  await openComparison();
  await (await longestSide()).fill("200");
  await app.start();
  await app.save("photo.jpg");
});

describe.skipIf(NO_TOOLS)("with files of native tools", () => {
  test("shows a HEIC, which browsers cannot, with the size of the file", async () => {
    await mustRun("heif-enc", [join(host.folder, "photo.png"), "-o", join(host.folder, "photo.heic")]);
    await openComparison("photo.heic");
    await expect
      .poll(() => naturalSize(comparison().getByRole("img", { name: "Before" })))
      .toEqual([WIDTH, HEIGHT]);
    expect(
      await comparison()
        .getByText(/^Before HEIC/)
        .count(),
    ).toBe(1);
  });

  test("does not wait for the password of another file", async () => {
    app.write("report.pdf", makePdf({ pages: 2 }));
    await qpdfEncrypt(join(host.folder, "report.pdf"), join(host.folder, "locked.pdf"), {
      user: "sesame",
      owner: "owner",
    });
    await app.choose("locked.pdf");
    await app.choose("photo.png");
    await app.task("Convert");
    await app.show("photo.png");
    await result().getByText(/After/).waitFor();
    // Starting needs it, so the field has the focus.
    await app.start();
    const field = app.page.getByLabel("Password of locked.pdf");
    await expect.poll(() => app.hasFocus(field)).toBe(true);
  });
});
