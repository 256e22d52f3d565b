import JSZip from "jszip";
import { describe, expect, test } from "vitest";
import { type Client, type ConvertParams, createClient, type Progress } from "../../src/index.ts";
import { type DrawnPage, drawnPdf, FIRST_OWN, fill, QUARTERS } from "../fixtures/drawn-pdf.ts";
import { makePdf } from "../fixtures/pdf.ts";
import { type PlainObject, pdfOf } from "../fixtures/pdf-objects.ts";
import { blobOf, convert, newClient, pixel, shown } from "./pictures.ts";

const RED = [255, 0, 0, 255];
const LIME = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const YELLOW = [255, 255, 0, 255];
const WHITE = [255, 255, 255, 255];

/** A page as it comes out, a pixel for each unit. */
async function drawn(
  page: DrawnPage | readonly DrawnPage[],
  more: { readonly objects?: readonly PlainObject[]; readonly catalog?: string } = {},
  params: Partial<ConvertParams> = {},
): Promise<ImageData> {
  const file = drawnPdf("content" in page ? [page] : page, more);
  return shown(await convert(file, "png", { dpi: 72, ...params }));
}

/** The colours in the middles of the quarters: top left, top right, bottom left, bottom right. */
function quartersOf(picture: ImageData): number[][] {
  const { width, height } = picture;
  const at = (x: number, y: number) => pixel(picture, Math.floor(x * width), Math.floor(y * height));
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

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

  test("several are an archive, named by the pages of the document", async () => {
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

  test("each picture of an archive is of its page", async () => {
    const colours = ["1 0 0", "0 1 0", "0 0 1", "1 1 0", "0 1 1", "1 0 1", "0 0 0", "1 1 1", "1 0 0"];
    const pages = colours.map((rgb) => ({ content: fill(rgb, 0, 0, 100, 60) }));
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
    expect(found).toEqual(colours);
  });
});

describe("how large a page becomes", () => {
  test("by its dots per inch, 150 unless it is said", async () => {
    const file = drawnPdf([{ content: "" }]);
    expect(sizeOf(await shown(await convert(file, "png")))).toEqual([208, 125]);
    expect(sizeOf(await shown(await convert(file, "png", { dpi: 300 })))).toEqual([417, 250]);
  });

  test("by its crop box", async () => {
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
  ] as const)("turned by %i", async (rotate, size, quarters) => {
    const picture = await drawn({ content: QUARTERS, entries: `/Rotate ${rotate}` });
    expect(sizeOf(picture)).toEqual(size);
    expect(quartersOf(picture)).toEqual(quarters);
  });

  test("by its unit", async () => {
    const picture = await drawn({ content: QUARTERS, entries: "/UserUnit 2.5" });
    expect(sizeOf(picture)).toEqual([250, 150]);
    expect(quartersOf(picture)).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("too large is said before anything is drawn, with what would do", async () => {
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

describe("what is drawn", () => {
  test("paper is white", async () => {
    for (const to of ["png", "jpg", "webp"]) {
      const picture = await shown(await convert(drawnPdf([{ content: "" }]), to));
      expect(pixel(picture, 9, 9)).toEqual(WHITE);
    }
  });

  test("or of another colour", async () => {
    const content = fill("1 0 0", 0, 0, 50, 60);
    const picture = await drawn({ content }, {}, { background: "rgb(0 102 204)" });
    expect([pixel(picture, 20, 30), pixel(picture, 70, 30)]).toEqual([RED, [0, 102, 204, 255]]);
    const clear = await drawn({ content }, {}, { background: "transparent" });
    expect([pixel(clear, 20, 30), pixel(clear, 70, 30)]).toEqual([RED, [0, 0, 0, 0]]);
    const wrong = drawn({ content }, {}, { background: "no colour" });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("annotations, and form fields with their backgrounds", async () => {
    const objects: PlainObject[] = [
      {
        num: FIRST_OWN,
        body: "<</Type/XObject/Subtype/Form/BBox[0 0 50 30]>>",
        stream: fill("1 0 0", 0, 0, 50, 30),
      },
      {
        num: FIRST_OWN + 1,
        body: `<</Type/Annot/Subtype/Square/F 4/Rect[0 0 50 30]/AP<</N ${FIRST_OWN} 0 R>>>>`,
      },
      {
        num: FIRST_OWN + 2,
        body: "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/F 4/Rect[50 30 100 60]/MK<</BG[0 1 0]>>/DA(/Helv 8 Tf 0 g)/V()>>",
      },
      // Hidden.
      {
        num: FIRST_OWN + 3,
        body: `<</Type/Annot/Subtype/Square/F 2/Rect[50 0 100 30]/AP<</N ${FIRST_OWN} 0 R>>>>`,
      },
    ];
    const annotations = [1, 2, 3].map((index) => `${FIRST_OWN + index} 0 R`).join(" ");
    const picture = await drawn(
      { content: "", entries: `/Annots[${annotations}]` },
      {
        objects,
        catalog: `/AcroForm<</Fields[${FIRST_OWN + 2} 0 R]/NeedAppearances true/DA(/Helv 8 Tf 0 g)/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`,
      },
    );
    expect(quartersOf(picture)).toEqual([WHITE, LIME, RED, WHITE]);
  });

  test("layers as they are by default", async () => {
    const layered = (name: string, content: string) => `/OC/${name} BDC\n${content}EMC\n`;
    const [on, off] = [FIRST_OWN, FIRST_OWN + 1];
    const picture = await drawn(
      {
        content: layered("On", fill("1 0 0", 0, 0, 50, 60)) + layered("Off", fill("0 0 1", 50, 0, 50, 60)),
        resources: `/Properties<</On ${on} 0 R/Off ${off} 0 R>>`,
      },
      {
        objects: [
          { num: on, body: "<</Type/OCG/Name(on)>>" },
          { num: off, body: "<</Type/OCG/Name(off)>>" },
        ],
        catalog: `/OCProperties<</OCGs[${on} 0 R ${off} 0 R]/D<</OFF[${off} 0 R]>>>>`,
      },
    );
    expect([pixel(picture, 20, 30), pixel(picture, 70, 30)]).toEqual([RED, WHITE]);
  });

  test("transparency", async () => {
    const [group, half] = [FIRST_OWN, FIRST_OWN + 1];
    const picture = await drawn(
      {
        content: `${fill("1 0 0", 0, 0, 50, 60)}/Half gs /Group Do`,
        resources: `/XObject<</Group ${group} 0 R>>/ExtGState<</Half ${half} 0 R>>`,
      },
      {
        objects: [
          {
            num: group,
            body: "<</Type/XObject/Subtype/Form/BBox[0 0 100 60]/Group<</S/Transparency/CS/DeviceRGB>>>>",
            // One over the other: in a group, the lower one does not shine through.
            stream: fill("0 1 0", 0, 0, 100, 60) + fill("0 0 1", 0, 0, 100, 60),
          },
          { num: half, body: "<</Type/ExtGState/ca .5>>" },
        ],
      },
    );
    const close = (value: number) => (Math.abs(value - 127) <= 1 ? 127 : value);
    expect(pixel(picture, 20, 30).map(close)).toEqual([127, 0, 127, 255]);
    expect(pixel(picture, 70, 30).map(close)).toEqual([127, 127, 255, 255]);
  });

  test("text in the fonts that every reader has", async () => {
    const fonts = [
      "Helvetica",
      "Times-Roman",
      "Courier-Bold",
      "Symbol",
      "ZapfDingbats",
      "ArialMT",
      "Calibri",
    ];
    for (const font of fonts) {
      const picture = await drawn({
        content: "BT /F1 60 Tf 5 10 Td (HMW) Tj ET",
        resources: `/Font<</F1<</Type/Font/Subtype/${font === "Calibri" ? "TrueType" : "Type1"}/BaseFont/${font}>>>>`,
      });
      const dark = picture.data.filter((value, at) => at % 4 === 0 && value < 128).length;
      expect(dark, font).toBeGreaterThan(300);
    }
  });
});

describe("text in fonts that the file does not hold", () => {
  /** A composite font of one of Adobe's character collections. */
  const composite = (baseFont: string, ordering: string, encoding: string): PlainObject[] => [
    {
      num: FIRST_OWN,
      body: `<</Type/Font/Subtype/Type0/BaseFont/${baseFont}/Encoding/${encoding}/DescendantFonts[${FIRST_OWN + 1} 0 R]>>`,
    },
    {
      num: FIRST_OWN + 1,
      body: `<</Type/Font/Subtype/CIDFontType0/BaseFont/${baseFont}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor ${FIRST_OWN + 2} 0 R>>`,
    },
    {
      num: FIRST_OWN + 2,
      body: `<</Type/FontDescriptor/FontName/${baseFont}/Flags 6/StemV 80/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 700/FontBBox[0 -120 1000 880]>>`,
    },
  ];
  const cyrillic: PlainObject[] = [
    {
      num: FIRST_OWN,
      body: "<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[65/afii10047/afii10046]>>>>",
    },
  ];
  const LANGUAGES = [
    ["Japanese", composite("Ryumin-Light", "Japan1", "UniJIS-UCS2-H"), "<65E5672C>", "Ryumin-Light"],
    ["Korean", composite("HYSMyeongJo-Medium", "Korea1", "UniKS-UCS2-H"), "<D55CAD6D>", "HYSMyeongJo"],
    ["simplified Chinese", composite("STSong-Light", "GB1", "UniGB-UCS2-H"), "<4E2D6587>", "STSong"],
    ["traditional Chinese", composite("MSung-Light", "CNS1", "UniCNS-UCS2-H"), "<4E2D6587>", "MSung"],
    ["Cyrillic", cyrillic, "(AB)", "Arial"],
  ] as const;

  const page = (text: string) => ({
    content: `BT /F1 40 Tf 10 15 Td ${text} Tj ET`,
    resources: `/Font<</F1 ${FIRST_OWN} 0 R>>`,
  });
  const inkOf = ({ data }: ImageData) => data.filter((value, at) => at % 4 === 0 && value < 128).length;

  const withFonts = createClient({ fontUrl: "/fonts/", maxWorkers: 1 });
  const withNone = createClient({ fontUrl: new URL("/nowhere", location.href), maxWorkers: 2 });

  async function draw(objects: readonly PlainObject[], pages: readonly DrawnPage[], client: Client) {
    const missing: string[] = [];
    const result = await client.convert(
      { file: new File([drawnPdf(pages, { objects })], "a.pdf"), output_format: "png", dpi: 72 },
      { onProgress: ({ missingFonts }) => missing.push(...(missingFonts ?? [])) },
    );
    return { made: await blobOf(result), missing };
  }

  test.each(LANGUAGES)("%s is drawn by a font of the app", async (_, objects, text) => {
    const { made, missing } = await draw(objects, [page(text)], withFonts);
    expect(inkOf(await shown(made))).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });

  test.each(LANGUAGES)("%s without one is told", async (_, objects, text, name) => {
    const { made, missing } = await draw(objects, [page(text)], withNone);
    expect(inkOf(await shown(made))).toBe(0);
    expect(missing).toEqual([expect.stringContaining(name)]);
  });

  test("is told once for all pages", async () => {
    const [, objects, text] = LANGUAGES[0];
    const { missing } = await draw(
      objects,
      Array.from({ length: 6 }, () => page(text)),
      withNone,
    );
    expect(missing).toHaveLength(1);
  });

  test("Latin needs nothing", async () => {
    const { made, missing } = await draw(cyrillic, [page("(HHH)")], withNone);
    expect(inkOf(await shown(made))).toBeGreaterThan(150);
    expect(missing).toEqual([]);
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

  test("open by their password", async () => {
    const picture = await shown(await convert(await locked(), "png", { password: "Zürich 湖" }));
    expect(quartersOf(picture)).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("and else do not", async () => {
    const file = await locked();
    await expect(convert(file, "png")).rejects.toMatchObject({ code: "password_required" });
    await expect(convert(file, "png", { password: "no" })).rejects.toMatchObject({ code: "wrong_password" });
  });
});

describe("what goes wrong", () => {
  test("a selection outside the document", async () => {
    await expect(convert(makePdf({ pages: 3 }), "jpg", { pages: "2,4" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { position: 2, page_count: 3 },
    });
  });

  test("a picture that cannot be so small", async () => {
    await expect(convert(drawnPdf([{ content: QUARTERS }]), "jpg", { max_bytes: 10 })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "max_bytes", page: 1 },
    });
    const small = await convert(drawnPdf([{ content: QUARTERS }]), "jpg", { max_bytes: 1500 });
    expect(small.size).toBeLessThanOrEqual(1500);
  });

  test("a damaged file is drawn as far as it is there", async () => {
    const whole = drawnPdf([{ content: QUARTERS }, { content: "" }]);
    const end = new TextDecoder("latin1").decode(whole).indexOf("xref");
    const picture = await shown(await convert(whole.slice(0, end), "png", { pages: "1" }));
    expect(quartersOf(picture)).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("a page that cannot be drawn is named", async () => {
    // Its tree runs in a circle below the second kid, which is counted as one page all the same.
    const circle = pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 100 60]>>" },
      { num: 3, body: "<</Type/Page/Parent 2 0 R>>" },
      { num: 4, body: "<</Type/Pages/Count 1/Parent 2 0 R/Kids[5 0 R]>>" },
      { num: 5, body: "<</Type/Pages/Count 1/Parent 4 0 R/Kids[4 0 R]>>" },
    ]);
    await expect(convert(circle, "png")).rejects.toMatchObject({
      code: "damaged_file",
      message: expect.stringContaining("Page 2 "),
      details: { page: 2 },
    });
    expect(sizeOf(await shown(await convert(circle, "png", { pages: "1", dpi: 72 })))).toEqual([100, 60]);
  });

  test("an aborted job ends, and the next one runs", async () => {
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

  test("a picture that is no more than junk", async () => {
    const junk = new TextEncoder().encode("%PDF-1.7\nnothing of a document");
    await expect(convert(junk, "png")).rejects.toMatchObject({ code: "damaged_file" });
  });
});
