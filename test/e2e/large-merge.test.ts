import { closeSync, openSync, writeSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { RendererWatch } from "../security/renderer-watch.ts";
import { openReady } from "../support/browsers/open-ready.ts";
import {
  launchWithProfile,
  type ProfileChromium,
  processesOf,
} from "../support/browsers/profile-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { Scratch } from "../support/native-tools.ts";

const FILES = 10;
const PAGES = 20;
const SCAN = { width: 2000, height: 2500 } as const;
const MOST_MEGABYTES = 300;

const HTML = `<!doctype html><title>App</title><input type="file" multiple><script type="module" src="./app.js"></script>`;
const APP = `
  import { createClient } from "./stayput/index.js";
  const client = createClient();
  globalThis.merge = async () => {
    const result = await client.mergePdf({ file: [...document.querySelector("input").files] });
    return client.blob(result).size;
  };
  document.title = "ready";
`;

declare global {
  interface Window {
    merge(): Promise<number>;
  }
}

describe("10 scans of 100 MB", () => {
  const scratch = new Scratch();
  let server: StrictServer;
  let chromium: ProfileChromium;

  beforeAll(async () => {
    server = await serveStrictly({
      "/index.html": { text: HTML },
      "/app.js": { text: APP },
      "/stayput/": { folder: `${ROOT}dist` },
    });
    chromium = await launchWithProfile(scratch.path("profile"));
  });
  afterAll(async () => {
    await chromium.context.close();
    await server.close();
    scratch.remove();
  });

  test(`merge in a renderer of ${MOST_MEGABYTES} MB`, async () => {
    const paths: string[] = [];
    for (let file = 0; file < FILES; file++) {
      const path = scratch.path(`scan-${file}.pdf`);
      writeScan(path, file);
      paths.push(path);
    }
    const page = await chromium.context.newPage();
    await openReady(page, `http://127.0.0.1:${server.port}/`);
    await page.setInputFiles("input", paths);
    const processes = await processesOf(chromium.session);
    const renderers = processes.filter(({ type }) => type === "renderer").map(({ pid }) => pid);
    const watch = new RendererWatch(renderers, () => undefined);
    const size = await page.evaluate(() => window.merge());
    const { megabytes } = watch.stop();
    expect(size).toBeGreaterThan(FILES * PAGES * SCAN.width * SCAN.height);
    expect(megabytes).toBeGreaterThan(0);
    expect(megabytes).toBeLessThan(MOST_MEGABYTES);
  });
});

/** Writes a PDF of pages with one uncompressed picture each, piece by piece. No two pictures are equal. */
function writeScan(path: string, index: number): void {
  const file = openSync(path, "w");
  const offsets: number[] = [];
  let position = 0;
  const write = (bytes: string | Uint8Array) => {
    position += typeof bytes === "string" ? writeSync(file, bytes) : writeSync(file, bytes);
  };
  const object = (body: string, stream?: Uint8Array) => {
    offsets.push(position);
    write(`${offsets.length} 0 obj\n${body}\n`);
    if (stream) {
      write("stream\n");
      write(stream);
      write("\nendstream\n");
    }
    write("endobj\n");
  };
  const pageNumbers = Array.from({ length: PAGES }, (_, index) => 4 + 2 * index);
  const { width, height } = SCAN;
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => (index * 2_654_435_761) >>> 24);
  write("%PDF-1.7\n");
  object("<</Type/Catalog/Pages 2 0 R>>");
  object(`<</Type/Pages/Count ${PAGES}/Kids[${pageNumbers.map((num) => `${num} 0 R`).join(" ")}]>>`);
  object("<</Length 26>>", new TextEncoder().encode("q 600 0 0 800 0 0 cm /S Do"));
  for (const num of pageNumbers) {
    pixels.set([index, num], pixels.length / 2);
    object(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 3 0 R/Resources<</XObject<</S ${num + 1} 0 R>>>>>>`,
    );
    object(
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${pixels.length}>>`,
      pixels,
    );
  }
  const start = position;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join("")}`);
  write(`trailer\n<</Size ${offsets.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  closeSync(file);
}
