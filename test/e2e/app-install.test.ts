// Headless Chromium installs no app, and no system opens files with it. A stub stands for the queue of launches.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEMO } from "../../scripts/built.mjs";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose?: string }[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
  readonly file_handlers: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
}

/** What the system gives to the app. */
interface Launch {
  readonly targetURL: string;
  readonly files: readonly Pick<FileSystemFileHandle, "getFile">[];
}

declare global {
  interface Window {
    launch(params: Launch): void;
  }
}

const manifest = manifestOf("manifest.webmanifest");

let app: AppPage;

function manifestOf(fileName: string): Manifest {
  return JSON.parse(readFileSync(join(DEMO, fileName), "utf8"));
}

openAppForEach(async (opened) => {
  app = opened.app;
  await app.page.addInitScript(() => {
    const setConsumer = (consume: Window["launch"]) => {
      window.launch = consume;
    };
    Object.defineProperty(window, "launchQueue", { value: { setConsumer } });
  });
  await app.page.reload();
});

/** Decodes an icon. Returns its size, and how opaque it is at its corner and in its middle. */
function decodeIcon(src: string) {
  return app.page.evaluate(async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const opacity = (x: number, y: number) => context?.getImageData(x, y, 1, 1).data[3];
    return { size: `${width}x${height}`, corner: opacity(0, 0), middle: opacity(width / 2, height / 2) };
  }, src);
}

test("has icons of their sizes, with ground in the corners that systems cut off", async () => {
  const pngs = manifest.icons.filter(({ src }) => src.endsWith(".png"));
  const icons = await Promise.all(pngs.map(async (icon) => ({ ...icon, ...(await decodeIcon(icon.src)) })));
  expect(icons.map(({ sizes, purpose, size, corner }) => [sizes === size, purpose, corner])).toEqual([
    [true, "any", 0],
    [true, "any", 0],
    [true, "maskable", 255],
  ]);
  expect(icons.map(({ middle }) => middle)).toEqual([255, 255, 255]);
  const apple = await app.page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  expect(await decodeIcon(apple ?? "")).toEqual({ size: "180x180", corner: 255, middle: 255 });
});

test("has the tasks of the page as shortcuts", async () => {
  const tiles = await app.page
    .locator(".tile")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(tiles.length).toBeGreaterThan(3);
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(tiles.map((href) => `./${href}`));
});

test("links the manifest of the language of the page", async () => {
  const link = app.page.locator('link[rel="manifest"]');
  await app.page.getByRole("button", { name: "Deutsch" }).click();
  await expect.poll(() => link.getAttribute("href")).toBe("./manifest.de.webmanifest");
  const german = manifestOf("manifest.de.webmanifest");
  expect(german.name).toBe(await app.page.title());
  expect(german.shortcuts[0]?.name).toBe("Schützen");
  // The same app in another language.
  const { start_url, icons, file_handlers } = manifest;
  expect(german).toMatchObject({ start_url, icons, file_handlers });
  expect(german.shortcuts.map(({ url }) => url)).toEqual(manifest.shortcuts.map(({ url }) => url));
  await app.page.getByRole("button", { name: "English" }).click();
  await expect.poll(() => link.getAttribute("href")).toBe("./manifest.webmanifest");
  expect(manifest.name).toBe(await app.page.title());
});

describe("a launch of the installed app", () => {
  /** Launches the app with a shortcut or with files that have so many pages. */
  function launch(address: string, pages: Readonly<Record<string, number>> = {}): Promise<void> {
    const files = Object.entries(pages).map(
      ([name, count]) => [name, [...makePdf({ pages: count })]] as const,
    );
    return app.page.evaluate(
      ([hash, contents]) => {
        window.launch({
          targetURL: new URL(hash, document.baseURI).href,
          files: contents.map(([name, bytes]) => ({
            getFile: async () => new File([new Uint8Array(bytes)], name),
          })),
        });
      },
      [address, files] as const,
    );
  }

  test("adds the files that are opened to the tray", async () => {
    app.write("first.pdf", makePdf({ pages: 2 }));
    await app.choose("first.pdf");
    await launch("./", { "second.pdf": 3, "third.pdf": 4 });
    await app.row("third.pdf").getByText("4 pages").waitFor();
    expect(await app.page.locator(".row-name").allTextContents()).toEqual([
      "first.pdf",
      "second.pdf",
      "third.pdf",
    ]);
  });

  test("takes the task of a shortcut, and keeps the files", async () => {
    app.write("first.pdf", makePdf({ pages: 2 }));
    await app.choose("first.pdf");
    await launch("./#protect");
    await app.page.locator('.tab[data-task="protect"][aria-current]').waitFor();
    expect(await app.row("first.pdf").count()).toBe(1);
  });

  test("says that a file is gone", async () => {
    await app.page.evaluate(() => {
      const getFile = () => Promise.reject(new DOMException("It is gone.", "NotFoundError"));
      window.launch({ targetURL: location.href, files: [{ getFile }] });
    });
    await app.page.getByRole("alert").getByText("could not be read").waitFor();
  });
});
