import JSZip from "jszip";
import { describe, expect, test } from "vitest";
import type { Progress } from "../../src/index.ts";
import { drawnPdf, fill, QUARTERS } from "../support/fixtures/drawn-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { pdfOf } from "../support/fixtures/pdf-objects.ts";
import { BLUE, drawn, LIME, quartersOf, RED, YELLOW } from "./drawn-pages.ts";
import { blobOf, convert, newClient, pixel, shown } from "./pictures.ts";

const sizeOf = ({ width, height }: ImageData) => [width, height];

describe("names and archives", () => {
  const file = (pages: number) => new File([makePdf({ pages })], "C:\\papers\\report.v2.pdf");

  test("one page is one picture", async () => {
    const client = newClient();
    for (const [output_format, type, extension] of [
      ["jpg", "image/jpeg", "jpg"],
      ["JPEG", "image/jpeg", "jpg"],
      ["png", "image/png", "png"],
      ["webp", "image/webp", "webp"],
      ["avif", "image/avif", "avif"],
    ] as const) {
      const result = await client.convert({ file: file(12), output_format, pages: "3", dpi: 40 });
      expect(result.file_name).toBe(`report.v2.${extension}`);
      const made = await blobOf(result);
      expect(made.type).toBe(type);
      expect(sizeOf(await shown(made))).toEqual([331, 468]);
    }
  });

  test("several pages are an archive, with names by page numbers", async () => {
    const told: Progress[] = [];
    const result = await newClient().convert(
      { file: file(12), output_format: "jpg", pages: "11-,2,odd", dpi: 20 },
      { onProgress: (progress) => told.push(progress) },
    );
    expect(result.file_name).toBe("report.v2.zip");
    const archive = await blobOf(result);
    expect(archive.type).toBe("application/zip");
    const zip = await JSZip.loadAsync(await archive.arrayBuffer(), { checkCRC32: true });
    expect(Object.keys(zip.files)).toEqual(
      ["11", "12", "02", "01", "03", "05", "07", "09"].map((number) => `report.v2-${number}.jpg`),
    );
    expect(told.some(({ phase, total }) => phase === "working" && total === 8)).toBe(true);
  });

  test("each picture of an archive shows its page", async () => {
    const colors = ["1 0 0", "0 1 0", "0 0 1", "1 1 0", "0 1 1", "1 0 1", "0 0 0", "1 1 1", "1 0 0"];
    const pages = colors.map((rgb) => ({ content: fill(rgb, 0, 0, 100, 60) }));
    const made = await convert(drawnPdf(pages), "png", { dpi: 36 });
    const zip = await JSZip.loadAsync(await made.arrayBuffer());
    const found = await Promise.all(
      Object.values(zip.files).map(async (entry) => {
        const picture = await shown(await entry.async("blob"));
        return pixel(picture, 25, 15)
          .slice(0, 3)
          .map((value) => value / 255)
          .join(" ");
      }),
    );
    expect(found).toEqual(colors);
  });
});

