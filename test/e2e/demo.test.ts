import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DemoHost } from "../support/browsers/demo-host.ts";
import type { WatchedPage } from "../support/browsers/watched-page.ts";
import { SERVICE_URL } from "../support/build.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { announceMissing } from "../support/native-tools.ts";
import {
  popplerText,
  qpdfCheck,
  qpdfEncrypt,
  qpdfEncryption,
  unzipInto,
  unzipNames,
} from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("demo", ["qpdf", "pdftotext", "unzip"]).length > 0;

const ONE_PIXEL_GIF = "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=";

let demo: DemoHost;
let folder: string;
let watched: WatchedPage;

beforeAll(async () => {
  demo = await DemoHost.start();
  folder = demo.folder;
  writeFileSync(join(folder, "report.pdf"), makePdf({ pages: 6 }));
});

afterAll(() => demo.close());

beforeEach(async () => {
  watched = await demo.open();
});

afterEach(async () => {
  await watched.page.context().close();
  expect(watched.complaints).toEqual([]);
});

test("shows the pages of a PDF for selection", async () => {
  const { page } = watched;
  await choose(page, "report.pdf");
  const pictures = await showPages(page, 6);
  const width = await pictures.nth(5).evaluate((image: HTMLImageElement) => image.naturalWidth);
  expect(width).toBeGreaterThan(50);
  await pictures.nth(1).click();
  await pictures.nth(3).click();
  const field = page.locator("#split-pages");
  expect(await field.inputValue()).toBe("2, 4");
  await field.fill("5-6,");
  await page.getByRole("button", { name: "Page 1", exact: true }).click();
  expect(await field.inputValue()).toBe("5-6, 1");
});

describe.skipIf(NO_WITNESSES)("with native tools that read the output", () => {
  test("protects a dropped PDF", async () => {
    const { page } = watched;
    await drop(page, "report.pdf", makePdf({ pages: 6 }));
    await page.locator("#protect-password").fill("correct horse");
    await page.getByRole("button", { name: "Protect" }).click();
    const file = await save(newestJob(page), "protected-report.pdf");

    expect(await qpdfCheck(file, "correct horse")).toMatchObject({
      verdict: "ok",
      pageCount: 6,
      encrypted: true,
    });
    expect((await qpdfCheck(file, "wrong")).verdict).toBe("error");
    expect(String(await popplerText(file, "correct horse"))).toContain(pageText(6));
  });

  test("sets an owner password and permissions", async () => {
    const { page } = watched;
    await choose(page, "report.pdf");
    await page.locator("#protect-password").fill("reader");
    await page.getByText("Owner password and permissions").click();
    await page.getByLabel("Owner password").fill("author");
    await page.getByLabel("copy text and images").uncheck();
    await page.getByRole("button", { name: "Protect" }).click();
    const file = await save(newestJob(page), "protected-report.pdf");

    const { allowed } = await qpdfEncryption(file, "reader");
    expect(allowed.get("extract for any purpose")).toBe(false);
    expect(allowed.get("modify annotations")).toBe(true);
    expect((await qpdfEncryption(file, "author")).suppliedPasswordIs).toEqual(["owner"]);
  });

  test("unlocks a file that qpdf has encrypted", async () => {
    const { page } = watched;
    const locked = join(folder, "locked.pdf");
    await qpdfEncrypt(join(folder, "report.pdf"), locked, { user: "sesame", owner: "owner" });
    await choose(page, "locked.pdf");
    await unlock(page, "sesame");
    const file = await save(newestJob(page), "unlocked-locked.pdf");

    expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 6, encrypted: false });
    expect(String(await popplerText(file))).toContain(pageText(1));
  });

  test("a split makes one file for each item", async () => {
    const { page } = watched;
    await choose(page, "report.pdf");
    await split(page, "1, 3-5");
    const archive = await save(newestJob(page), "split-report.zip");

    expect(await unzipNames(archive)).toEqual(["report-1.pdf", "report-3-5.pdf"]);
    const contents = mkdtempSync(join(folder, "split-"));
    await unzipInto(archive, contents);
    expect(await qpdfCheck(join(contents, "report-3-5.pdf"))).toMatchObject({ verdict: "ok", pageCount: 3 });
    const text = String(await popplerText(join(contents, "report-3-5.pdf")));
    expect(text).toContain(pageText(4));
    expect(text).not.toContain(pageText(1));
  });
});

