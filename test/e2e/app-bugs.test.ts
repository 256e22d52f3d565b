import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { qpdfCheck, qpdfEncrypt, qpdfEncryption } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("app", ["qpdf"]).length > 0;

/** What no message for a person contains. */
const DEVELOPER_WORDS = /createClient|baseUrl|`|iloc|→|TypeError|parameter|undefined|_/;

let host: DemoHost;
let app: AppPage;

openAppForEach((opened) => {
  ({ host, app } = opened);
  app.write("report.pdf", makePdf({ pages: 6 }));
});

/** A picture that takes a while to encode. */
function slowPicture(seed: number): Uint8Array {
  const sample = (x: number, y: number) => [(x * y * seed) % 256, (x * 7 + y) % 256, (y * 13 + seed) % 256];
  return makePng({ width: 700, height: 500, colorType: 2, bitDepth: 8, sample });
}

describe.skipIf(NO_WITNESSES)("with qpdf", () => {
  test("forbids printing in low quality, too, when printing is cleared", async () => {
    await app.choose("report.pdf");
    await app.task("Protect");
    await app.page.getByLabel("Password", { exact: true }).fill("reader");
    await app.page.getByLabel("Repeat the password").fill("reader");
    await app.radio("only what I choose");
    await app.page.getByLabel("Print", { exact: true }).uncheck();
    expect(await app.page.getByLabel("Print in low quality").isChecked()).toBe(false);
    await app.start();
    const { allowed } = await qpdfEncryption(await app.save("protected-report.pdf"), "reader");
    expect(allowed.get("print high resolution")).toBe(false);
    expect(allowed.get("print low resolution")).toBe(false);
    expect(allowed.get("modify annotations")).toBe(true);
  });

  test("shows no problem at a file that is added after a start without a password", async () => {
    const plain = app.write("plain.pdf", makePdf({ pages: 2 }));
    for (const name of ["one.pdf", "two.pdf"]) {
      await qpdfEncrypt(plain, join(host.folder, name), { user: "first", owner: "owner" });
    }
    await app.choose("one.pdf");
    await app.task("Unlock");
    await app.start();
    const [one, two] = ["one.pdf", "two.pdf"].map((name) => app.page.getByLabel(`Password of ${name}`));
    await expect.poll(() => one?.getAttribute("aria-invalid")).toBe("true");
    await app.choose("two.pdf");
    await two?.waitFor();
    expect(await two?.getAttribute("aria-invalid")).toBeNull();
    await app.start();
    await expect.poll(() => two?.getAttribute("aria-invalid")).toBe("true");
  });

  test("has a field for the password of each PDF, and says which one is wrong", async () => {
    for (const [name, user] of [
      ["one.pdf", "first"],
      ["two.pdf", "second"],
    ] as const) {
      const plain = app.write("plain.pdf", makePdf({ pages: 2 }));
      await qpdfEncrypt(plain, join(host.folder, name), { user, owner: `${user} owner` });
    }
    await app.choose("one.pdf", "two.pdf");
    await app.task("Unlock");
    const one = app.page.getByLabel("Password of one.pdf");
    const two = app.page.getByLabel("Password of two.pdf");
    await one.fill("first");
    await two.fill("wrong");
    await app.start();
    await app.page.locator('input[aria-invalid="true"]:focus').waitFor();
    expect(await two.getAttribute("aria-invalid")).toBe("true");
    await app.page.getByText("one.pdf: the password is correct").waitFor();
    // Nothing is started before all is right, and no row fails.
    expect(await app.page.locator('.row[data-state="failed"]').count()).toBe(0);
    await two.fill("second");
    await app.start();
    for (const name of ["one.pdf", "two.pdf"]) {
      const path = await app.save(`unlocked-${name}`);
      expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 2, encrypted: false });
    }
  });

  test("shows the thumbnail of an encrypted PDF once its password is entered", async () => {
    const plain = app.write("plain.pdf", makePdf({ pages: 2 }));
    await qpdfEncrypt(plain, join(host.folder, "locked.pdf"), { user: "sesame", owner: "owner" });
    await app.choose("locked.pdf");
    await app.row("locked.pdf").getByText("Locked", { exact: true }).waitFor();
    expect(await app.row("locked.pdf").locator("img").count()).toBe(0);
    const field = app.page.getByLabel("Password of locked.pdf");
    await field.fill("sesame");
    await field.press("Enter");
    await app.row("locked.pdf").locator("img").waitFor();
  });
});

describe("no message has words of a developer", () => {
  test("for office files without a service, before anything is started", async () => {
    app.write("letter.docx", docx(["Dear Sir or Madam,"]));
    await app.choose("letter.docx");
    const row = app.row("letter.docx");
    await row.getByText("need a service that this page does not have").waitFor();
    expect(await app.page.locator("#start").count()).toBe(0);
    expect(await row.textContent()).not.toMatch(DEVELOPER_WORDS);
  });

  test("for a damaged HEIC", async () => {
    app.write(
      "photo.heic",
      Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(64)]),
    );
    await app.choose("photo.heic");
    const row = app.row("photo.heic");
    await row.locator(".failure p").waitFor();
    expect(await row.locator(".failure p").textContent()).not.toMatch(DEVELOPER_WORDS);
  });

  test("for pages", async () => {
    await app.choose("report.pdf");
    await app.page.getByLabel("Pages", { exact: true }).fill("1, x");
    await app.start();
    expect(await app.problemAt("split-pages")).not.toMatch(DEVELOPER_WORDS);
  });
});

test("selects page 5 after clicks on 3, 5 and 3", async () => {
  await app.choose("report.pdf");
  const pages = app.page.getByRole("listbox", { name: "Pages of report.pdf" });
  for (const page of [3, 5, 3]) await pages.getByRole("option", { name: `Page ${page}` }).click();
  const field = app.page.getByLabel("Pages", { exact: true });
  expect(await field.inputValue()).toBe("5");
  expect(await pages.locator('[aria-selected="true"]').count()).toBe(1);
  // The field and the pages are one state.
  await field.fill("2-4");
  expect(await pages.locator('[aria-selected="true"]').count()).toBe(3);
  await pages.getByRole("option", { name: "Page 6" }).click();
  await pages.getByRole("option", { name: "Page 5" }).click({ modifiers: ["Shift"] });
  expect(await field.inputValue()).toBe("2-4, 5-6");
});

test("puts the pages that are dragged over into one file", async () => {
  await app.choose("report.pdf");
  const at = async (page: number) => {
    const option = app.page.locator(`.page[data-page="${page}"]`);
    await option.scrollIntoViewIfNeeded();
    const box = await option.boundingBox();
    if (box === null) throw new Error(`Page ${page} is not shown`);
    return [box.x + box.width / 2, box.y + 20] as const;
  };
  await app.page.mouse.move(...(await at(2)));
  await app.page.mouse.down();
  await app.page.mouse.move(...(await at(3)));
  await app.page.mouse.move(...(await at(4)));
  await app.page.mouse.up();
  const field = app.page.getByLabel("Pages", { exact: true });
  expect(await field.inputValue()).toBe("2-4");
  await app.page.locator('.page[data-page="6"]').click();
  expect(await field.inputValue()).toBe("2-4, 6");
});

test("shows all pages of a document of more than 24", async () => {
  app.write("long.pdf", makePdf({ pages: 60 }));
  await app.choose("long.pdf");
  await app.page.locator(".page-grid").getByRole("option").first().focus();
  await app.page.keyboard.press("End");
  await app.page.getByRole("option", { name: "Page 60", exact: true }).locator("img").waitFor();
});

test.each([
  ["3–5", 1],
  ["1;2", 2],
  ["1 2", 2],
])("takes %s as pages", async (text, files) => {
  await app.choose("report.pdf");
  await app.radio("Cut into several PDFs");
  await app.page.getByLabel("Pages", { exact: true }).fill(text);
  await app.start();
  await app.saveAll(files === 1 ? "report-3-5.pdf" : "split-report.zip");
});

test("says at the field how many pages there are, and starts nothing", async () => {
  await app.choose("report.pdf");
  await app.page.getByLabel("Pages", { exact: true }).fill("1, 9");
  await app.start();
  expect(await app.problemAt("split-pages")).toBe("There is no page 9. The file has 6 pages.");
  await app.page.locator('[id^="split-pages"]:focus').waitFor();
  expect(await app.row("report.pdf").getAttribute("data-state")).toBe("none");
});

test("adds the files of a dropped folder, with those of its folders", async () => {
  const folder = join(host.folder, "Holiday");
  mkdirSync(join(folder, "Day 2"), { recursive: true });
  app.write("Holiday/a.pdf", makePdf({ pages: 1 }));
  for (const name of ["desktop.ini", "Thumbs.db", ".DS_Store"]) app.write(`Holiday/${name}`, "of the system");
  app.write("Holiday/Day 2/b.pdf", makePdf({ pages: 2 }));
  const session = await app.page.context().newCDPSession(app.page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
  }
  await app.row("a.pdf").waitFor();
  await app.row("b.pdf").waitFor();
  expect(await app.page.locator(".row").count()).toBe(2);
  expect(await app.page.locator(".failure").count()).toBe(0);
});

test("starts and finishes files in their order, and shows the progress of images", async () => {
  const names = [1, 2, 3, 4, 5, 6].map((number) => `photo-${number}.png`);
  for (const [index, name] of names.entries()) app.write(name, slowPicture(index + 1));
  await app.choose(...names);
  await app.page.evaluate(() => {
    const started: string[] = [];
    Object.assign(window, { started });
    const look = () => {
      for (const row of document.querySelectorAll(".row")) {
        const name = row.getAttribute("aria-label") ?? "";
        const state = row.getAttribute("data-state");
        if (state !== "none" && state !== "waiting" && !started.includes(name)) started.push(name);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, attributes: true });
  });
  await app.start();
  await app.finished();
  const started = await app.page.evaluate(() => Reflect.get(window, "started"));
  expect(started).toEqual(names);
});

test("names all types that work when a file has another one", async () => {
  app.write("letter.pdf", "Dear Sir or Madam,");
  await app.choose("letter.pdf");
  const text = await app.row("letter.pdf").locator(".failure p").textContent();
  for (const type of ["AVIF", "GIF", "BMP", "TIFF"]) expect(text).toContain(type);
  // Without a service, office files do not work.
  expect(text).not.toContain("Word");
  // The code is for a report.
  expect(await app.row("letter.pdf").locator("code").textContent()).toContain("unsupported_input");
});

test("says that a file is empty", async () => {
  app.write("nothing.pdf", "");
  await app.choose("nothing.pdf");
  await app.row("nothing.pdf").getByText("This file is empty: it has 0 bytes.").waitFor();
});

test("skips finished files, and replaces their results after new settings", async () => {
  app.write("photo.png", slowPicture(1));
  app.write("other.png", slowPicture(2));
  await app.choose("photo.png");
  await app.start();
  await app.page.locator("#save-all").waitFor();
  expect(await app.page.locator("#start").count()).toBe(0);
  await app.choose("other.png");
  // A new file brings the stage back.
  expect(await app.page.locator("#start").textContent()).toBe("Convert to JPG");
  await app.start();
  await app.back();
  await app.radio("WebP");
  expect(await app.page.locator("#start").textContent()).toBe("Convert 2 to WebP");
  await app.start();
  await app.finished();
  expect(await app.page.locator(".row").count()).toBe(2);
  await expect.poll(() => app.page.locator(".output-name").allTextContents()).toEqual([".webp", ".webp"]);
});

test("asks before files and results that are not saved are lost", async () => {
  app.write("photo.png", slowPicture(1));
  await app.choose("photo.png");
  await app.start();
  await app.page.locator("#save-all").waitFor();
  const questions: string[] = [];
  app.page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await app.page.reload();
  expect(questions.splice(0)).toEqual(["beforeunload"]);

  await app.choose("photo.png");
  // Browsers ask only after the user has done something with the page.
  await app.radio("WebP");
  await app.page.reload();
  expect(questions.splice(0)).toEqual(["beforeunload"]);

  await app.choose("photo.png");
  await app.start();
  await app.saveAll("photo.webp");
  await app.page.reload();
  expect(questions).toEqual([]);
});

test("replaces a failed try by the next one, in its row", async () => {
  app.write("damaged.pdf", "%PDF-1.7\nnothing");
  await app.choose("damaged.pdf");
  expect(await app.page.locator(".row").count()).toBe(1);
  expect(await app.row("damaged.pdf").locator(".failure").count()).toBe(1);
});
