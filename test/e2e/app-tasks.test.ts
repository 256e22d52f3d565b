import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SERVICE_URL } from "../../scripts/built.mjs";
import { ROOT } from "../../scripts/dependencies.mjs";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import type { WatchedPage } from "../support/browsers/watched-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { manyScanJpeg } from "../support/fixtures/image/progressive-jpeg.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, qpdfEncrypt, qpdfEncryption, unzipNames } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("app", ["qpdf", "pdftotext", "unzip"]).length > 0;

let host: DemoHost;
let app: AppPage;
let watched: WatchedPage;

openAppForEach((opened) => {
  ({ host, app, watched } = opened);
  app.write("report.pdf", makePdf({ pages: 6 }));
});

function picture(seed: number, width = 64): Uint8Array {
  const sample = (x: number, y: number) => [(x * seed) % 256, (y * 3) % 256, (x * y) % 256];
  return makePng({ width, height: width, colorType: 2, bitDepth: 8, sample });
}

async function enterPassword(password: string): Promise<void> {
  await app.page.getByLabel("Password", { exact: true }).fill(password);
  await app.page.getByLabel("Repeat the password").fill(password);
}

describe.skipIf(NO_WITNESSES)("with native tools that read the output", () => {
  test("protects a dropped PDF", async () => {
    await app.page.goto(`${host.urlOf("app")}#protect`);
    await app.drop("report.pdf", makePdf({ pages: 6 }));
    await enterPassword("correct horse");
    await app.start();
    const file = await app.save("protected-report.pdf");
    expect(await qpdfCheck(file, "correct horse")).toMatchObject({
      verdict: "ok",
      pageCount: 6,
      encrypted: true,
    });
    expect((await qpdfCheck(file, "wrong")).verdict).toBe("error");
    expect(String(await popplerText(file, "correct horse"))).toContain(pageText(6));
  });

  test("protects with limits and the password of an owner", async () => {
    await app.choose("report.pdf");
    await app.task("Protect");
    await enterPassword("reader");
    await app.radio("not change or copy");
    await app.page.getByLabel("Password of the owner", { exact: true }).fill("author");
    await app.start();
    const file = await app.save("protected-report.pdf");
    const { allowed } = await qpdfEncryption(file, "reader");
    expect(allowed.get("extract for any purpose")).toBe(false);
    expect(allowed.get("print high resolution")).toBe(true);
    expect((await qpdfEncryption(file, "author")).suppliedPasswordIs).toEqual(["owner"]);
  });

  test("unlocks a file that qpdf has encrypted, after a wrong password", async () => {
    await qpdfEncrypt(join(host.folder, "report.pdf"), join(host.folder, "locked.pdf"), {
      user: "sesame",
      owner: "owner",
    });
    await app.choose("locked.pdf");
    const field = app.page.getByLabel("Password of locked.pdf");
    await field.fill("open");
    expect(await field.getAttribute("type")).toBe("password");
    await app.page.getByRole("button", { name: "Show: locked.pdf" }).click();
    expect(await field.getAttribute("type")).toBe("text");
    await field.press("Enter");
    await app.page.locator(".field-problem").getByText("This password does not open the file").waitFor();
    await field.fill("sesame");
    await field.press("Enter");
    await app.page.getByText("locked.pdf: the password is correct", { exact: true }).waitFor();
    await app.row("locked.pdf").getByText("Opened", { exact: true }).waitFor();
    await app.page.locator("#start:focus").press("Enter");
    const file = await app.save("unlocked-locked.pdf");
    expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 6, encrypted: false });
    expect(String(await popplerText(file))).toContain(pageText(1));
  });

  test("merges PDFs and images in the order of the tray", async () => {
    app.write("second.pdf", makePdf({ pages: 2 }));
    app.write("photo.png", picture(3));
    await app.choose("report.pdf", "second.pdf", "photo.png");
    await app.page.locator(".bar-text").getByText("1 PDF, 9 pages").waitFor();
    await app.row("second.pdf").focus();
    await app.page.keyboard.press("Alt+ArrowUp");
    await app.start();
    const file = await app.save("merged-second.pdf");
    expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 9 });
  });

  test("makes one PDF of several images", async () => {
    app.write("one.png", picture(1));
    app.write("two.png", picture(2));
    await app.choose("one.png", "two.png");
    await app.task("One PDF");
    await app.radio("A4");
    await app.start();
    expect(await qpdfCheck(await app.save("one.pdf"))).toMatchObject({ verdict: "ok", pageCount: 2 });
  });

  test("converts pages to images and to text", async () => {
    await app.choose("report.pdf");
    await app.task("Convert");
    await app.radio("PNG");
    await app.start();
    expect(await unzipNames(await app.saveAll("report.zip"))).toHaveLength(6);
    await app.back();
    await app.radio("Text");
    await app.start();
    expect(readFileSync(await app.save("report.txt"), "utf8")).toContain(pageText(6));
  });

  test("converts 20 files at once and saves them as one zip", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `photo-${index + 1}.png`);
    for (const [index, name] of names.entries()) app.write(name, picture(index + 1));
    await app.choose(...names);
    expect(await app.page.locator("#start").textContent()).toBe("Convert 20 to JPG");
    await app.start();
    await app.finished();
    await expect.poll(() => app.page.locator("#summary").textContent()).toMatch(/^20 files are ready/);
    const archive = await app.saveAll("stayput.zip");
    expect(await unzipNames(archive)).toEqual(names.map((name) => name.replace("png", "jpg")));
    await expect.poll(() => app.page.locator(".output").getByText("Saved").count()).toBe(20);
  });
});

