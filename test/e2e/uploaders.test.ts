import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { eventually } from "../support/eventually.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { largestDifference, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";
import { uploadServer } from "./apps/upload-server.ts";

/** A file that a user chooses. */
interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** An app with an uploader. */
interface App {
  readonly name: string;
  /** The packages of the app, besides Stayput. */
  readonly packages: readonly string[];
  /** Chooses files and uploads them. */
  readonly upload: (page: Page, files: readonly ChosenFile[]) => Promise<void>;
  /** Cancels the upload of the only file. */
  readonly cancel: (page: Page) => Promise<void>;
}

const APPS: readonly App[] = [
  {
    name: "uppy",
    packages: ["@uppy"],
    upload: async (page, files) => {
      await page.getByLabel("Photos").setInputFiles(files);
      await page.getByRole("button", { name: "Upload" }).click();
    },
    cancel: (page) => page.getByRole("button", { name: "Cancel" }).click(),
  },
  {
    name: "filepond",
    packages: ["filepond"],
    upload: (page, files) => page.locator("input.filepond--browser").setInputFiles(files),
    cancel: (page) => page.locator("button.filepond--action-abort-item-load").click(),
  },
];

/** Of 255: what HEIC and JPG may change in a smooth picture. */
const MOST_DIFFERENCE = 12;
const NOTES = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Not a photo. ✓\n") };
const DAMAGED = "The HEIC file is damaged";

const missing = announceMissing("uploaders", ["vips", "heif-enc"]);

describe.skipIf(missing.length > 0).each(APPS)("an app with $name", (app) => {
  const scratch = new Scratch();
  const original = scratch.path("original.png");
  let browser: Browser;
  let folder: string;
  let photo: ChosenFile;
  let damaged: ChosenFile;

  beforeAll(async () => {
    browser = await launchChromium();
    folder = await buildApp(app, scratch);
    const heic = scratch.path("photo.heic");
    const sample = (x: number, y: number) => [x, y, 255 - x];
    writeFileSync(original, makePng({ width: 240, height: 160, colorType: 2, bitDepth: 8, sample }));
    await mustRun("heif-enc", ["-q", "90", "-o", heic, original]);
    const buffer = readFileSync(heic);
    photo = { name: "IMG_0001.HEIC", mimeType: "image/heic", buffer };
    // Cut off in the pixels. The browser knows no type, as browsers do for HEIC.
    damaged = { name: "broken.heic", mimeType: "", buffer: buffer.subarray(0, buffer.length / 2) };
  });
  afterAll(async () => {
    await browser?.close();
    scratch.remove();
  });

  /** Opens the app with a new server for its uploads. */
  async function open() {
    const uploads = uploadServer();
    const server = await serveStrictly({ "/": { folder } }, [], uploads.listener);
    const { page, complaints } = await openWatched(browser, `http://127.0.0.1:${server.port}/`);
    const close = async () => {
      await page.context().close();
      await server.close();
    };
    return { page, complaints, received: uploads.received, close };
  }

  test("uploads a HEIC as a JPG, and a text unchanged", async () => {
    const { page, complaints, received, close } = await open();
    await app.upload(page, [photo, NOTES]);
    await eventually(() => expect(received).toHaveLength(2));
    const [image, text] = received.toSorted((one, other) => one.name.localeCompare(other.name));
    expect(image).toMatchObject({ name: "IMG_0001.jpg", type: "image/jpeg" });
    expect(text).toMatchObject({ name: "notes.txt", type: "text/plain" });
    expect(Buffer.from(text?.content ?? []).equals(NOTES.buffer)).toBe(true);
    if (app.name === "uppy")
      expect(image?.fields).toMatchObject({ name: "IMG_0001.jpg", type: "image/jpeg" });

    const jpg = scratch.path("received.jpg");
    writeFileSync(jpg, image?.content ?? "");
    expect(image?.content.subarray(0, 3)).toEqual(Uint8Array.of(0xff, 0xd8, 0xff));
    const [sent, made] = [
      await vipsDecodes(original, scratch.path("a")),
      await vipsDecodes(jpg, scratch.path("b")),
    ];
    expect(largestDifference(sent, made)).toBeLessThanOrEqual(MOST_DIFFERENCE);
    expect(complaints).toEqual([]);
    await close();
  });

  test("shows the error of a damaged HEIC, and uploads the others", async () => {
    const { page, received, close } = await open();
    await app.upload(page, [damaged, photo, NOTES]);
    // FilePond also says it to screen readers.
    await page.getByText(DAMAGED).first().waitFor();
    await eventually(() => expect(received).toHaveLength(2));
    expect(received.map(({ name }) => name).sort()).toEqual(["IMG_0001.jpg", "notes.txt"]);
    await close();
  });

  test("aborts the conversion of a canceled file", async () => {
    const { page, received, close } = await open();
    // The only worker never starts, so the first job would occupy it for good.
    await page.route("**/worker-*.js", () => {});
    const isRequested = page.waitForRequest("**/worker-*.js");
    await app.upload(page, [photo]);
    await isRequested;
    await app.cancel(page);
    await page.unroute("**/worker-*.js");
    await app.upload(page, [{ ...photo, name: "second.heic" }]);
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]?.name).toBe("second.jpg");
    await close();
  });
});

/** Builds an app with the packages that it imports, and returns the folder to serve. */
async function buildApp({ name, packages }: App, scratch: Scratch): Promise<string> {
  const root = scratch.path(name);
  cpSync(`${ROOT}test/e2e/apps/${name}`, root, { recursive: true });
  const installed = join(root, "node_modules");
  mkdirSync(join(installed, "stayput"), { recursive: true });
  // A copy, like an installed package: Vite treats a linked folder as a part of the app.
  cpSync(`${ROOT}dist`, join(installed, "stayput", "dist"), { recursive: true });
  cpSync(`${ROOT}package.json`, join(installed, "stayput", "package.json"));
  for (const one of packages) symlinkSync(`${ROOT}node_modules/${one}`, join(installed, one), "dir");
  await build({ root, configFile: false, logLevel: "warn" });
  return join(root, "dist");
}