test("no operation makes a request, except for the app's own code", async () => {
  const { page, requests } = watched;
  await page.waitForLoadState("networkidle");
  const loaded = requests.length;

  await choose(page, "report.pdf");
  await protect(page, "secret");
  await save(newestJob(page), "protected-report.pdf");
  const code = requests.slice(loaded);
  const assets = `GET ${demo.urlOf("app")}assets/`;
  expect(code.map((request) => request.replace(assets, "").replace(/-[\w-]+\.js$/, ""))).toEqual([
    "pool",
    "worker",
  ]);

  // The pages are drawn by code that has not been there yet.
  await showPages(page, 6);
  expect(requests.slice(loaded).filter((request) => !request.startsWith(assets))).toEqual([]);

  // Another worker may start meanwhile, from the same file.
  const known = new Set([...requests, ...demo.log]);
  await split(page, "1,last");
  await save(newestJob(page), "split-report.zip");
  await page.locator("#chosen-files").getByRole("button", { name: "Remove report.pdf" }).click();
  await choose(page, "protected-report.pdf");
  await unlock(page, "secret");
  await save(newestJob(page), "unlocked-protected-report.pdf");
  await unlock(page, "not the secret");
  await newestJob(page).getByText("wrong_password").waitFor();
  expect([...requests, ...demo.log].filter((request) => !known.has(request))).toEqual([]);
});

test("converts an image to the format and quality of the form", async () => {
  const { page } = watched;
  writeFileSync(join(folder, "photo.gif"), Buffer.from(ONE_PIXEL_GIF, "base64"));
  await choose(page, "photo.gif");
  await page.getByRole("radio", { name: "Convert" }).check({ force: true });
  await page.locator("#convert-quality").fill("2");
  await page.getByRole("button", { name: "Convert" }).click();
  await expectFailure(page, "invalid_parameter", "#convert-quality");
  await page.locator("#convert-quality").fill("0.7");
  for (const [label, name] of [
    ["WebP", "photo.webp"],
    ["AVIF", "photo.avif"],
    ["PDF", "photo.pdf"],
  ] as const) {
    await page.locator("#convert-format").selectOption({ label });
    await page.getByRole("button", { name: "Convert" }).click();
    await save(newestJob(page), name);
  }
});

test("converts the selected PDF pages to images of the selected resolution", async () => {
  const { page } = watched;
  await drop(page, "report.pdf", makePdf({ pages: 6 }));
  await page.getByRole("radio", { name: "Convert" }).check();
  await page.getByText("Pages of a PDF").click();
  await page.locator("#convert-pages").fill("2,9");
  await page.getByRole("button", { name: "Convert" }).click();
  await expectFailure(page, "invalid_page_selection", "#convert-pages");
  await page.locator("#convert-pages").fill("2");
  await page.locator("#convert-dpi").fill("36");
  await page.getByRole("button", { name: "Convert" }).click();
  const jpeg = readFileSync(await save(newestJob(page), "report.jpg"));
  // The height and the width are in the frame's header.
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  expect([jpeg.readUInt16BE(frame + 5), jpeg.readUInt16BE(frame + 7)]).toEqual([421, 298]);
  await page.locator("#convert-pages").fill("2-");
  await page.getByRole("button", { name: "Convert" }).click();
  await save(newestJob(page), "report.zip");
});

test("converts several files to results with names of their own", async () => {
  const { page } = watched;
  for (const name of ["one.pdf", "two.pdf", "three.pdf"])
    writeFileSync(join(folder, name), makePdf({ pages: 2 }));
  await choose(page, "one.pdf", "two.pdf", "three.pdf");
  await page.getByRole("radio", { name: "Split" }).check({ force: true });
  await page.locator("#split-pages").fill("all");
  await page.getByRole("button", { name: "Split 3 files" }).click();
  for (const name of ["one", "two", "three"]) {
    await save(page.locator(".job", { hasText: `${name}.pdf` }), `split-${name}.zip`);
  }
});

test("releases a removed result", async () => {
  const { page } = watched;
  await choose(page, "report.pdf");
  await protect(page, "secret");
  const link = newestJob(page).getByRole("link");
  await link.waitFor();
  const url = await link.getAttribute("href");
  const isAlive = () =>
    page.evaluate(
      (address) =>
        fetch(address ?? "").then(
          () => true,
          () => false,
        ),
      url,
    );
  expect(await isAlive()).toBe(true);
  await newestJob(page).getByRole("button", { name: "Remove" }).click();
  expect(await page.locator(".job").count()).toBe(0);
  expect(await isAlive()).toBe(false);
  // What the browser says about the fetch that had to fail.
  watched.complaints.splice(0);
});

