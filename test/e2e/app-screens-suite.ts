import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { AppPage } from "../support/browsers/app-page.ts";
import { DemoHost } from "../support/browsers/demo-host.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { lockedPdf } from "../support/fixtures/locked-pdf.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** The built demo of the running file. */
export let host: DemoHost;

/** Starts the demo for the tests of a file. */
export function useDemo(): void {
  beforeAll(async () => {
    host = await DemoHost.start();
  });
  afterAll(() => host.close());
}

/** Opens the app for a test, with files to choose. */
export async function open(options: BrowserContextOptions = {}): Promise<AppPage> {
  const watched = await openWatched(host.browser, host.urlOf("app"), { serviceWorkers: "block", ...options });
  onTestFinished(() => watched.page.context().close());
  const app = new AppPage(watched, host.folder);
  app.write("report.pdf", makePdf({ pages: 6 }));
  app.write("broken.pdf", "%PDF-1.7\nnothing");
  const sample = (x: number, y: number) => [x, y, 99];
  app.write("photo.png", makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
  app.write("other.png", makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
  for (const name of ["one", "two"]) app.write(`${name}.pdf`, lockedPdf(`opens ${name}`));
  return app;
}

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const COLOR_SCHEMES = ["light", "dark"] as const;

/** What the page can show, and how to get there. */
const SCREENS: Readonly<Record<string, (app: AppPage) => Promise<void>>> = {
  "no files": async () => {},
  split: async (app) => {
    await app.choose("report.pdf");
    await app.showOptions();
    await app.page.getByLabel("Pages", { exact: true }).fill("1, 9");
    await app.start();
    await app.problemAt("split-pages");
  },
  "the files of a split": async (app) => {
    await app.choose("report.pdf");
    await app.showOptions();
    await app.radio("Cut into several PDFs");
    await app.page.getByLabel("Pages", { exact: true }).fill("1, 2-4, 5-6");
    await app.page.locator('.seam[data-after="1"]').focus();
  },
  "the one file of a split": async (app) => {
    await app.choose("report.pdf");
    await app.showOptions();
    await app.page.getByLabel("Pages", { exact: true }).fill("5, 1-2");
    await app.page.getByText("One PDF with 3 pages comes out.").waitFor();
  },
  "a large page": async (app) => {
    await app.choose("report.pdf");
    await app.page.locator('.page[data-page="2"]').focus();
    await app.page.keyboard.press("Space");
    await app.page.locator(".page-zoom img").waitFor();
  },
  "several documents to split": async (app) => {
    // A file without a thumbnail, which is not part of the task.
    app.write("letter.docx", docx(["Dear Sir or Madam,"]));
    await app.choose("report.pdf", "broken.pdf", "photo.png", "letter.docx");
    app.write("letter.pdf", makePdf({ pages: 2 }));
    await app.choose("letter.pdf");
    await app.task("Split");
    await app.showOptions();
    await app.page.getByLabel("Pages", { exact: true }).fill("1");
    await app.page.getByLabel("Same pages in all files").click();
  },
  "locked files": async (app) => {
    await app.choose("one.pdf", "two.pdf");
    await app.task("Unlock");
  },
  "a wrong password and a correct one": async (app) => {
    await app.choose("one.pdf", "two.pdf");
    await app.task("Unlock");
    await app.enterPassword("one.pdf", "opens one");
    await app.page.keyboard.type("wrong");
    await app.page.keyboard.press("Enter");
    await app.problemAt("password-");
  },
  protect: async (app) => {
    await app.choose("report.pdf");
    await app.task("Protect");
    await app.radio("only what I choose");
    await app.start();
    await app.problemAt("protect-password");
  },
  comparison: async (app) => {
    await app.choose("photo.png");
    await app.page
      .getByRole("status")
      .getByText(/^After/)
      .waitFor();
    await app.radio("100%");
  },
  results: async (app) => {
    await app.choose("photo.png", "other.png", "broken.pdf");
    await app.start();
    await app.page.locator(".output img").nth(1).waitFor();
  },
  "the parts of a split that are ready": async (app) => {
    await app.choose("report.pdf", "photo.png");
    await app.task("Split");
    await app.showOptions();
    await app.radio("Every … pages");
    await app.start();
    await app.page.locator(".output img").nth(1).waitFor();
  },
  "a result beside the original": async (app) => {
    await app.choose("photo.png", "other.png");
    await app.start();
    await app.page.getByRole("button", { name: "Compare photo.jpg" }).click();
    await app.page.locator(".comparison-after img").waitFor();
  },
  "a result of earlier settings": async (app) => {
    await app.choose("photo.png");
    await app.start();
    await app.back();
    await app.showOptions();
    await app.radio("WebP");
    await app.hideOptions();
    await app.page.getByRole("button", { name: "Show the result" }).click();
  },
  "a result as the files of the next task": async (app) => {
    await app.choose("photo.png", "other.png", "report.pdf");
    await app.task("Convert");
    await app.start();
    await app.page.getByRole("button", { name: "Make one PDF" }).click();
    await app.page.getByText("Back to the earlier result").waitFor();
    await app.page.locator('#start[data-state="ready"]').waitFor();
  },
  organize: async (app) => {
    await app.choose("report.pdf", "photo.png");
    await app.task("Organize");
    await app.page.getByRole("option", { name: "Page 2 of report.pdf" }).click();
    await app.page.getByRole("button", { name: "Rotate right" }).click();
  },
  shrink: async (app) => {
    await app.choose("report.pdf", "photo.png");
    await app.task("Shrink");
    await app.showOptions();
    await app.radio("Below a size");
  },
  clean: async (app) => {
    await app.choose("report.pdf");
    await app.task("Clean");
    await app.showOptions();
    await app.page.getByText("none").first().waitFor();
  },
  merge: async (app) => {
    await app.choose("report.pdf", "photo.png", "photo.png");
    await app.task("Merge");
  },
  "wrong pages to merge": async (app) => {
    app.write("letter.pdf", makePdf({ pages: 2 }));
    await app.choose("report.pdf", "photo.png", "letter.pdf");
    await app.task("Merge");
    await app.showOptions();
    await app.page.getByRole("textbox", { name: "Pages of report.pdf" }).fill("2-4, 9");
    await app.start();
    await app.problemAt("merge-pages");
  },
};

/** The least width and height of what a finger must hit, in CSS pixels. */
const TARGET = 44;

/** Returns the controls that a finger may miss. A control in a label is as large as the label. */
export function smallControls(app: AppPage): Promise<readonly string[]> {
  return app.page.locator("button, a, input, select, summary, [role=option]").evaluateAll(
    (controls, least) =>
      controls
        .map((control) => control.closest("label") ?? control)
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .filter((control) => {
          const { width, height } = control.getBoundingClientRect();
          // The scissors take taps beside them, too.
          const wide = Math.max(width, Number.parseFloat(getComputedStyle(control, "::after").width) || 0);
          return width > 0 && Math.min(wide, height) < least - 0.5;
        })
        .map((control) => control.outerHTML.slice(0, 120)),
    TARGET,
  );
}

/** Tests all screens on a device with axe, in light and dark. */
export function describeScreens(device: BrowserContextOptions): void {
  test.each(Object.entries(SCREENS))(
    "has no violation that axe finds, in light and dark, and no control that a finger misses: %s",
    async (_, show) => {
      const app = await open(device);
      await show(app);
      for (const colorScheme of COLOR_SCHEMES) {
        // Colors that change slowly would be judged on their way.
        await app.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await app.violations(), colorScheme).toEqual([]);
      }
      const overflow = await app.page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      if (device.hasTouch) expect(await smallControls(app)).toEqual([]);
    },
  );
}
