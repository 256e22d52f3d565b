// No test can use the dialogs of the browser and of the system. Stubs stand for them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { Service } from "../../service/http/service.ts";
import { findOffice } from "../../service/office/find-office.mjs";
import { AppPage, type OpenedApp, openAppForEach } from "../support/browsers/app-page.ts";
import { DemoHost } from "../support/browsers/demo-host.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { largePdfOf, writeSparse } from "../support/fixtures/large-pdf.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck } from "../support/oracles.ts";

/** What a stub does: as if the user closed the dialog, as if the disk was full, or what the user asked for. */
type Answer = "dismiss" | "fail" | "accept";

/** What the stubs have seen. */
interface Seen {
  answer: Answer;
  readonly shared: string[];
  readonly streamed: { name: string; bytes: number; largest: number; end: string };
}

declare global {
  interface Window {
    seen: Seen;
  }
}

let opened: OpenedApp;
let app: AppPage;

openAppForEach(
  async (one) => {
    opened = one;
    ({ app } = one);
    await app.page.addInitScript(stubDialogs);
    await app.page.reload();
  },
  { hasTouch: true, isMobile: true },
);

/** Puts stubs into the place of the dialogs. Runs in the page. */
function stubDialogs(): void {
  const seen: Seen = {
    answer: "accept",
    shared: [],
    streamed: { name: "", bytes: 0, largest: 0, end: "" },
  };
  const open = async () => {
    if (seen.answer === "dismiss") throw new DOMException("The user aborted a request.", "AbortError");
    if (seen.answer === "fail") throw new DOMException("It is not allowed.", "NotAllowedError");
  };
  const counter = () =>
    new WritableStream<Uint8Array>({
      write(chunk) {
        seen.streamed.bytes += chunk.length;
        seen.streamed.largest = Math.max(seen.streamed.largest, chunk.length);
        seen.streamed.end = (seen.streamed.end + String.fromCharCode(...chunk.slice(-400))).slice(-400);
      },
    });
  Object.assign(window, {
    seen,
    // A folder of the origin behaves as one of the disk.
    showDirectoryPicker: async () => {
      await open();
      return navigator.storage.getDirectory();
    },
    showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
      await open();
      seen.streamed.name = suggestedName;
      return { createWritable: async () => counter() };
    },
  });
  Object.assign(navigator, {
    canShare: ({ files }: { files: readonly File[] }) => files.every((file) => file instanceof File),
    share: async ({ files }: { files: readonly File[] }) => {
      await open();
      seen.shared.push(...files.map(({ name }) => name));
    },
  });
}

async function answerWith(answer: Answer): Promise<void> {
  await app.page.evaluate((chosen) => {
    window.seen.answer = chosen;
  }, answer);
}

function seen(): Promise<Seen> {
  return app.page.evaluate(() => window.seen);
}

/** Converts two pictures of the same name but for the extension. */
async function makeResults(): Promise<void> {
  const sample = (x: number, y: number) => [4 * x, 4 * y, 99];
  const png = makePng({ width: 40, height: 30, colorType: 2, bitDepth: 8, sample });
  app.write("one.png", png);
  app.write("two.png", png);
  await app.choose("one.png", "two.png");
  await app.start();
  await app.finished();
}

/** What the rows of saved files say. */
function saved(): Locator {
  return app.page.locator(".output").getByText("Saved");
}

/** Presses a button whose dialog the user closes. Nothing is saved, and nothing is wrong. */
async function dismiss(press: () => Promise<void>): Promise<void> {
  await answerWith("dismiss");
  await press();
  // What follows the dialog has run when the page has drawn two times more.
  await app.page.evaluate(
    () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  );
  expect(await saved().count()).toBe(0);
  expect(await app.page.getByRole("alert").isVisible()).toBe(false);
}

/** Presses a button whose dialog fails. The page says so, until the message is closed. */
async function fail(press: () => Promise<void>): Promise<void> {
  await answerWith("fail");
  await press();
  const alert = app.page.getByRole("alert");
  await alert.getByText("could not be saved there").waitFor();
  expect(await saved().count()).toBe(0);
  await alert.getByRole("button", { name: "Close" }).click();
}

