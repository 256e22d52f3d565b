import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { LimitName } from "../../workers/call-budget.ts";
import { runJob } from "../../workers/engines.ts";
import { profileTags } from "../../workers/image/color/icc.ts";
import { neutralProfile } from "../../workers/image/color/neutral-profile.ts";
import { decodeStream } from "../../workers/pdf/file/filters.ts";
import { WorkBudget } from "../../workers/pdf/file/work-budget.ts";
import { PdfDict, PdfName } from "../../workers/pdf/syntax/objects.ts";
import { repairBytes, splitBytes } from "../support/engine.ts";
import { type ItemPlan, ispe, makeHeif } from "../support/fixtures/heif.ts";
import { displayP3, makeProfile } from "../support/fixtures/image/icc.ts";
import { catalogOf, imageOf, type PlainObject, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { picture } from "../support/made-heif.ts";
import { splitTexts } from "../support/made-texts.ts";
import { CountingReader, ReadableBlob } from "../support/readable-blob.ts";

// The table of limits in SECURITY.md: what is at the limit works, what is above it fails or is left out.
// Others test the rest: work-budget.test.ts, bounded-work.alone.test.ts and split-leaks.test.ts the work and the content,
// decoding-cost.test.ts the scans, image-fields.test.ts the sides, pdfium.test.ts the time, remote-trust.test.ts the
// service.

const MB = 1024 * 1024;
const DAMAGED = { code: "damaged_file" };
/** The error at a limit. */
const reached = (limit: LimitName) => ({
  code: "input_too_large",
  details: expect.objectContaining({ limit }),
});

/** Objects from 10 on, each of which is made of the number of the next one; the last one of 0. */
function chain(length: number, body: (next: number, index: number) => string): PlainObject[] {
  return Array.from({ length }, (_, index) => ({
    num: 10 + index,
    body: body(index + 1 < length ? 11 + index : 0, index),
  }));
}

describe("nesting", () => {
  test("of objects: 500", async () => {
    const nested = (depth: number) =>
      pdfOf([
        ...catalogOf("3 0 R", `/Unknown 9 0 R`),
        pageOf(3),
        { num: 9, body: "[".repeat(depth) + "]".repeat(depth) },
      ]);
    expect((await repairBytes(nested(500))).length).toBeGreaterThan(500);
    await expect(repairBytes(nested(501))).rejects.toMatchObject(DAMAGED);
  });

  test("of page trees: 256", async () => {
    // The root is the first of them.
    const nested = (depth: number) =>
      pdfOf([
        ...catalogOf("10 0 R"),
        ...chain(depth - 1, (next, index) => {
          return `<</Type/Pages/Count 1/Parent ${index === 0 ? 2 : 9 + index} 0 R/Kids[${next || 3} 0 R]>>`;
        }),
        { num: 3, body: `<</Type/Page/Parent ${8 + depth} 0 R/MediaBox[0 0 9 9]>>` },
      ]);
    expect(await splitBytes(nested(256), { pages: "1" })).toHaveLength(1);
    await expect(splitBytes(nested(257), { pages: "1" })).rejects.toMatchObject(reached("page_tree_depth"));
  });

  test("of outlines: 64 levels, deeper ones are left out", async () => {
    const items = chain(70, (next, index) => {
      const below = next === 0 ? "" : `/First ${next} 0 R/Last ${next} 0 R/Count 1`;
      return `<</Title(level ${index + 1}.)/Parent ${index === 0 ? 9 : 9 + index} 0 R/Dest[3 0 R/Fit]${below}>>`;
    });
    const root = { num: 9, body: "<</First 10 0 R/Last 10 0 R/Count 1>>" };
    const [text = ""] = await splitTexts(
      pdfOf([...catalogOf("3 0 R", "/Outlines 9 0 R"), pageOf(3), root, ...items]),
    );
    expect(text).toContain("(level 64.)");
    expect(text).not.toContain("(level 65.)");
  });
});

describe("a document", () => {
  test("may list pages again 10,000 times", async () => {
    const listing = (count: number) => pdfOf([...catalogOf("3 0 R ".repeat(count)), pageOf(3)]);
    expect(await splitBytes(listing(10_001), { pages: "1" })).toHaveLength(1);
    await expect(splitBytes(listing(10_002), { pages: "1" })).rejects.toMatchObject(
      reached("repeated_pages"),
    );
  });
});

describe("the content of a page", () => {
  test("may have 6 filters", async () => {
    const filtered = (filters: number) => {
      let data = "/Own Do";
      for (let layer = 0; layer < filters; layer++) data = `${Buffer.from(data, "latin1").toString("hex")}>`;
      const page = pageOf(3, "/Contents 5 0 R/Resources<</XObject<</Own 6 0 R/Other 7 0 R>>>>");
      const contents = { num: 5, body: `<</Filter[${"/ASCIIHexDecode".repeat(filters)}]>>`, stream: data };
      return pdfOf([...catalogOf("3 0 R"), page, contents, imageOf(6, "NEEDED"), imageOf(7, "SECRET")]);
    };
    const [text = ""] = await splitTexts(filtered(6));
    expect([text.includes("NEEDED"), text.includes("SECRET")]).toEqual([true, false]);
    await expect(splitBytes(filtered(7), { pages: "1" })).rejects.toMatchObject({ details: { page: 1 } });
  });
});

test("a stream of structure may have 128 MB", () => {
  const dict = PdfDict.from([["Filter", PdfName.of("FlateDecode")]]);
  const unpacked = (bytes: number) =>
    decodeStream(deflateSync(new Uint8Array(bytes)), dict, { charge: () => {} });
  expect(() => unpacked(128 * MB + 1)).toThrow("more than 128 MB");
});

test("a page tree may have a million pages", async () => {
  // A longer file may cause more work, so that the pages are the limit.
  const length = { num: 9, body: "<<>>", stream: "x".repeat(8 * MB) };
  const pages = pdfOf([...catalogOf("<<>>".repeat(1_000_001)), length]);
  await expect(splitBytes(pages, { pages: "1" })).rejects.toMatchObject({
    ...reached("pages"),
    message: expect.stringContaining("more than 1000000 pages"),
  });
});

describe("a color profile", () => {
  const KIND = { kind: "mntrRGB XYZ ", version: 4 } as const;
  const colors = [...(profileTags(displayP3()) ?? [])].filter(([name]) => /^[rgb](XYZ|TRC)$/.test(name));
  /** A profile of so many tags. Description, copyright and white are three of them. */
  const profileOf = (tags: number, bytes = 4) => {
    const fillers = Array.from({ length: tags - colors.length - 3 }, (_, index) => {
      return [`t${index + 100}`, new Uint8Array(bytes)] as const;
    });
    return makeProfile(KIND, [...colors, ...fillers]);
  };

  test("may have 100 tags, and is dropped with more", () => {
    expect(neutralProfile(profileOf(100))).toEqual(neutralProfile(profileOf(10)));
    expect(neutralProfile(profileOf(100))).toBeDefined();
    expect(neutralProfile(profileOf(101))).toBeUndefined();
  });

  test("may have 16 MB, and is dropped with more", () => {
    expect(neutralProfile(profileOf(10, 15_990_000))).toBeDefined();
    expect(neutralProfile(profileOf(10, 16_000_000))).toBeUndefined();
  });
});

describe("all pictures of a call", () => {
  /** A HEIC with one small picture, and with damaged pictures of 16,384 by 16,384 pixels. */
  const heicOf = (pictures: number) => {
    const large = Array.from({ length: pictures }, (_, index): ItemPlan => {
      return { id: index + 2, type: "av01", properties: [ispe(16_384, 16_384)] };
    });
    return new ReadableBlob(makeHeif({ items: [picture(1, ispe(8, 8)), ...large] }));
  };
  const host = { reader: new CountingReader(), helpers: 0 };
  const pages = "2-";
  const inputsOf = (...files: readonly Blob[]) =>
    files.map((file, index) => ({ file, name: `${index}`, format: "heic" as const, pages }));
  const refusalOf = (...files: readonly Blob[]) => {
    const inputBytes = files.reduce((sum, { size }) => sum + size, 0);
    const numbers = { pixels: 2 * 16_384 ** 2, largest_pixels: 5e8 + 1000 * inputBytes };
    return { code: "input_too_large", details: expect.objectContaining({ limit: "pixels", ...numbers }) };
  };

  test.each(["png", "jpg"] as const)("are refused before the first is decoded: to %s", async (to) => {
    const file = heicOf(2);
    const job = { engine: "image/convert", file, from: "heic", to, name: "a", pages } as const;
    await expect(runJob(job, host)).rejects.toMatchObject(refusalOf(file));
  });

  test.each([
    [2, 0],
    [1, 1],
  ])("count together over the files of a PDF: %i and %i", async (first, second) => {
    const [file, other] = [heicOf(first), heicOf(second)];
    const inputs = second === 0 ? inputsOf(file) : inputsOf(file, other);
    const job = { engine: "image/to-pdf", file, inputs, pages } as const;
    await expect(runJob(job, host)).rejects.toMatchObject(refusalOf(...inputs.map((input) => input.file)));
  });

  test("have the budget of all images of a merge", async () => {
    const [file, other] = [heicOf(2), heicOf(1)];
    const job = { engine: "pdf/merge", file, inputs: inputsOf(file, other) } as const;
    await expect(runJob(job, host)).rejects.toMatchObject(refusalOf(file, other));
  });
});

describe("the work on a PDF", () => {
  test("is charged 64 units for an entry that is kept, and half a unit for a byte that is written", () => {
    const budget = new WorkBudget(0);
    budget.charge("keptEntry", (48 * MB) / 64 - 1);
    budget.charge("writtenByte", 128);
    expect(() => budget.charge("writtenByte", 1)).toThrow(expect.objectContaining(reached("parser_work")));
  });

  test("of a split is up to three times the limit, a sixteenth more for each file", () => {
    const budget = new WorkBudget(0);
    const whole = 48 * MB;
    budget.charge("byte", whole);
    for (let file = 0; file < 32; file++) {
      budget.replenish();
      budget.charge("byte", whole / 16);
    }
    budget.replenish();
    expect(() => budget.charge("byte")).toThrow(expect.objectContaining(reached("parser_work")));
  });

  test("counts object streams, up to 32 times the length of the file, when they are unpacked", () => {
    const budget = new WorkBudget(MB);
    budget.unpacked(100 * MB);
    budget.charge("byte", (48 + 12 + 12 * 32) * MB);
    expect(() => budget.charge("byte")).toThrow(expect.objectContaining(reached("parser_work")));
  });

  test("gives 8 bytes of content for each byte of the file", () => {
    const budget = new WorkBudget(MB);
    budget.content.charge("byte", (64 + 8) * MB);
    // Each further byte costs four units.
    budget.content.charge("byte", ((48 + 12) / 4) * MB);
    expect(() => budget.content.charge("byte")).toThrow(expect.objectContaining(reached("content_work")));
  });
});
