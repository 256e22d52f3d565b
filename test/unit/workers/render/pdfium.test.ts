import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { TimeLimit } from "../../../../src/shared/active-time.ts";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { BlobSource } from "../../../../workers/io/blob-source.ts";
import { bufferSource } from "../../../../workers/io/source.ts";
import { type JobContext, jobContext } from "../../../../workers/job-context.ts";
import { latin1Bytes } from "../../../../workers/pdf/syntax/characters.ts";
import { drawPage, WHITE } from "../../../../workers/render/draw-page.ts";
import { EngineFailure, type EngineUse, PdfiumEngine } from "../../../../workers/render/engine.ts";
import { OpenPdf } from "../../../../workers/render/open-pdf.ts";
import { HangGuard, tooSlow } from "../../../../workers/render/page-failures.ts";
import { planRendering } from "../../../../workers/render/rendering-plan.ts";
import { WatchedPdf } from "../../../../workers/render/watched-pdf.ts";
import { drawnPdf, FIRST_OWN, fill, QUARTERS } from "../../../support/fixtures/drawn-pdf.ts";
import { metadataPdf, nestedFormsPdf, repeatedPagePdf } from "../../../support/fixtures/hostile-drawing.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../support/fixtures/pdf-objects.ts";
import { CountingReader, ReadableBlob } from "../../../support/readable-blob.ts";

const WASM = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
vi.mock("../../../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async () => WebAssembly.compile(await readFile(WASM)),
}));

const SIZE = { width: 100, height: 60 };
const MINUTE = 60_000;

let engine: PdfiumEngine;
let use: EngineUse;
beforeEach(async () => {
  use = { file: new Blob(), mostMemory: 2 ** 31 };
  engine = await PdfiumEngine.take(use);
  return () => engine.leave();
});

function open(bytes: Uint8Array<ArrayBuffer>, password = ""): OpenPdf {
  const pdf = OpenPdf.open(engine, bufferSource(bytes), password);
  if (pdf === undefined) throw new Error("PDFium does not open it");
  return pdf;
}

/** Draws the first page of a document. Returns the values of a pixel at a place. */
function drawFirst(pdf: OpenPdf, paper = WHITE): (x: number, y: number) => number[] {
  const drawn = drawPage(pdf, 0, SIZE, paper, new TimeLimit(MINUTE));
  pdf.close();
  if (drawn.kind !== "drawn") throw new Error(drawn.kind);
  return (x, y) => [...drawn.pixels.subarray(4 * (y * SIZE.width + x)).subarray(0, 4)];
}