test("cancels one job, then all", async () => {
  const names = [1, 2, 3, 4, 5, 6].map((number) => `photo-${number}.png`);
  for (const [index, name] of names.entries()) app.write(name, picture(index + 1, 900));
  await app.choose(...names);
  await app.radio("AVIF");
  await app.start();
  await app.row("photo-1.png").getByRole("button", { name: "Cancel photo-1.png" }).click();
  await expect.poll(() => app.row("photo-1.png").getAttribute("data-state")).toBe("none");
  await app.page.getByRole("button", { name: "Cancel all" }).click();
  await app.finished();
  expect(await app.page.locator('.row[data-state="waiting"], .row[data-state="running"]').count()).toBe(0);
  // Cancelled files can be started again.
  await app.radio("PNG");
  await app.start();
  await app.finished();
  expect(await app.page.locator('.row[data-state="done"]').count()).toBe(6);
});

test("brings removed files back one after another, by the button and by keys", async () => {
  app.write("other.pdf", makePdf({ pages: 2 }));
  app.write("third.pdf", makePdf({ pages: 3 }));
  const names = ["report.pdf", "other.pdf", "third.pdf"];
  await app.choose(...names);
  for (const name of names) {
    await app.row(name).focus();
    await app.page.keyboard.press("Delete");
    await app.row(name).waitFor({ state: "detached" });
  }
  await app.page.keyboard.press("Control+z");
  await app.row("third.pdf").waitFor();
  await app.page.getByRole("button", { name: "Undo" }).click();
  await app.page.keyboard.press("Meta+z");
  await app.page.getByRole("status").getByText("1 file is back.").waitFor({ state: "attached" });
  const rows = await app.page.locator(".row").all();
  expect(await Promise.all(rows.map((row) => row.getAttribute("aria-label")))).toEqual(names);
});

test("keeps the files that a task does not use in one closed group", async () => {
  for (const name of ["one.png", "two.png"]) app.write(name, picture(3));
  await app.choose("one.png", "report.pdf", "two.png");
  await app.task("Split");
  const group = app.page.locator(".asides summary").getByText("2 files that this task does not use");
  await group.waitFor();
  expect(await app.row("one.png").isVisible()).toBe(false);
  await group.click();
  await app.row("two.png").getByRole("button", { name: "Remove two.png" }).click();
  await app.row("one.png").and(app.page.locator(":focus")).waitFor();
  await app.task("Convert");
  expect(await app.page.locator(".asides").count()).toBe(0);
});

