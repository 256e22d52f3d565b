import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, type PageText } from "../../src/index.ts";
import { drawnPdf } from "../support/fixtures/drawn-pdf.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { blobOf, newClient, pixel, shown } from "./pictures.ts";

describe("readText", () => {
  test("says where words are in the picture of renderPages", async () => {
    const client = newClient();
    const resources = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";
    const entries = "/MediaBox[0 0 300 200]/CropBox[10 20 290 190]/Rotate 90/UserUnit 2";
    const content = "BT /F1 24 Tf 60 100 Td (MMMM) Tj 0 -60 Td (WW) Tj ET";
    const file = new File([drawnPdf([{ content, entries, resources }])], "a.pdf");
    const { value: read } = await client.readText({ file }).next();
    const { value: drawn } = await client.renderPages({ file, dpi: 72 }).next();
    const picture = await shown(drawn?.blob ?? file);
    expect(read?.words.map(({ text }) => text).toSorted()).toEqual(["MMMM", "WW"]);
    const isDark = (x: number, y: number) => (pixel(picture, x, y)[0] ?? 255) < 128;
    const places = new Set<number>();
    for (let y = 0; y < picture.height; y++)
      for (let x = 0; x < picture.width; x++)
        if (isDark(x, y)) {
          const within = read?.words.findIndex(
            (word) =>
              x >= word.x - 2 &&
              x <= word.x + word.width + 2 &&
              y >= word.y - 2 &&
              y <= word.y + word.height + 2,
          );
          places.add(within ?? -1);
        }
    expect([...places].toSorted()).toEqual([0, 1]);
  });

  test("opens a protected file by its password", async () => {
    const client = newClient();
    const plain = new File([makePdf({ pages: 2 })], "a.pdf");
    const file = await blobOf(await client.protectPdf({ file: plain, password: "key" }));
    await expect(client.readText({ file }).next()).rejects.toMatchObject({ code: "password_required" });
    const pages: PageText[] = [];
    for await (const page of client.readText({ file, password: "key" })) pages.push(page);
    expect(pages.map(({ page, text }) => [page, text])).toEqual([
      [1, `${pageText(1)}\n`],
      [2, `${pageText(2)}\n`],
    ]);
  });

  test("ends its job when the loop is left, or its signal aborts", async () => {
    const client = createClient({ maxWorkers: 1 });
    onTestFinished(() => client.close());
    const file = new File([makePdf({ pages: 3000 })], "long.pdf");
    for await (const { page } of client.readText({ file })) if (page === 3) break;
    const controller = new AbortController();
    const reason = new Error("enough");
    const loop = (async () => {
      for await (const { page } of client.readText({ file }, { signal: controller.signal })) {
        if (page === 2) controller.abort(reason);
      }
    })();
    await expect(loop).rejects.toBe(reason);
    // The only worker is free.
    expect((await client.inspect({ file })).pages).toBe(3000);
  });
});