test("cancels a job and runs the next one", async () => {
  const { page } = watched;
  // So that the job is still running when Cancel is pressed.
  const letThrough = await holdWorkers(page);
  await choose(page, "report.pdf");
  await protect(page, "secret");
  await newestJob(page).getByRole("button", { name: "Cancel report.pdf" }).click();
  await newestJob(page).getByText("Cancelled").waitFor();
  letThrough();
  await page.getByRole("button", { name: "Protect" }).click();
  await save(newestJob(page), "protected-report.pdf");
});

test("removing a job moves the focus to the next one", async () => {
  const { page } = watched;
  await choose(page, "report.pdf");
  for (let done = 1; done <= 2; done++) {
    await protect(page, "secret");
    await newestJob(page).getByRole("link").waitFor();
  }
  await newestJob(page).getByRole("button", { name: "Remove" }).press("Enter");
  expect(await page.locator(".job").count()).toBe(1);
  await newestJob(page).locator("button:focus").press("Enter");
  await page.locator("#start:focus").waitFor();
  expect(await page.locator("#results").isVisible()).toBe(false);
});

describe("an error that arrives after the user has changed the form", () => {
  test("by another operation is not shown beside a field", async () => {
    const { page } = watched;
    const letThrough = await holdWorkers(page);
    await choose(page, "report.pdf");
    await split(page, "1,2-999");
    await page.getByRole("radio", { name: "Convert" }).check({ force: true });
    letThrough();
    await newestJob(page).getByText("invalid_page_selection").waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(0);
  });

  test("by another value is not shown beside the value", async () => {
    const { page } = watched;
    const letThrough = await holdWorkers(page);
    await choose(page, "report.pdf");
    await split(page, "1,2-999");
    await page.locator("#split-pages").fill("1,2");
    letThrough();
    await newestJob(page).getByText("invalid_page_selection").waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(0);
  });

  test("by moving to another field does not take the focus", async () => {
    const { page } = watched;
    const letThrough = await holdWorkers(page);
    await choose(page, "report.pdf");
    await split(page, "1,2-999");
    await page.locator("#split-password").focus();
    letThrough();
    await page.locator('#split-pages[aria-invalid="true"]').waitFor();
    expect(await page.locator("#split-password:focus").count()).toBe(1);
  });
});

describe("an error is shown beside its field", () => {
  test("without a file", async () => {
    const { page } = watched;
    await page.getByRole("button", { name: "Protect" }).click();
    await page.locator("#file-error", { hasText: "Choose a file first" }).waitFor();
    await page.locator('#file-input[aria-invalid="true"]:focus').waitFor();
  });

  test("without a password", async () => {
    const { page } = watched;
    await choose(page, "report.pdf");
    await protect(page, "");
    await expectFailure(page, "invalid_parameter", "#protect-password");
  });

  test("for pages that do not exist", async () => {
    const { page } = watched;
    await choose(page, "report.pdf");
    await split(page, "1,2-999");
    await expectFailure(page, "invalid_page_selection", "#split-pages");
    const selected = await page
      .locator("#split-pages")
      .evaluate((field) => (field instanceof HTMLInputElement ? field.selectionStart : null));
    expect(selected).toBe(4);
  });

  test("for a text file named .pdf", async () => {
    const { page } = watched;
    writeFileSync(join(folder, "letter.pdf"), "Dear Sir or Madam,");
    await choose(page, "letter.pdf");
    await protect(page, "secret");
    await newestJob(page).getByText("unsupported_input").waitFor();
  });

  test("for a file that is not encrypted", async () => {
    const { page } = watched;
    await choose(page, "report.pdf");
    await unlock(page, "secret");
    await newestJob(page).getByText("not_encrypted").waitFor();
  });
});

test("the page says that nothing leaves the device, or with a service, what does after a question", async () => {
  const { page, requests } = watched;
  const promise = page.locator("#promise");
  expect(await promise.textContent()).toContain("no file, no password and no page leaves your machine.");

  await page.goto(demo.urlOf("with-service"));
  expect(await promise.textContent()).toMatch(
    /leaves your machine, but for conversions from or to office formats: .* http:\/\/127\.0\.0\.1:9, .*asked\.$/,
  );
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await choose(page, "report.pdf");
  await page.getByRole("radio", { name: "Convert" }).check({ force: true });
  await page.locator("#convert-format").selectOption({ label: "DOCX" });
  await page.getByRole("button", { name: "Convert" }).click();
  await newestJob(page).getByText("remote_refused").waitFor();
  expect(questions).toEqual([`report.pdf leaves this device to become DOCX, at ${SERVICE_URL}.`]);
  expect(requests.filter((request) => request.includes(SERVICE_URL))).toEqual([]);
});