describe("the size of a picture", () => {
  test("is that of the page at its dots per inch, by default 150", async () => {
    const file = drawnPdf([{ content: "" }]);
    expect(sizeOf(await shown(await convert(file, "png")))).toEqual([208, 125]);
    expect(sizeOf(await shown(await convert(file, "png", { dpi: 300 })))).toEqual([417, 250]);
  });

  test("is that of the crop box", async () => {
    const picture = await drawn({ content: QUARTERS, entries: "/CropBox[25 15 100 60]" });
    expect(sizeOf(picture)).toEqual([75, 45]);
    expect(pixel(picture, 5, 40)).toEqual(RED);
    expect(pixel(picture, 50, 5)).toEqual(YELLOW);
  });

  test.each([
    [90, [60, 100], [RED, BLUE, LIME, YELLOW]],
    [180, [100, 60], [LIME, RED, YELLOW, BLUE]],
    [270, [60, 100], [YELLOW, LIME, BLUE, RED]],
    [-90, [60, 100], [YELLOW, LIME, BLUE, RED]],
  ] as const)("is that of the page rotated by %i", async (rotate, size, quarters) => {
    const picture = await drawn({ content: QUARTERS, entries: `/Rotate ${rotate}` });
    expect(sizeOf(picture)).toEqual(size);
    expect(quartersOf(picture)).toEqual(quarters);
  });

  test("is that of the page in its UserUnit", async () => {
    const picture = await drawn({ content: QUARTERS, entries: "/UserUnit 2.5" });
    expect(sizeOf(picture)).toEqual([250, 150]);
    expect(quartersOf(picture)).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("is checked before drawing, and the error names the largest", async () => {
    const pages = [{ content: "" }, { content: "", entries: "/MediaBox[0 0 7200 100]" }];
    await expect(convert(drawnPdf(pages), "jpg", { dpi: 200 })).rejects.toMatchObject({
      code: "input_too_large",
      message: expect.stringMatching(/^Page 2 would be 20000 × 278 pixels at 200 dpi.*dpi of 163 it would/),
      details: { page: 2, width: 20000, longest_side: 16384, largest_dpi: 163 },
    });
    const fits = await convert(drawnPdf(pages), "jpg", { dpi: 163, pages: "2" });
    expect(sizeOf(await shown(fits))).toEqual([16300, 226]);
  });
});

describe("protected files", () => {
  const locked = async () => {
    const client = newClient();
    const result = await client.protectPdf({
      file: new File([drawnPdf([{ content: QUARTERS }])], "a.pdf"),
      password: "Zürich 湖",
    });
    return blobOf(result);
  };

  test("open with their password", async () => {
    const picture = await shown(await convert(await locked(), "png", { password: "Zürich 湖" }));
    expect(quartersOf(picture)).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("need no password if only attachments are encrypted", async () => {
    const string = `<${"5a".repeat(32)}>`;
    const file = pdfOf(
      [
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        { num: 2, body: "<</Type/Pages/Count 1/Kids[3 0 R]>>" },
        { num: 3, body: "<</Type/Page/Parent 2 0 R/UserUnit 2/MediaBox[0 0 100 60]/Contents 4 0 R>>" },
        { num: 4, body: "<<>>", stream: fill("1 0 0", 0, 0, 100, 60) },
        {
          num: 5,
          body:
            `<</Filter/Standard/V 4/R 4/O${string}/U${string}/P -4/StmF/Identity/StrF/Identity/EFF/StdCF` +
            "/CF<</StdCF<</CFM/AESV2/AuthEvent/EFOpen>>>>>>",
        },
      ],
      `/Root 1 0 R/Encrypt 5 0 R/ID[${string}${string}]`,
    );
    const picture = await shown(await convert(file, "png", { dpi: 72 }));
    // PDFium, which knows of no user units, would open it by itself.
    expect(sizeOf(picture)).toEqual([200, 120]);
    expect(pixel(picture, 25, 15)).toEqual(RED);
  });

  test("do not open without it", async () => {
    const file = await locked();
    await expect(convert(file, "png")).rejects.toMatchObject({ code: "password_required" });
    await expect(convert(file, "png", { password: "no" })).rejects.toMatchObject({ code: "wrong_password" });
  });
});

describe("errors", () => {
  test("a selection outside the document returns an error", async () => {
    await expect(convert(makePdf({ pages: 3 }), "jpg", { pages: "2,4" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { position: 2, page_count: 3 },
    });
  });

  test("a picture that would have no pixels returns an error", async () => {
    await expect(convert(drawnPdf([{ content: QUARTERS }]), "jpg", { max_bytes: 10 })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "max_bytes", page: 1 },
    });
    const small = await convert(drawnPdf([{ content: QUARTERS }]), "jpg", { max_bytes: 1500 });
    expect(small.size).toBeLessThanOrEqual(1500);
  });

  test("draws a page that is missing in the cross-reference", async () => {
    const whole = new TextDecoder("latin1").decode(drawnPdf([{ content: QUARTERS }]));
    const [page, content] = [10, 11].map(
      (num) => `${String(whole.indexOf(`\n${num} 0 obj`) + 1).padStart(10, "0")} 00000 n`,
    );
    if (page === undefined || content === undefined) throw new Error("no entries");
    expect(whole.split(page).length).toBe(2);
    const swapped = whole.replace(page, "?").replace(content, page).replace("?", content);
    const made = await convert(
      Uint8Array.from(swapped, (letter) => letter.charCodeAt(0)),
      "png",
    );
    const picture = await shown(made);
    const plain = await shown(await convert(drawnPdf([{ content: QUARTERS }]), "png"));
    expect(picture.data).toEqual(plain.data);
  });

  test("draws the readable part of a damaged file", async () => {
    const whole = drawnPdf([{ content: QUARTERS }, { content: "" }]);
    const end = new TextDecoder("latin1").decode(whole).indexOf("xref");
    const picture = await shown(await convert(whole.slice(0, end), "png", { pages: "1" }));
    expect(quartersOf(picture)).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("names a page that cannot be drawn", async () => {
    // Its tree lists one node twice, which has no pages, but counts as one with PDFium all the same.
    const twice = pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R 4 0 R]/MediaBox[0 0 100 60]>>" },
      { num: 3, body: "<</Type/Page/Parent 2 0 R>>" },
      { num: 4, body: "<</Type/Pages/Count 1/Parent 2 0 R/Kids[]>>" },
    ]);
    await expect(convert(twice, "png")).rejects.toMatchObject({
      code: "damaged_file",
      message: expect.stringContaining("Page 2 "),
      details: { page: 2 },
    });
    expect(sizeOf(await shown(await convert(twice, "png", { pages: "1", dpi: 72 })))).toEqual([100, 60]);
  });

  test("an aborted job ends and the next job runs", async () => {
    const client = newClient();
    const file = new File([makePdf({ pages: 200 })], "long.pdf");
    const controller = new AbortController();
    const pages: number[] = [];
    const call = client.convert(
      { file, output_format: "jpg" },
      {
        signal: controller.signal,
        onProgress: ({ phase, done }) => {
          if (phase !== "working" || done === 0) return;
          pages.push(done);
          controller.abort(new Error("enough"));
        },
      },
    );
    await expect(call).rejects.toThrow("enough");
    expect(pages).toHaveLength(1);
    const next = await client.convert({ file, output_format: "jpg", pages: "200", dpi: 30 });
    expect(next.file_name).toBe("long.jpg");
  });

  test("does not draw an image of junk data", async () => {
    const junk = new TextEncoder().encode("%PDF-1.7\nnothing of a document");
    await expect(convert(junk, "png")).rejects.toMatchObject({ code: "damaged_file" });
  });
});
