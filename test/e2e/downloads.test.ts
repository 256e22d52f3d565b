import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import type { Client } from "../../src/index.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { readPage } from "../support/docs.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

// What docs/reference/downloads.md says each job loads, compared with what Chromium requests of the built package.

const NO_HEIC = announceMissing("downloads", ["heif-enc"]).length > 0;
const PAGE = '<!doctype html><title>App</title><script type="module" src="./app.js"></script>';
/** How far a size in the table may be from that of the build. */
const TOLERANCE = 0.03;

/** The inputs, in Base64. */
const INPUTS = {
  pdf: Buffer.from(makePdf({ pages: 2 })).toString("base64"),
  png: pngOf(96).toString("base64"),
  heic: "",
};

/** The call of a job of the table. */
interface Call {
  readonly method: "protectPdf" | "splitPdf" | "cleanPdf" | "inspect" | "compressPdf" | "convert";
  readonly input: keyof typeof INPUTS;
  readonly fields?: object;
}

const image = (output_format: string, input: Call["input"] = "png"): Call => ({
  method: "convert",
  input,
  fields: { output_format },
});
const pages = (output_format: string): Call => ({
  method: "convert",
  input: "pdf",
  fields: { output_format, pages: "1" },
});

/** The jobs of the table. The import makes no call. */
const JOBS: Readonly<Record<string, Call | undefined>> = {
  "Import the package": undefined,
  "Protect, unlock": { method: "protectPdf", input: "pdf", fields: { password: "a" } },
  "Split, merge PDFs, repair, rotate and delete pages": {
    method: "splitPdf",
    input: "pdf",
    fields: { pages: "1" },
  },
  "Clean a PDF": { method: "cleanPdf", input: "pdf" },
  "Inspect a PDF": { method: "inspect", input: "pdf" },
  "Compress a PDF": { method: "compressPdf", input: "pdf" },
  "PDF pages as PNG: `renderPages`, `convert`": pages("png"),
  "PDF pages as JPG": pages("jpg"),
  "PDF as text: `readText`, `convert`": pages("txt"),
  "Image to JPG": image("jpg"),
  "Image to smaller JPG: `max_width`": {
    method: "convert",
    input: "png",
    fields: { output_format: "jpg", max_width: 50 },
  },
  "Image to WebP": image("webp"),
  "Image to AVIF": image("avif"),
  "Image to PDF": image("pdf"),
  "HEIC to JPG": image("jpg", "heic"),
};

const JOB_ROWS = rowsAfter("<!-- measured -->");
const FILE_ROWS = rowsAfter("## What some files add");

declare global {
  // Set by the page under test.
  var client: Client;
}

let browser: Browser;
let server: StrictServer;
const scratch = new Scratch();

beforeAll(async () => {
  browser = await launchChromium();
  server = await serveStrictly({
    "/index.html": { text: PAGE },
    "/app.js": {
      text: 'import { createClient } from "./stayput/index.js"; globalThis.client = createClient({ maxWorkers: 1 });',
    },
    "/stayput/": { folder: `${ROOT}dist` },
  });
  if (!NO_HEIC) {
    const [png, heic] = [scratch.path("a.png"), scratch.path("a.heic")];
    writeFileSync(png, pngOf(96));
    await mustRun("heif-enc", [png, "-o", heic]);
    INPUTS.heic = readFileSync(heic).toString("base64");
  }
});
afterAll(async () => {
  await browser.close();
  await server.close();
  scratch.remove();
});

for (const [name, call] of Object.entries(JOBS)) {
  test.skipIf(NO_HEIC && call?.input === "heic")(name, async () => {
    const { page, requests } = await openWatched(browser, `http://127.0.0.1:${server.port}/index.html`);
    await page.waitForFunction(() => "client" in globalThis);
    if (call !== undefined) await run(page, call);
    const files = requests.flatMap((request) => request.split("/stayput/")[1] ?? []);
    const names = files.filter((file) => file.endsWith(".wasm")).toSorted();
    const wasm = names.length === 0 ? "none" : names.map((file) => `\`${file}\``).join(", ");
    const [, stated, listed] = JOB_ROWS.find(([job]) => job === name) ?? [];
    expect({ kilobytes: near(stated, files), wasm: listed }).toEqual({ kilobytes: kilobytesOf(files), wasm });
    await page.context().close();
  });
}

test("the table has no other jobs", () => {
  expect(JOB_ROWS.map(([job]) => job)).toEqual(Object.keys(JOBS));
});

test.each(FILE_ROWS)("%s", (_, stated, listed = "") => {
  const files = [...listed.matchAll(/[\w.-]+/g)].map(([file]) => file);
  expect(near(stated, files)).toBe(kilobytesOf(files));
});

function run(page: Page, { method, input, fields }: Call): Promise<void> {
  return page.evaluate(
    async ([method, base64, fields]) => {
      const file = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]);
      // The fields are those of the method.
      await globalThis.client[method]({ file, ...fields } as never);
    },
    [method, INPUTS[input], fields] as const,
  );
}

/** Returns the rows of a table of the page, as cells without spaces around them. */
function rowsAfter(mark: string): string[][] {
  const [, text = ""] = readPage("docs/reference/downloads.md").split(mark);
  const table = /\n(\|.*\n)+/.exec(text)?.[0] ?? "";
  const lines = table.trim().split("\n").slice(2);
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns how many kilobytes a server sends of some built files, with gzip. */
function kilobytesOf(files: readonly string[]): number {
  const bytes = files.map((file) => gzipSync(readFileSync(join(ROOT, "dist", file))).length);
  return Math.round(bytes.reduce((sum, one) => sum + one, 0) / 1000);
}

/** Returns what the page states if it differs from the build, and what the build has if it is near. */
function near(stated: string | undefined, files: readonly string[]): number {
  const [page, build] = [Number(stated?.replaceAll(",", "")), kilobytesOf(files)];
  return Math.abs(page - build) <= Math.max(1, TOLERANCE * build) ? build : page;
}

function pngOf(side: number): Buffer {
  const sample = (x: number, y: number) => [2 * x, 3 * y, 128];
  return Buffer.from(makePng({ width: side, height: side, colorType: 2, bitDepth: 8, sample }));
}
