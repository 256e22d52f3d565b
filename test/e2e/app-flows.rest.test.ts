import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { transformWithOxc } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEMO } from "../../scripts/built.mjs";
import { ROOT } from "../../scripts/dependencies.mjs";
import type { Hands } from "../support/browsers/app-hands.ts";
import { announceBrowser, startBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { jpegImage } from "../support/fixtures/drawn-images.ts";
import { drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { announceMissing } from "../support/native-tools.ts";
import {
  mustRun,
  popplerInfo,
  popplerPages,
  qpdfCheck,
  qpdfEncrypt,
  unzipInto,
  unzipNames,
} from "../support/oracles.ts";

/** What people do with the app, from their files to the saved result, in each browser and under the strict policy. */

const HANDS = "test/support/browsers/app-hands.ts";
const MEGABYTE = 1_000_000;
const PASSWORD = "Kirschbaum";
const SCANNED_PAGES = 17;

const isMissing =
  announceMissing("what people do", ["qpdf", "pdftotext", "unzip", "vips", "heif-enc"]).length > 0;

const folder = mkdtempSync(join(tmpdir(), "stayput-flows-"));
afterAll(() => rmSync(folder, { recursive: true }));
const pathOf = (name: string) => join(folder, name);

describe.each(["chromium", "firefox", "webkit"] as const)("in %s", (name) => {
  const isAbsent = isMissing || !announceBrowser(name, "what people do");

  describe.skipIf(isAbsent)("a person", () => {
    let server: StrictServer;
    let browser: DrivenBrowser;
    let page: DrivenPage;

    beforeAll(async () => {
      const html = readFileSync(join(DEMO, "index.html"), "utf8");
      const script = readFileSync(join(ROOT, HANDS), "utf8");
      const mounts = {
        "/app/": { folder: DEMO },
        "/app/driven.html": {
          text: html.replace("</head>", '<script type="module" src="./hands.js"></script></head>'),
        },
        "/app/hands.js": { text: (await transformWithOxc(script, HANDS)).code },
      } as const;
      server = await serveStrictly(mounts, [], exchange);
      browser = await startBrowser(name);
    });
    afterAll(async () => {
      await browser?.close();
      await server?.close();
    });
    beforeEach(async () => {
      page = await browser.open(`http://127.0.0.1:${server.port}/app/driven.html`);
      return () => page.close();
    });

    /** Does something with the hands on the page. */
    const act = <Act extends keyof Hands>(
      act: Act,
      argument: Parameters<Hands[Act]>[0],
    ): ReturnType<Hands[Act]> => page.call(act, argument) as ReturnType<Hands[Act]>;
    const press = (name: string, within?: string) => act("press", { name, ...(within && { within }) });
    const type = (name: string, text: string) => act("type", { name, text });
    const task = (label: string) => press(label, ".tabs");

    async function choose(...names: readonly string[]): Promise<void> {
      await act("chooseFiles", names.map(served));
      await act("read", `${names.length} files?`);
    }

    /** Saves the result, and returns the path of the copy. */
    async function save(name: string, button = "Save.*"): Promise<string> {
      const saved = await act("save", {
        name: button,
        within: ".result-actions",
        url: `/download/saved-${name}`,
      });
      expect(saved.name).toBe(name);
      return pathOf(`saved-${name}`);
    }

    test("protects a document", async () => {
      make("report.pdf", makePdf({ pages: 3 }));
      await choose("report.pdf");
      await task("Protect");
      await type("Password", PASSWORD);
      await type("Repeat the password", PASSWORD);
      await press("Protect", ".action-bar");
      const file = await save("protected-report.pdf");
      expect(await qpdfCheck(file, PASSWORD)).toMatchObject({ verdict: "ok", pageCount: 3 });
    });

    test("unlocks a document", async () => {
      make("plain.pdf", makePdf({ pages: 2 }));
      const locked = { user: PASSWORD, owner: "owner" };
      await qpdfEncrypt(pathOf("plain.pdf"), pathOf("locked.pdf"), locked);
      await choose("locked.pdf");
      await type("Password of locked.pdf", PASSWORD);
      await press("Unlock", ".action-bar");
      const file = await save("unlocked-locked.pdf");
      expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 2 });
    });

    test("takes pages 2 to 4 and 7 out as one file", async () => {
      make("minutes.pdf", makePdf({ pages: 9 }));
      await act("dropFiles", [served("minutes.pdf")]);
      await task("Split");
      await act("drag", ["Page 2(,.*)?", "Page 3(,.*)?", "Page 4(,.*)?"]);
      await press("Page 7(,.*)?", ".stage");
      await press("Put 4 pages into one PDF", ".action-bar");
      const file = await save("pages-minutes.pdf");
      expect(await textOf(file)).toEqual([2, 3, 4, 7].map(pageText));
    });

    test("splits 60 pages after every second", async () => {
      make("sixty.pdf", makePdf({ pages: 60 }));
      await choose("sixty.pdf");
      await task("Split");
      await press("Every … pages.*");
      await type("Pages in each file", "2");
      await press("Split", ".action-bar");
      const file = await save("split-sixty.zip");
      const parts = await unzipNames(file);
      expect(parts).toHaveLength(30);
      await unzipInto(file, pathOf(`sixty-${name}`));
      expect(await textOf(pathOf(`sixty-${name}/${parts[29]}`))).toEqual([59, 60].map(pageText));
    });

    test("makes JPGs under 1 MB of 20 HEICs", async () => {
      const heic = await photo("photo.heic");
      const names = Array.from({ length: 20 }, (_, index) => `IMG_${index}.heic`);
      for (const name of names) make(name, heic);
      await choose(...names);
      await task("Convert");
      await type("At most", "1");
      await press("Convert 20 to JPG", ".action-bar");
      const file = await save("stayput.zip");
      expect(await unzipNames(file)).toHaveLength(20);
      await unzipInto(file, pathOf(`jpgs-${name}`));
      const jpg = readFileSync(pathOf(`jpgs-${name}/IMG_19.jpg`));
      expect(jpg.length).toBeLessThan(MEGABYTE);
      expect((await mustRun("vipsheader", [pathOf(`jpgs-${name}/IMG_19.jpg`)])).toString()).toContain(
        "1200x900",
      );
    });

    test("makes one PDF of 5 photos, and protects it without saving in between", async () => {
      const names = [1, 2, 3, 4, 5].map((number) => `photo ${number}.png`);
      for (const name of names) make(name, picture(name.length));
      await choose(...names);
      await task("One PDF");
      await press("Make one PDF", ".action-bar");
      await press("Protect.*", ".result-place");
      await type("Password", PASSWORD);
      await type("Repeat the password", PASSWORD);
      await press("Protect", ".action-bar");
      const file = await save("protected-photo 1.pdf");
      expect(await qpdfCheck(file, PASSWORD)).toMatchObject({ verdict: "ok", pageCount: 5 });
    });

    test("merges three documents, without a page of the second that is left out in its grid", async () => {
      for (const [index, name] of ["a.pdf", "b.pdf", "c.pdf"].entries())
        make(name, makePdf({ pages: index + 2 }));
      await choose("a.pdf", "b.pdf", "c.pdf");
      await task("Merge");
      await press("Show b.pdf", ".tray");
      // All pages come in. A click leaves one out.
      await press("Page 2.*", ".stage");
      await press("Merge 3 files", ".action-bar");
      const file = await save("merged-a.pdf");
      expect(await textOf(file)).toEqual([1, 2, 1, 3, 1, 2, 3, 4].map(pageText));
    });

    test("rotates, deletes and reorders pages of two documents, by keys", async () => {
      make("first.pdf", makePdf({ pages: 3 }));
      make("second.pdf", makePdf({ pages: 2 }));
      await choose("first.pdf", "second.pdf");
      await task("Organize");
      await press("Page 2 of first.pdf.*", ".stage");
      await act("key", { key: "Delete" });
      await press("Page 1 of second.pdf.*", ".stage");
      await act("key", { key: "r" });
      await act("key", { key: "Home", altKey: true });
      await press("Put 4 pages into one PDF", ".action-bar");
      const file = await save("organized-second.pdf");
      expect(await textOf(file)).toEqual([1, 1, 3, 2].map(pageText));
      expect((await popplerInfo(file)).get("Page rot")).toBe("90");
    });

    test("shrinks a scan of 24 MB for an e-mail", async () => {
      make("scan.pdf", await scan());
      expect(statSync(pathOf("scan.pdf")).size).toBeGreaterThan(24 * MEGABYTE);
      await choose("scan.pdf");
      await task("Shrink");
      await press("Shrink", ".action-bar");
      const file = await save("compressed-scan.pdf");
      expect(statSync(file).size).toBeLessThan(10 * MEGABYTE);
      expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: SCANNED_PAGES });
    });

    test("protects the 200 files of a folder, without its junk", async () => {
      const names = Array.from({ length: 200 }, (_, index) => `letter ${index}.pdf`);
      for (const name of [...names, "Thumbs.db", ".DS_Store", "desktop.ini"])
        make(name, makePdf({ pages: 1 }));
      const files = [...names, "Thumbs.db", ".DS_Store", "desktop.ini"];
      await act("dropFolder", files.map(served));
      await act("read", "200 files");
      await task("Protect");
      await type("Password", PASSWORD);
      await type("Repeat the password", PASSWORD);
      await press("Protect 200 files", ".action-bar");
      const file = await save("stayput.zip");
      expect(await unzipNames(file)).toHaveLength(200);
    });
  });
});