test("says why the files do not get the task of a tile", async () => {
  await app.page.goto(`${host.urlOf("app")}#merge`);
  await app.choose("report.pdf");
  const reason = app.page.getByRole("status").getByText("To merge, add one more file.");
  await reason.waitFor();
  app.write("photo.png", picture(3));
  await app.choose("photo.png");
  await app.page.locator('.tab[aria-current="true"]').getByText("Merge").waitFor();
  expect(await reason.count()).toBe(0);
});

test("says how many pictures come out of a PDF, and lets JPGs stay JPGs", async () => {
  await app.choose("report.pdf");
  await app.task("Convert");
  await app.page.locator(".bar-text").getByText("6 pictures").waitFor();
  await app.page.getByRole("button", { name: "Remove report.pdf" }).click();
  app.write("photo.jpg", manyScanJpeg({ width: 64, height: 64, scans: 1 }));
  await app.choose("photo.jpg");
  expect(await app.page.locator("#start").textContent()).toBe("Convert to JPG");
});

test("opens the file dialog by a click anywhere on the drop target", async () => {
  const target = app.page.locator(".welcome");
  await Promise.all([
    app.page.waitForEvent("filechooser"),
    target.click({ position: { x: 12, y: 12 }, force: true }),
  ]);
});

test("points out a file that is there twice, and tells both and their results apart by numbers", async () => {
  await app.choose("report.pdf");
  await app.choose("report.pdf");
  await app.row("report (2).pdf").getByRole("button", { name: "Remove report (2).pdf" }).waitFor();
  expect(await app.page.getByText("The same as another file here").count()).toBe(1);
  await app.task("Convert");
  await app.start();
  await app.page.getByLabel("Name of report (2)-1.jpg", { exact: true }).waitFor();
  await app.page.getByLabel("Name of report-1.jpg", { exact: true }).waitFor();
});

test("keeps an image below the size limit, and says how much smaller it is", async () => {
  app.write("photo.png", picture(7, 600));
  await app.choose("photo.png");
  await app.page.getByText("More options", { exact: true }).click();
  await app.page.getByLabel("At most").fill("20");
  await app.page.getByLabel("Unit").selectOption("KB");
  await app.start();
  const file = readFileSync(await app.save("photo.jpg"));
  expect(file.length).toBeLessThanOrEqual(20_000);
  expect(await app.page.locator(".result-facts").textContent()).toMatch(/kB instead of .*B, \d+% smaller\./);
  expect(await app.page.locator(".output .row-facts").textContent()).toMatch(/kB \u2212\d+%/);
});

test("scales an image to the longest side", async () => {
  app.write("photo.png", picture(7, 600));
  await app.choose("photo.png");
  await app.radio("PNG");
  await app.page.getByText("More options", { exact: true }).click();
  await app.page.getByLabel("Longest side (pixels)").fill("150");
  await app.start();
  const png = readFileSync(await app.save("photo.png"));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([150, 150]);
});

test("says in its row that a file is damaged, and goes on with the others", async () => {
  app.write("good.png", picture(1));
  app.write("bad.png", picture(2).slice(0, 60));
  await app.choose("good.png", "bad.png");
  await app.task("Convert");
  await app.start();
  await app.finished();
  await app.page.getByRole("button", { name: "Save good.jpg" }).waitFor();
  await app.row("bad.png").locator(".failure").first().waitFor();
});

describe("office files", () => {
  test("with a service leave the device only after a question", async () => {
    await app.page.goto(host.urlOf("with-service"));
    app.write("letter.docx", docx(["Dear Sir or Madam,"]));
    await app.choose("letter.docx");
    await app.row("letter.docx").getByText("Leaves this device, goes to 127.0.0.1:9").waitFor();
    await app.start();
    const dialog = app.page.getByRole("dialog");
    await dialog.getByText("May letter.docx leave this device?").waitFor();
    await dialog.getByRole("button", { name: "Do not send" }).click();
    await app.row("letter.docx").getByText("The file was not sent").waitFor();
    expect(watched.requests.filter((request) => request.includes(SERVICE_URL))).toEqual([]);
  });

  test("are not sent by being chosen", async () => {
    await app.page.goto(`${host.urlOf("with-service")}#split`);
    app.write("letter.docx", docx(["Dear Sir or Madam,"]));
    await app.choose("letter.docx", "report.pdf");
    await app.task("Split");
    await app.row("letter.docx").waitFor({ state: "attached" });
    expect(await app.page.getByRole("dialog").count()).toBe(0);
    expect(watched.requests.filter((request) => request.includes(SERVICE_URL))).toEqual([]);
  });

  test("names the service in the promise of the page", async () => {
    const promise = app.page.locator("#promise");
    expect(await promise.textContent()).toBe("On this device");
    await app.page.getByText("No file, no password and no page leaves this device.").waitFor();
    await app.page.goto(host.urlOf("with-service"));
    expect(await promise.textContent()).toContain("127.0.0.1:9");
  });
});