test("the selection is visible with forced colors", async () => {
  const { page } = watched;
  await page.emulateMedia({ forcedColors: "active" });
  const colors = await page
    .locator(".choice span")
    .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).backgroundColor));
  expect(new Set(colors.slice(1)).size).toBe(1);
  expect(colors[0]).not.toBe(colors[1]);
});

test("the page thumbnails are side by side on a narrow phone", async () => {
  const { page } = watched;
  await page.setViewportSize({ width: 320, height: 640 });
  await choose(page, "report.pdf");
  await showPages(page, 6);
  const tops = await page
    .locator("#split-thumbnails li")
    .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(2);
});

test("choosing an office file for a split does not send it", async () => {
  const { page } = watched;
  await page.goto(demo.urlOf("with-service"));
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  writeFileSync(join(folder, "letter.docx"), docx(["Dear Sir or Madam,"]));
  await page.getByRole("radio", { name: "Split" }).check({ force: true });
  await choose(page, "letter.docx");
  await split(page, "1");
  await newestJob(page).getByText("unsupported_input").waitFor();
  expect(questions).toEqual([]);
});

test("the page fits a narrow phone and works with the keyboard alone", async () => {
  const { page } = watched;
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);

  await choose(page, "report.pdf");
  await page.getByRole("radio", { name: "Protect" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2-");
  await page.keyboard.press("Enter");
  await newestJob(page).getByRole("link", { name: "Save split-report.zip" }).waitFor();
});

function newestJob(page: Page): Locator {
  return page.locator(".job").first();
}

/** Keeps workers from starting, those of page thumbnails too. Returns what lets them start. */
async function holdWorkers(page: Page): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/worker-*.js", async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  return letThrough;
}

async function choose(page: Page, ...names: string[]): Promise<void> {
  await page.locator("#file-input").setInputFiles(names.map((name) => join(folder, name)));
}

async function protect(page: Page, password: string): Promise<void> {
  await page.getByRole("radio", { name: "Protect" }).check({ force: true });
  await page.locator("#protect-password").fill(password);
  await page.getByRole("button", { name: "Protect" }).click();
}

async function unlock(page: Page, password: string): Promise<void> {
  await page.getByRole("radio", { name: "Unlock" }).check({ force: true });
  await page.locator("#unlock-password").fill(password);
  await page.getByRole("button", { name: "Unlock" }).click();
}

/** Has the pages shown to split. */
async function showPages(page: Page, count: number): Promise<Locator> {
  await page.getByRole("radio", { name: "Split" }).check({ force: true });
  const pictures = page.getByRole("list", { name: "First pages" }).getByRole("img");
  await expect.poll(() => pictures.count(), { timeout: HANG_LIMIT_MS }).toBe(count);
  return pictures;
}

async function split(page: Page, pages: string): Promise<void> {
  await page.getByRole("radio", { name: "Split" }).check({ force: true });
  await page.locator("#split-pages").fill(pages);
  await page.getByRole("button", { name: "Split" }).click();
}

/** Drops a file on the page, as a hand with a mouse would. */
async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(content)], fileName, { type: "application/pdf" }));
      return transfer;
    },
    [name, [...bytes]] as const,
  );
  for (const type of ["dragover", "drop"])
    await page.dispatchEvent("#drop-zone", type, { dataTransfer: data });
}

/** Saves a job's result as a click on its link does, and gives the path of the copy. */
async function save(job: Locator, name: string): Promise<string> {
  const link = job.getByRole("link", { name: `Save ${name}` });
  await link.waitFor();
  await expect.poll(() => job.locator(".job-size").textContent()).toMatch(/^[\d.,]+ \w+$/);
  const [download] = await Promise.all([job.page().waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe(name);
  const path = join(folder, name);
  await download.saveAs(path);
  return path;
}

async function expectFailure(page: Page, code: string, field: string): Promise<void> {
  const job = newestJob(page);
  await job.getByText(code).waitFor();
  const message = await job.locator(".job-message").textContent();
  await page.locator(`${field}[aria-invalid="true"]:focus`).waitFor();
  await page.locator(`${field}-error`, { hasText: message ?? "" }).waitFor();
}
