import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import type { DemoHost } from "../support/browsers/demo-host.ts";
import { makeOutlinedPdf } from "../support/fixtures/outlined-pdf.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, qpdfEncrypt, unzipInto, unzipNames } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("the split of the app", ["qpdf", "pdftotext", "unzip"]).length > 0;

let host: DemoHost;
let app: AppPage;

openAppForEach((opened) => {
  ({ host, app } = opened);
  app.write("report.pdf", makePdf({ pages: 6 }));
});

function option(page: number) {
  return app.page.locator(`.page[data-page="${page}"]`);
}

test("shows the pages of one PDF in one color, with their new numbers, and nothing to cut", async () => {
  await app.choose("report.pdf");
  await app.radio("Cut into several PDFs");
  const pages = app.page.getByLabel("Pages", { exact: true });
  await pages.fill("5, 1-2");
  await app.page.getByText("2 files come out.").waitFor();
  await app.radio("Take pages out");
  await app.page.getByRole("status").getByText("One PDF with 3 pages comes out.").waitFor();
  expect(await pages.inputValue()).toBe("5, 1-2");
  const selected = app.page.locator('.page[aria-selected="true"]');
  const tones = await selected.evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-tone")));
  expect(tones).toEqual(["1", "1", "1"]);
  expect(await app.page.getByRole("option", { name: "Page 5 becomes page 1", exact: true }).count()).toBe(1);
  expect(await app.page.getByRole("option", { name: "Page 2 becomes page 3", exact: true }).count()).toBe(1);
  expect(await app.page.locator(".seam").count()).toBe(0);
  // The selection stays when the way changes, and the way stays when the selection changes.
  await option(1).click({ modifiers: ["Shift"] });
  await option(3).click({ modifiers: ["Shift"] });
  expect(await pages.inputValue()).toBe("5, 1-3");
  await app.page.getByText("One PDF with 4 pages comes out.").waitFor();
  await app.radio("Cut into several PDFs");
  expect(await pages.inputValue()).toBe("5, 1-3");
  await app.page.getByRole("button", { name: "Cut between pages 1 and 2" }).waitFor();
});

