import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEMO } from "../../scripts/built.mjs";
import { openWatched } from "../support/browsers/watched-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import {
  COLOR_SCHEMES,
  DESKTOP,
  describeScreens,
  host,
  open,
  PHONE,
  smallControls,
  useDemo,
} from "./app-screens-suite.ts";

/** The most bytes of the first load, compressed, before any engine. */
const FIRST_LOAD_LIMIT = 35_000;

useDemo();

// app-screens.rest.test.ts does the same on a phone.
describeScreens(DESKTOP);

describe.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
] as const)("on a %s", (_, device) => {
  test.each(COLOR_SCHEMES)(
    "draws fields and choices with borders of at least 3:1 in %s",
    async (colorScheme) => {
      const app = await open({ colorScheme, ...device });
      await app.choose("report.pdf");
      await app.task("Protect");
      const ratios = await app.page.locator(".field-row input, .choice span").evaluateAll((elements) => {
        const luminance = (color: string) => {
          const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
            const value = Number(part) / 255;
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const ground = (element: Element | null): string => {
          const color = element === null ? "rgb(255, 255, 255)" : getComputedStyle(element).backgroundColor;
          return color.startsWith("rgba(0, 0, 0, 0") ? ground(element?.parentElement ?? null) : color;
        };
        return elements.map((element) => {
          const border = luminance(getComputedStyle(element).borderTopColor);
          const behind = luminance(ground(element.parentElement));
          return (Math.max(border, behind) + 0.05) / (Math.min(border, behind) + 0.05);
        });
      });
      expect(ratios.length).toBeGreaterThan(3);
      expect(Math.min(...ratios)).toBeGreaterThanOrEqual(3);
    },
  );
});

test("makes controls at least 44 pixels high and wide for fingers", async () => {
  const app = await open(PHONE);
  await app.choose("report.pdf");
  expect(await smallControls(app)).toEqual([]);
});

test("moves the focus of a phone to the start once the password is correct", async () => {
  const app = await open(PHONE);
  await app.choose("one.pdf");
  await app.task("Unlock");
  await app.enterPassword("one.pdf", "opens one");
  await app.page.locator("#start:focus").waitFor();
});

test("closes the sheet of a phone once all passwords are right", async () => {
  const app = await open(PHONE);
  await app.choose("one.pdf", "two.pdf");
  await app.task("Split");
  const options = app.page.locator(".options");
  await app.enterPassword("one.pdf", "opens one");
  expect(await options.isVisible()).toBe(true);
  await app.enterPassword("two.pdf", "opens two");
  await options.waitFor({ state: "hidden" });
  await app.page.locator("#start:focus").waitFor();
  await app.showOptions();
  await app.page.getByLabel("Pages", { exact: true }).waitFor();
});

test("names the only result in its field alone on a phone", async () => {
  const app = await open(PHONE);
  app.write("A rather long name.pdf", makePdf({ pages: 2 }));
  await app.choose("A rather long name.pdf");
  await app.page.getByRole("button", { name: "Options" }).click();
  await app.page.getByLabel("Pages", { exact: true }).fill("1");
  await app.start();
  const save = app.page.locator("#save-all");
  expect(await save.textContent()).toBe("Save");
  expect(await save.evaluate((button) => button.scrollWidth <= button.clientWidth)).toBe(true);
});

test("keeps the name of the app apart from the language on a narrow phone", async () => {
  const app = await open({ ...PHONE, viewport: { width: 320, height: 640 }, locale: "de" });
  const name = await app.page.locator(".brand-name").boundingBox();
  const button = await app.page.getByRole("button", { name: "English" }).boundingBox();
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThan(button?.x ?? 0);
});

test("fits a narrow phone, also with a long name", async () => {
  const app = await open({ viewport: { width: 320, height: 640 } });
  const name = `A ${"very ".repeat(20)}long name`;
  app.write(
    `${name}.png`,
    makePng({ width: 6, height: 4, colorType: 2, bitDepth: 8, sample: (x, y) => [x, y, 9] }),
  );
  await app.choose("report.pdf", `${name}.png`);
  const overflow = () =>
    app.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await app.row("report.pdf").getByRole("button", { name: "Remove report.pdf" }).click();
  await app.start();
  const save = app.page.locator("#save-all");
  await save.waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  expect((await save.boundingBox())?.height).toBeLessThan(60);
});

// A text of twice the size leaves as much room as half the width.
test("leaves most of a phone to the files when text is twice as large", async () => {
  const app = await open({ ...PHONE, viewport: { width: 195, height: 422 } });
  const bar = app.page.locator(".action-bar");
  const expectLow = async () => expect((await bar.boundingBox())?.height).toBeLessThan(422 / 4);
  await app.choose("photo.png", "other.png");
  await expectLow();
  await app.start();
  await app.back();
  await expectLow();
  await app.page.getByRole("button", { name: "Options" }).click();
  await expectLow();
});

test("shows the tasks in one line of a phone, also in German", async () => {
  const app = await open({ ...PHONE, locale: "de" });
  const files = ["report.pdf", "photo.png"].map((name) => join(host.folder, name));
  await app.page.locator("#file-input").setInputFiles(files);
  const tasks = app.page.locator(".tab");
  await tasks.nth(3).waitFor();
  const tops = await tasks.evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});

test("shows the task with forced colors", async () => {
  const app = await open({ forcedColors: "active" });
  await app.choose("report.pdf");
  const colors = await app.page
    .locator(".tab")
    .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).backgroundColor));
  expect(new Set(colors).size).toBe(2);
});

test("loads at most 35 kB and a typeface before any engine", async () => {
  const watched = await openWatched(host.browser, host.urlOf("app"), { serviceWorkers: "block" });
  onTestFinished(() => watched.page.context().close());
  await watched.page.waitForLoadState("networkidle");
  const paths = watched.requests
    .map((request) => request.slice(`GET ${host.urlOf("app")}`.length))
    .filter((path) => !/\.(svg|png|woff2|webmanifest)$/.test(path) && !path.startsWith("service-worker"));
  const sizes = paths.map((path) => gzipSync(readFileSync(join(DEMO, path || "index.html"))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(paths.length).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(FIRST_LOAD_LIMIT);
});