/** Writes an input. */
function make(name: string, content: Uint8Array): void {
  writeFileSync(pathOf(name), content);
}

/** An input as the page reads it. */
function served(name: string): { readonly name: string; readonly url: string } {
  return { name, url: `/download/${encodeURIComponent(name)}` };
}

/** A picture of many colors. */
function picture(seed: number): Uint8Array {
  const sample = (x: number, y: number) => [(x * seed) % 256, (y * 3) % 256, (x + y) % 256];
  return makePng({ width: 300, height: 200, colorType: 2, bitDepth: 8, sample });
}

/** A photo of a megapixel, which is over 1 MB as a JPG. */
async function photo(name: string): Promise<Uint8Array> {
  const [noise, png, heic] = [pathOf("noise.v"), pathOf("photo.png"), pathOf(name)];
  await mustRun("vips", ["gaussnoise", noise, "1200", "900", "--mean", "128", "--sigma", "60"]);
  await mustRun("vips", ["cast", noise, png, "uchar"]);
  await mustRun("heif-enc", ["-q", "60", png, "-o", heic]);
  return readFileSync(heic);
}

/** Pages of 4 by 6 inches that were scanned with 300 dpi in gray. */
async function scan(): Promise<Uint8Array> {
  const [noise, jpg] = [pathOf("page.v"), pathOf("page.jpg")];
  const pages = Array.from({ length: SCANNED_PAGES }, (_, page) => ({
    content: "288 0 0 432 0 0 cm /A Do",
    entries: "/MediaBox[0 0 288 432]",
    resources: `/XObject<</A ${FIRST_OWN + page} 0 R>>`,
  }));
  const objects: PlainObject[] = [];
  for (const page of pages.keys()) {
    await mustRun("vips", [
      "gaussnoise",
      noise,
      "1200",
      "1800",
      "--mean",
      "200",
      "--sigma",
      "25",
      "--seed",
      String(page),
    ]);
    await mustRun("vips", ["cast", noise, `${jpg}[Q=95]`, "uchar"]);
    objects.push(
      jpegImage(FIRST_OWN + page, { width: 1200, height: 1800, space: "/DeviceGray" }, readFileSync(jpg)),
    );
  }
  return drawnPdf(pages, { objects });
}

/** The text of each page. */
async function textOf(path: string): Promise<readonly string[]> {
  return (await popplerPages(path)).map((text) => text.trim());
}

/** Lets the page read the inputs and write the results. */
async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = pathOf(decodeURIComponent((request.url ?? "").replace("/download/", "")));
  if (request.method === "POST") {
    await pipeline(request, createWriteStream(path));
    response.end();
  } else {
    response.end(readFileSync(path));
  }
}