describe("a document in PDFium", () => {
  test("is drawn as RGBA", () => {
    const pixelAt = drawFirst(open(drawnPdf([{ content: QUARTERS }])));
    expect(pixelAt(25, 15)).toEqual([0, 0, 255, 255]);
    expect(pixelAt(25, 45)).toEqual([255, 0, 0, 255]);
  });

  test("is drawn on the given paper", () => {
    const pixelAt = drawFirst(open(drawnPdf([{ content: "" }])), [10, 20, 30, 255]);
    expect(pixelAt(3, 3)).toEqual([10, 20, 30, 255]);
  });

  test("is read in parts", async () => {
    const bytes = makePdf({ pages: 40, ballastPerPage: 1_000_000 });
    const before = engine.memoryBytes;
    const reader = new CountingReader();
    const pdf = OpenPdf.open(engine, new BlobSource(new ReadableBlob(bytes), reader), "");
    expect(pdf?.pageCount).toBe(40);
    if (pdf !== undefined) drawPage(pdf, 20, SIZE, WHITE, new TimeLimit(MINUTE));
    expect(reader.bytesRead).toBeLessThan(bytes.length / 4);
    expect(engine.memoryBytes - before).toBeLessThan(bytes.length / 4);
    pdf?.close();
  });

  test("is refused if opening it leaves little memory for its pages", async () => {
    const bytes = metadataPdf(16);
    open(bytes).close();
    const mostMemory = 1.1 * engine.memoryBytes;
    const small = await PdfiumEngine.take({ file: new Blob(), mostMemory });
    expect(() => OpenPdf.open(small, bufferSource(bytes), "")).toThrow(
      expect.objectContaining({ code: "input_too_large" }),
    );
  });

  test("is undefined if PDFium cannot open it", () => {
    const junk = new TextEncoder().encode("%PDF-1.7 junk");
    expect(OpenPdf.open(engine, bufferSource(junk), "")).toBeUndefined();
  });

  test("has no size and no pixels for a missing page", () => {
    const pdf = open(drawnPdf([{ content: "" }]));
    expect(pdf.pageSize(4)).toBeUndefined();
    expect(drawPage(pdf, 4, SIZE, WHITE, new TimeLimit(MINUTE))).toEqual({ kind: "no page" });
    pdf.close();
  });

  test.each(["[200 200 300 300]", "[-50 10 0 40]"])("ignores the crop box %s outside the page", (box) => {
    const pdf = open(drawnPdf([{ content: QUARTERS, entries: `/CropBox${box}` }]));
    expect(pdf.pageSize(0)).toEqual(SIZE);
    pdf.close();
    const other = open(drawnPdf([{ content: QUARTERS, entries: `/CropBox${box}` }]));
    expect(drawFirst(other)(25, 45)).toEqual([255, 0, 0, 255]);
  });

  test("hides annotations by their indices", () => {
    const stamp = (num: number, rect: string): PlainObject => ({
      num,
      body: `<</Type/Annot/Subtype/Stamp/F 4/Rect[${rect}]/AP<</N ${FIRST_OWN} 0 R>>>>`,
    });
    const pdf = open(
      drawnPdf([{ content: "", entries: `/Annots[null ${FIRST_OWN + 1} 0 R ${FIRST_OWN + 2} 0 R]` }], {
        objects: [
          {
            num: FIRST_OWN,
            body: "<</Type/XObject/Subtype/Form/BBox[0 0 50 60]>>",
            stream: fill("1 0 0", 0, 0, 50, 60),
          },
          stamp(FIRST_OWN + 1, "0 0 50 60"),
          stamp(FIRST_OWN + 2, "50 0 100 60"),
        ],
      }),
    );
    pdf.hideAnnotations(0, [0, 2, 3]);
    const pixelAt = drawFirst(pdf);
    expect(pixelAt(25, 30)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(75, 30)).toEqual([255, 255, 255, 255]);
  });

  test("gives up a page after its time limit, and draws the next one", () => {
    const endless = fill("1 0 0", 0, 0, 100, 60).repeat(5000);
    const pdf = open(drawnPdf([{ content: endless }, { content: QUARTERS }]));
    expect(drawPage(pdf, 0, SIZE, WHITE, new TimeLimit(-1))).toEqual({ kind: "too slow" });
    expect(drawPage(pdf, 1, SIZE, WHITE, new TimeLimit(MINUTE)).kind).toBe("drawn");
    pdf.close();
  });

  test("does not count time in which the device sleeps", () => {
    const pdf = open(drawnPdf([{ content: fill("1 0 0", 0, 0, 100, 60).repeat(5000) }]));
    let now = 0;
    const clock = vi.spyOn(performance, "now");
    onTestFinished(() => clock.mockRestore());
    // A look at the clock takes a second, and one of them comes after a night.
    let looks = 0;
    const night = 10 * 3_600_000;
    clock.mockImplementation(() => (now += ++looks === 5 ? night : 1000));
    expect(drawPage(pdf, 0, SIZE, WHITE, new TimeLimit(10 * MINUTE)).kind).toBe("drawn");
    expect(now).toBeGreaterThan(night);
    expect(drawPage(pdf, 0, SIZE, WHITE, new TimeLimit(10_000))).toEqual({ kind: "too slow" });
    pdf.close();
  });

  test("throws the error of a failed read", () => {
    const gone = new ServiceError("damaged_file", "The file cannot be read any more.");
    const bytes = drawnPdf([{ content: QUARTERS }]);
    let isGone = false;
    const source = {
      size: bytes.length,
      read(start: number, end: number) {
        if (isGone) throw gone;
        return bytes.subarray(start, end);
      },
    };
    const pdf = OpenPdf.open(engine, source, "");
    if (pdf === undefined) throw new Error("PDFium does not open it");
    isGone = true;
    expect(() => drawPage(pdf, 0, SIZE, WHITE, new TimeLimit(MINUTE))).toThrow(gone);
  });

  test("does not use an engine again after a trap", async () => {
    expect(() => engine.call((api) => api.FPDF_GetPageCount(0x7ffffff0))).toThrow(EngineFailure);
    expect(engine.isBroken).toBe(true);
    expect(() => engine.call((api) => api.FPDF_GetPageCount(0))).toThrow(EngineFailure);
    engine.leave();
    const next = await PdfiumEngine.take(use);
    expect(next).not.toBe(engine);
    engine = next;
    expect(open(drawnPdf([{ content: "" }])).pageCount).toBe(1);
  });

  test("uses an engine again for the same document only", async () => {
    engine.leave();
    expect(await PdfiumEngine.take(use)).toBe(engine);
    engine.leave();
    const other = await PdfiumEngine.take({ ...use, file: new Blob() });
    expect(other).not.toBe(engine);
    engine.abandon();
    engine.leave();
    expect(await PdfiumEngine.take(use)).not.toBe(engine);
  });

  test("draws a picture in strips if it is larger than the buffer for it", () => {
    const pdf = open(drawnPdf([{ content: QUARTERS }]));
    const size = { width: 16_000, height: 4400 };
    const drawn = drawPage(pdf, 0, size, WHITE, new TimeLimit(MINUTE));
    if (drawn.kind !== "drawn") throw new Error(drawn.kind);
    const pixelAt = (x: number, y: number) => {
      const at = 4 * (y * size.width + x);
      return [...drawn.pixels.subarray(at, at + 4)];
    };
    expect(pixelAt(10, 10)).toEqual([0, 0, 255, 255]);
    expect(pixelAt(15_990, 4390)).toEqual([0, 255, 0, 255]);
    expect(engine.memoryBytes).toBeLessThan(4 * size.width * size.height);
    pdf.close();
  });

  describe("with a limit of memory", () => {
    const LIMIT = 64 * 2 ** 20;
    const refusal = expect.objectContaining({
      code: "input_too_large",
      details: { limit: "memory_bytes", largest_memory_bytes: LIMIT },
    });
    beforeEach(async () => {
      engine = await PdfiumEngine.take({ file: new Blob(), mostMemory: LIMIT });
    });

    test("is input_too_large above it, and the next engine draws", async () => {
      expect(() => engine.allocate(LIMIT)).toThrow(refusal);
      expect(engine.memoryBytes).toBeLessThan(LIMIT);
      engine = await PdfiumEngine.take({ file: new Blob(), mostMemory: LIMIT });
      expect(drawFirst(open(drawnPdf([{ content: QUARTERS }])))(25, 15)).toEqual([0, 0, 255, 255]);
    });

    test("is input_too_large for forms that draw each other very often", async () => {
      const document = new WatchedPdf(
        { file: new ReadableBlob(nestedFormsPdf()), password: "" },
        new CountingReader(),
        {
          work: "draw",
          watch: { enter: () => {}, leave: () => {}, withdraw: () => {} },
          mostMemory: LIMIT,
        },
      );
      const draw = (pdf: OpenPdf) => drawPage(pdf, 0, SIZE, WHITE, new TimeLimit(MINUTE));
      await expect(document.usePage(7, draw)).rejects.toMatchObject({
        code: "input_too_large",
        details: { limit: "memory_bytes", page: 7 },
      });
      document.close();
    });
  });

  describe("transparent layers", () => {
    const large = { width: 3000, height: 1800 };
    const bytesOfPage = 4 * large.width * large.height;
    const layered = () =>
      drawnPdf(
        [
          {
            content: "/Half gs /Group Do",
            resources: `/XObject<</Group ${FIRST_OWN} 0 R>>/ExtGState<</Half ${FIRST_OWN + 1} 0 R>>`,
          },
        ],
        {
          objects: [
            {
              num: FIRST_OWN,
              body: "<</Type/XObject/Subtype/Form/BBox[0 0 100 60]/Group<</S/Transparency>>>>",
              stream: QUARTERS,
            },
            { num: FIRST_OWN + 1, body: "<</Type/ExtGState/ca .5>>" },
          ],
        },
      );
    /** Fills PDFium's memory but for so many bytes. */
    const leave = (bytes: number) => engine.allocate(2 ** 31 - engine.memoryBytes - bytes);

    test("are drawn in strips if there is no memory for the whole", () => {
      const pdf = open(layered());
      const picture = () => {
        const drawn = drawPage(pdf, 0, large, WHITE, new TimeLimit(MINUTE));
        if (drawn.kind !== "drawn") throw new Error(drawn.kind);
        return Buffer.from(drawn.pixels);
      };
      const whole = picture();
      leave(bytesOfPage / 2);
      expect(picture().equals(whole)).toBe(true);
      pdf.close();
    });

    test("are out_of_memory if there is no memory for a strip", () => {
      const pdf = open(layered());
      engine.pixelBuffer(large.width * large.height);
      leave(bytesOfPage / 32);
      expect(() => drawPage(pdf, 0, large, WHITE, new TimeLimit(MINUTE))).toThrow(
        expect.objectContaining({ code: "out_of_memory" }),
      );
    });
  });

  test("is out_of_memory without memory", () => {
    expect(() => engine.allocate(3_000_000_000)).toThrow(expect.objectContaining({ code: "out_of_memory" }));
  });
});