describe("to a folder", () => {
  const press = () => app.page.getByRole("button", { name: "Save to a folder" }).click();

  /** The files of the folder, with their sizes. */
  const files = () =>
    app.page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const sizes: Record<string, number | undefined> = {};
      for await (const entry of folder.values()) {
        const file = entry instanceof FileSystemFileHandle ? await entry.getFile() : undefined;
        sizes[entry.name] = file?.size;
      }
      return sizes;
    });

  test("writes each result as a file, and overwrites none", async () => {
    await makeResults();
    await app.page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle("One.jpg", { create: true });
      const writable = await handle.createWritable();
      await writable.write("original");
      await writable.close();
    });
    await press();
    await saved().nth(1).waitFor();
    const one = readFileSync(await app.save("one.jpg")).length;
    const two = readFileSync(await app.save("two.jpg")).length;
    expect(await files()).toEqual({ "One.jpg": "original".length, "one (2).jpg": one, "two.jpg": two });
  });

  test("reports a refusal, but not a closed dialog", async () => {
    await makeResults();
    await dismiss(press);
    await fail(press);
    expect(await files()).toEqual({});
  });

  test("leaves only whole files on a full disk, and says so", async () => {
    await makeResults();
    await app.page.evaluate(() => {
      const { createWritable } = FileSystemFileHandle.prototype;
      const full = () => Promise.reject(new DOMException("The disk is full.", "QuotaExceededError"));
      Object.defineProperty(FileSystemFileHandle.prototype, "createWritable", {
        value(this: FileSystemFileHandle) {
          return this.name === "two.jpg" ? new WritableStream({ write: full }) : createWritable.call(this);
        },
      });
    });
    await press();
    await app.page.getByRole("alert").getByText("could not be saved there").waitFor();
    expect(await saved().count()).toBe(1);
    expect(Object.keys(await files())).toEqual(["one.jpg"]);
  });

  test("shows two messages one below the other", async () => {
    await makeResults();
    await answerWith("fail");
    await press();
    await app.page.getByRole("alert").getByText("could not be saved there").waitFor();
    await app.page.getByRole("button", { name: "Remove one.png" }).click();
    await app.page.getByText("1 file removed.").waitFor();
    const boxes = await app.page.locator(".toast:visible").evaluateAll((toasts) =>
      toasts.map((toast) => {
        const { top, bottom } = toast.getBoundingClientRect();
        return { top, bottom };
      }),
    );
    expect(boxes).toHaveLength(2);
    expect(boxes[0]?.bottom).toBeLessThanOrEqual(boxes[1]?.top ?? 0);
  });
});

describe("by the share sheet of a phone", () => {
  const press = () => app.page.getByRole("button", { name: "Share" }).click();

  test("gives all results to another app", async () => {
    await makeResults();
    await press();
    await saved().nth(1).waitFor();
    expect((await seen()).shared).toEqual(["one.jpg", "two.jpg"]);
  });

  test("reports a refusal, but not a closed sheet", async () => {
    await makeResults();
    await dismiss(press);
    await fail(press);
    expect((await seen()).shared).toEqual([]);
  });
});

test("writes a zip of more than 200 MB to the disk in pieces", async () => {
  for (const name of ["first.pdf", "second.pdf"])
    writeSparse(join(opened.host.folder, name), largePdfOf({ pages: 101, bytesPerPage: 1_000_000 }));
  const downloads: string[] = [];
  app.page.on("download", (download) => downloads.push(download.suggestedFilename()));
  await app.choose("first.pdf", "second.pdf");
  await app.task("Protect");
  await app.page.getByLabel("Password", { exact: true }).fill("secret");
  await app.page.getByLabel("Repeat the password").fill("secret");
  await app.start();
  const press = () => app.page.locator("#save-all").click();
  await dismiss(press);
  await fail(press);
  await answerWith("accept");
  await press();
  await saved().nth(1).waitFor();
  const { name, bytes, largest, end } = (await seen()).streamed;
  expect(name).toBe("stayput.zip");
  expect(bytes).toBeGreaterThan(202_000_000);
  expect(largest).toBeLessThan(10_000_000);
  expect(end).toMatch(/protected-first\.pdf.*protected-second\.pdf/s);
  expect(downloads).toEqual([]);
});

const soffice = findOffice();
if (soffice === undefined) process.stderr.write("SKIPPED: the app with a service: LibreOffice is not here\n");
const hasWitnesses = announceMissing("the app with a service", ["qpdf", "pdftotext"]).length === 0;

test.skipIf(soffice === undefined || !hasWitnesses)(
  "an office file goes to the service when the user agrees, and its PDF is saved",
  async () => {
    const service = await Service.start({ soffice: soffice ?? "", key: "key" });
    onTestFinished(() => service.close());
    const withService = await DemoHost.start(service.url);
    onTestFinished(() => withService.close());
    const watched = await withService.open();
    const page = new AppPage(watched, withService.folder);
    await page.page.goto(withService.urlOf("with-service"));
    page.write("letter.docx", docx(["Dear Sir or Madam,"]));
    await page.choose("letter.docx");
    expect(await page.page.locator("#start").textContent()).toBe("Convert to PDF");
    await page.start();
    const toService = watched.requests.filter((request) => request.includes(service.url));
    expect(toService).toEqual([]);
    await page.page.getByRole("dialog").getByRole("button", { name: "Send to" }).click();
    const pdf = await page.save("letter.pdf");
    expect(await qpdfCheck(pdf)).toMatchObject({ verdict: "ok", pageCount: 1 });
    expect(String(await popplerText(pdf))).toContain("Dear Sir or Madam,");
    expect(watched.complaints).toEqual([]);
  },
);