describe.skipIf(NO_WITNESSES)("with native tools that read the output", () => {
  test("splits into one file for each item", async () => {
    await app.choose("report.pdf");
    await app.radio("Cut into several PDFs");
    await app.page.getByLabel("Pages", { exact: true }).fill("1, 3-5");
    await app.start();
    const archive = await app.saveAll("split-report.zip");
    expect(await unzipNames(archive)).toEqual(["report-1.pdf", "report-3-5.pdf"]);
    const contents = mkdtempSync(join(host.folder, "split-"));
    await unzipInto(archive, contents);
    const text = String(await popplerText(join(contents, "report-3-5.pdf")));
    expect(text).toContain(pageText(4));
    expect(text).not.toContain(pageText(1));
  });

  test("saves a split into one file as a PDF", async () => {
    await app.choose("report.pdf");
    await app.radio("Cut into several PDFs");
    await app.page.getByLabel("Pages", { exact: true }).fill("2-4");
    await app.start();
    expect(await qpdfCheck(await app.save("report-2-4.pdf"))).toMatchObject({ verdict: "ok", pageCount: 3 });
  });

  test("splits every so many pages, and by chapters", async () => {
    app.write(
      "book.pdf",
      makeOutlinedPdf(5, [
        ["One", 0],
        ["Two", 3],
      ]),
    );
    await app.choose("book.pdf");
    await app.radio("Every … pages");
    await app.page.getByLabel("Pages in each file").fill("2");
    await app.start();
    expect(await unzipNames(await app.saveAll("split-book.zip"))).toHaveLength(3);
    await app.back();
    await app.radio("By chapters");
    await app.start();
    expect(await unzipNames(await app.saveAll("split-book.zip"))).toHaveLength(2);
  });

  test("says which pages are larger than the size of a split", async () => {
    await app.choose("report.pdf");
    await app.radio("By size");
    await app.page.getByLabel("Largest size in MB").fill("0.0001");
    await app.start();
    await app.page.locator(".result-facts").getByText("6 are larger than expected.").waitFor();
    expect(await app.page.getByText("This page alone is larger than 100 bytes.").count()).toBe(6);
    expect(await unzipNames(await app.saveAll("split-report.zip"))).toHaveLength(6);
  });

  test("shows the files of a split by chapters before they are made", async () => {
    app.write(
      "book.pdf",
      makeOutlinedPdf(7, [
        ["(Start)", 2],
        ["(Middle)", 4],
        ["(Twin)", 4],
        ["(End)", 6],
      ]),
    );
    await app.choose("book.pdf");
    await app.radio("By chapters");
    await app.page.getByText("5 files come out.").waitFor();
    const shown = ["Beginning", "Start", "Start", "Twin", "Twin", "End", "End"];
    expect(await app.page.locator(".page-file").allTextContents()).toEqual(shown);
    await app.start();
    const archive = await app.saveAll("split-book.zip");
    const contents = mkdtempSync(join(host.folder, "chapters-"));
    await unzipInto(archive, contents);
    const files = await unzipNames(archive);
    const firstPages = files.map(async (name) => {
      const text = String(await popplerText(join(contents, name)));
      return [name, Number(/page (\d+)/.exec(text)?.[1])] as const;
    });
    expect(await Promise.all(firstPages)).toEqual([
      ["book-0.pdf", 1],
      ["book-1-Start.pdf", 2],
      ["book-2-Middle.pdf", 4],
      ["book-3-Twin.pdf", 4],
      ["book-4-End.pdf", 6],
    ]);
    await app.back();
    // A cut makes a selection of them.
    await app.page.getByRole("button", { name: "Cut between pages 6 and 7" }).click();
    expect(await app.page.getByLabel("Pages", { exact: true }).inputValue()).toBe("1, 2-3, 4, 4-5, 6, 7");
  });

  test("says which of several files have no chapters", async () => {
    app.write("book.pdf", makeOutlinedPdf(5, [["(Start)", 1]]));
    await app.choose("book.pdf", "report.pdf");
    await app.task("Split");
    await app.radio("By chapters");
    await app.page.getByText("All 5 pages stay in one file.").waitFor();
    await app.show("report.pdf");
    await app.page.getByText("This file has no table of contents.").waitFor();
    // The way stays when the only file with chapters is gone.
    await app.row("book.pdf").getByRole("button", { name: "Remove book.pdf" }).click();
    await app.row("book.pdf").waitFor({ state: "detached" });
    expect(await app.page.getByRole("radio", { name: "By chapters" }).isChecked()).toBe(true);
  });

  test("a user without a file splits the example", async () => {
    await app.page.getByRole("button", { name: "Try it with an example" }).dblclick();
    await app.row("Example.pdf").getByText("8 pages").waitFor();
    await app.page.locator(".asides summary").click();
    await app.row("Example.jpg").getByText("1600 × 1000").waitFor();
    expect(await app.page.locator(".row").count()).toBe(2);
    await app.page.getByRole("option", { name: "Page 1", exact: true }).locator("img").waitFor();
    await app.radio("Cut into several PDFs");
    await app.page.getByLabel("Pages", { exact: true }).fill("2-3");
    await app.start();
    const file = await app.save("Example-2-3.pdf");
    expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 2 });
    expect(String(await popplerText(file))).toContain("Page 3");
  });

  test("puts the selected pages into one PDF, in the order of the selection", async () => {
    await app.choose("report.pdf");
    await app.page.getByLabel("Pages", { exact: true }).fill("5, 1");
    await option(3).click();
    expect(await app.page.getByLabel("Pages", { exact: true }).inputValue()).toBe("5, 1, 3");
    expect(await app.page.locator("#start").textContent()).toBe("Put 3 pages into one PDF");
    await app.start();
    const file = await app.save("pages-report.pdf");
    expect(await qpdfCheck(file)).toMatchObject({ verdict: "ok", pageCount: 3 });
    const text = String(await popplerText(file));
    const places = [5, 1, 3].map((page) => text.indexOf(pageText(page)));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  test("makes one PDF of the selection of each of two files, with their passwords", async () => {
    await qpdfEncrypt(join(host.folder, "report.pdf"), join(host.folder, "locked.pdf"), {
      user: "sesame",
      owner: "owner",
    });
    await app.choose("report.pdf", "locked.pdf");
    await app.task("Split");
    await app.page.getByLabel("Password of locked.pdf").fill("sesame");
    await app.page.getByLabel("Password of locked.pdf").press("Enter");
    await app.page.getByLabel("Pages", { exact: true }).fill("2-4, 3");
    expect(await app.page.locator("#start").textContent()).toBe("Make 2 PDFs");
    await app.start();
    // The other file has no selection yet.
    expect(await app.problemAt("split-pages")).toBe("Select pages, or write 1, 3-5.");
    await app.page.getByRole("listbox", { name: "Pages of locked.pdf" }).waitFor();
    await app.page.getByLabel("Pages", { exact: true }).fill("1, 9");
    await app.start();
    expect(await app.problemAt("split-pages")).toBe("There is no page 9. The file has 6 pages.");
    await app.page.getByLabel("Pages", { exact: true }).fill("last; 1");
    await app.start();
    await app.finished();
    expect(await qpdfCheck(await app.save("pages-report.pdf"))).toMatchObject({
      verdict: "ok",
      pageCount: 3,
    });
    const unlocked = await app.save("pages-locked.pdf");
    expect(await qpdfCheck(unlocked)).toMatchObject({ verdict: "ok", pageCount: 2, encrypted: false });
    const archive = await app.saveAll("stayput.zip");
    expect(await unzipNames(archive)).toEqual(["pages-report.pdf", "pages-locked.pdf"]);
  });
});