describe("planRendering", () => {
  const plan = (
    bytes: Uint8Array<ArrayBuffer>,
    pages?: string,
    deadline: JobContext["deadline"] = () => {},
  ) =>
    planRendering(
      jobContext(new ReadableBlob(bytes), { reader: new CountingReader(), helpers: 0, deadline }),
      { pages },
    );

  test("takes the original of a sound file", async () => {
    const bytes = drawnPdf([{ content: "" }, { content: "", entries: "/UserUnit 2" }, { content: "" }]);
    const { file, pageCount, pages } = await plan(bytes, "2-");
    expect([file.size, pageCount]).toEqual([bytes.length, 3]);
    expect(pages).toEqual([
      { number: 2, index: 1, userUnit: 2, hidden: [] },
      { number: 3, index: 2, userUnit: 1, hidden: [] },
    ]);
  });

  test("ignores an invalid UserUnit", async () => {
    const units = ["-2", "0", "/Name", "(2)"];
    const { pages } = await plan(
      drawnPdf(units.map((unit) => ({ content: "", entries: `/UserUnit ${unit}` }))),
    );
    expect(pages.map(({ userUnit }) => userUnit)).toEqual([1, 1, 1, 1]);
  });

  test.each([
    ["counts other pages", "/Count 3", "/Count 1"],
    ["lists a page that is not there", "/Kids[", "/Kids[90 0 R "],
    ["lists a page that is null", "/Kids[", "/Kids[null "],
  ])("writes a new file with the selected pages if the page tree %s", async (_, right, wrong) => {
    const colors = ["1 0 0", "0 1 0", "0 0 1"].map((rgb) => ({ content: fill(rgb, 0, 0, 100, 60) }));
    const text = new TextDecoder("latin1").decode(drawnPdf(colors));
    const { file, pageCount, pages } = await plan(
      new Uint8Array(latin1Bytes(text.replace(right, wrong))),
      "3",
    );
    expect(pageCount).toBe(3);
    expect(pages).toEqual([{ number: 3, index: 0, userUnit: 1, hidden: [] }]);
    const pdf = open(new Uint8Array(await file.arrayBuffer()));
    expect(drawFirst(pdf)(25, 45)).toEqual([0, 0, 255, 255]);
  });

  test.each([
    ["repeated_pages", () => repeatedPagePdf(10_002)],
    [
      "page_tree_depth",
      () =>
        pdfOf([
          ...catalogOf("10 0 R"),
          ...Array.from({ length: 300 }, (_, level) => ({
            num: 10 + level,
            body: `<</Type/Pages/Count 1/Kids[${level < 299 ? 11 + level : 3} 0 R]>>`,
          })),
          pageOf(3),
        ]),
    ],
    ["parser_work", () => pdfOf([...catalogOf("3 0 R"), pageOf(3, `/X[${"[]".repeat(2_000_000)}]`)])],
  ])("ends with the limit %s of our parser, and does not try PDFium", async (limit, input) => {
    const deadline = vi.fn();
    await expect(plan(input(), undefined, deadline)).rejects.toMatchObject({
      code: "input_too_large",
      details: { limit },
    });
    expect(deadline).not.toHaveBeenCalled();
  });

  test.each(["3 0 R", "[3 0 R 3 0 R]"])("sets a deadline while PDFium reads the page tree", async (kids) => {
    const deadlines: boolean[] = [];
    // A tree that runs in a circle is for PDFium to try.
    const circle = pdfOf([...catalogOf(kids), { num: 3, body: `<</Type/Pages/Kids[2 0 R]>>` }]);
    for (const bytes of [drawnPdf([{ content: "" }]), circle]) {
      const watched = plan(bytes, undefined, (deadline) => deadlines.push(deadline !== undefined));
      await watched.catch((thrown) => expect(thrown).toBeInstanceOf(ServiceError));
    }
    expect(deadlines).toEqual([true, false, true, false]);
  });

  test("checks the selection against the pages of the file", async () => {
    await expect(plan(drawnPdf([{ content: "" }]), "2")).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { page_count: 1 },
    });
  });
});

describe("HangGuard", () => {
  test("announces once for pages that take little time, and withdraws before other work", () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const sent: (number | undefined)[] = [];
    const guard = new HangGuard((deadline) => {
      sent.push(deadline && Number(deadline.error.details.page));
    });
    for (let page = 1; page <= 1000; page++) {
      guard.enter(() => tooSlow(page));
      now += 1;
      guard.leave();
    }
    expect(sent.length).toBeLessThan(12);
    expect(sent[0]).toBe(1);
    guard.withdraw();
    expect(sent.at(-1)).toBeUndefined();
    guard.enter(() => tooSlow(1001));
    expect(sent.at(-1)).toBe(1001);
  });
});