test("requests nothing but the app's own code in any task", async () => {
  await app.choose("report.pdf");
  await app.task("Protect");
  await enterPassword("secret");
  await app.start();
  await app.save("protected-report.pdf");
  await app.task("Convert");
  await app.radio("JPG");
  await app.start();
  await app.saveAll("report.zip");
  const url = host.urlOf("app");
  const asksForFrame = `HEAD ${url}stayput/sealed.html`;
  const others = watched.requests.filter((request) => !request.startsWith(`GET ${url}`));
  expect(others).toEqual([asksForFrame]);
  expect(
    watched.requests.filter(
      (request) =>
        !/\.(js|css|wasm|svg|ttf|woff2|webmanifest)$|\/app\/(stayput\/sealed\.html)?$/.test(request),
    ),
  ).toEqual([]);
});

test("the result says how many photos are ready, and when they are saved", async () => {
  app.write("one.png", picture(1));
  app.write("two.png", picture(2));
  await app.choose("one.png", "two.png");
  await app.start();
  const result = app.page.getByRole("region", { name: "2 photos are ready" });
  await result.waitFor();
  expect(await app.hasFocus(result.getByRole("heading", { level: 2 }))).toBe(true);
  await result.getByText("Without place, date and camera.").waitFor();
  await app.saveAll("stayput.zip");
  await result.getByText("Saved.").waitFor();
});

test("links to the source and the documentation", async () => {
  const links = app.page.getByRole("navigation", { name: "About Stayput" }).getByRole("link");
  expect(await links.allTextContents()).toEqual(["Source code", "Documentation"]);
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const { homepage } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  const source = homepage.replace(/#.*/, "");
  expect(targets).toEqual([source, `${source}/tree/main/docs#readme`]);
});

test("shows hostile names as text", async () => {
  const name = `<img src=x onerror=alert(1)>&{count}.pdf`;
  await app.drop(name, makePdf({ pages: 2 }));
  const row = app.page.locator(".row");
  await row.getByText(name).waitFor();
  expect(await app.page.locator('img[src="x"]').count()).toBe(0);
});

test("speaks German", async () => {
  await app.page.getByRole("button", { name: "Deutsch" }).click();
  await app.page.getByRole("heading", { name: "Dateien oder Ordner ablegen" }).waitFor();
  await app.page.reload();
  await app.page.getByRole("heading", { name: "Dateien oder Ordner ablegen" }).waitFor();
  expect(await app.page.evaluate(() => document.documentElement.lang)).toBe("de");
});

test("tries one failed file again, and no other", async () => {
  await app.page.goto(host.urlOf("with-service"));
  app.write("letter.docx", docx(["Dear Sir or Madam,"]));
  await app.choose("letter.docx", "report.pdf");
  await app.task("Convert");
  await app.radio("JPG");
  await app.start();
  const dialog = app.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Do not send" }).click();
  await app.finished();
  const result = app.page.getByRole("region", { name: "6 pictures are ready" });
  await result.getByText("1 file failed.").waitFor();
  await app.row("letter.docx").getByRole("button", { name: "Try again with letter.docx" }).click();
  await dialog.getByRole("button", { name: "Do not send" }).click();
  await app.row("letter.docx").getByText("The file was not sent").waitFor();
  // The finished one stays as it is.
  await result.waitFor();
});
