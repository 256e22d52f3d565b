import { createHash } from "node:crypto";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { protectBytes } from "../support/engine.ts";
import {
  catalogOf,
  type PlainObject,
  packedPdfOf,
  pageOf,
  pdfOf,
  streamOf,
  structureOf,
} from "../support/fixtures/pdf-objects.ts";
import { bytesOf, repairedText, splitTexts, textOf, unlockedText } from "../support/made-texts.ts";

describe("a hostile file soon gives a document or an error code", () => {
  const ends = async (input: Uint8Array) => {
    try {
      expect((await splitTexts(input)).length).toBe(1);
    } catch (error) {
      expect(error).toMatchObject({
        name: "ServiceError",
        code: expect.stringMatching(/^(damaged_file|input_too_large)$/),
      });
    }
  };
  const doubling = (body: (own: string) => string) => ({
    num: 8,
    body: `[${body("8 0 R")}${body("8 0 R")}]`,
  });
  const cases: [what: string, objects: PlainObject[]][] = [
    [
      "structure elements that double at every level",
      [
        ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        structureOf(5, "0 [6 0 R]"),
        { num: 6, body: "<</S/P/P 5 0 R/K 8 0 R/Pg 3 0 R>>" },
        doubling((own) => `<</S/P/K ${own}>>`),
      ],
    ],
    [
      "layer groups that double at every level",
      [
        ...catalogOf("3 0 R", "/OCProperties<</OCGs[6 0 R]/D<</Order 8 0 R>>>>"),
        pageOf(3, "/X 6 0 R"),
        { num: 6, body: "<</Type/OCG/Name(x)>>" },
        doubling((own) => `${own} `),
      ],
    ],
    [
      "a name tree that doubles at every level",
      [
        ...catalogOf("3 0 R", "/Names<</Dests<</Kids 8 0 R>>>>"),
        pageOf(3),
        doubling((own) => `<</Kids ${own}>>`),
      ],
    ],
    [
      "metadata full of openings",
      [
        ...catalogOf("3 0 R", "/Metadata 4 0 R"),
        pageOf(3),
        streamOf(4, "<xmp:Thumbnails>".repeat(100_000), "/Type/Metadata/Subtype/XML"),
      ],
    ],
    [
      "an object that nests too deep, asked for again and again",
      [
        ...catalogOf("3 0 R"),
        pageOf(3, `/X[${"4 0 R ".repeat(20_000)}]`),
        { num: 4, body: `[${"1 ".repeat(100_000)}${"[".repeat(600)}` },
      ],
    ],
    [
      "a name of ten million characters",
      [...catalogOf("3 0 R"), pageOf(3, "/Contents 4 0 R/Resources<<>>"), streamOf(4, `/${"A".repeat(1e7)}`)],
    ],
    [
      "three million dictionaries",
      [...catalogOf("3 0 R"), pageOf(3, "/X 4 0 R"), { num: 4, body: `[${"<<>>".repeat(3e6)}]` }],
    ],
    [
      "one page listed half a million times",
      [
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        { num: 2, body: `<</Kids[${"3 0 R ".repeat(500_000)}]>>` },
        pageOf(3),
      ],
    ],
    [
      "two hundred thousand structure parents",
      [
        ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(
          3,
          `/StructParents 0/X[${Array.from({ length: 200_000 }, (_, key) => `<</StructParent ${key}>>`).join("")}]`,
        ),
        structureOf(5, "0 [6 0 R]"),
        { num: 6, body: `<</S/P/P 5 0 R/K 0/Pg 3 0 R/ID(${"x".repeat(200_000)})>>` },
      ],
    ],
    [
      "forms nested a thousand deep",
      [
        ...catalogOf("3 0 R"),
        pageOf(3, "/Resources<</XObject<</F 10 0 R>>>>/Contents 4 0 R"),
        { num: 4, body: "<<>>", stream: "/F Do" },
        ...Array.from({ length: 1000 }, (_, level) => ({
          num: 10 + level,
          body: `<</Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</F ${11 + level} 0 R>>>>>>`,
          stream: "/F Do",
        })),
      ],
    ],
  ];
  it.each(cases)("%s", async (_, objects) => {
    await ends(pdfOf(objects));
  });

  it("an object stream that contains its own filter", async () => {
    const table = textOf(
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(3, "/X 4 0 R"),
        { num: 9, body: "<</Type/ObjStm/N 1/First 4/Filter 4 0 R>>", stream: "4 0 /FlateDecode" },
      ]),
    );
    const objects = table.slice(0, table.indexOf("xref\n"));
    const rows = Array.from({ length: 11 }, (_, num) => {
      const offset = num === 10 ? objects.length : objects.indexOf(`\n${num} 0 obj`) + 1;
      const row = num === 4 ? [2, 0, 9, 0] : offset > 0 ? [1, offset >> 8, offset & 255, 0] : [0, 0, 0, 0];
      return String.fromCharCode(...row);
    }).join("");
    const section = `10 0 obj\n<</Type/XRef/Size 11/W[1 2 1]/Root 1 0 R/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
    const file = `${objects}${section}startxref\n${objects.length}\n%%EOF\n`;
    expect(await splitTexts(bytesOf(file))).toHaveLength(1);
  });

  it("a cross-reference stream that lists eight million objects in one object stream", async () => {
    const small = textOf(packedPdfOf([...catalogOf("3 0 R"), pageOf(3)], [{ num: 4, body: "<<>>" }]));
    const start = Number(/startxref\n(\d+)/.exec(small)?.[1]);
    const objects = small.slice(0, start);
    const places = [1, 2, 3, 5].map((num) => [num, objects.indexOf(`\n${num} 0 obj`) + 1] as const);
    const rows = Buffer.alloc(4 * 8_000_000, "02000500", "hex");
    for (const [num, offset] of [[0, 0] as const, ...places])
      rows.writeUInt32BE((1 << 24) + (offset << 8), 4 * num);
    const data = textOf(deflateSync(rows));
    const section = `<</Type/XRef/Size 8000000/W[1 2 1]/Root 1 0 R/Filter/FlateDecode/Length ${data.length}>>`;
    const input = bytesOf(
      `${objects}6 0 obj\n${section}\nstream\n${data}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`,
    );
    expect(input.length).toBeLessThan(50_000);
    const output = await protectBytes(input, { password: "x" });
    expect(textOf(output)).toContain("/Type /ObjStm");
    expect(output.length).toBeLessThan(5000);
  });

  it("decompresses a shared content stream once", async () => {
    const nums = Array.from({ length: 200 }, (_, index) => index + 10);
    const input = pdfOf([
      ...catalogOf(nums.map((num) => `${num} 0 R`).join(" ")),
      streamOf(4, "q Q ".repeat(2e6)),
      ...nums.map((num) => pageOf(num, "/Contents 4 0 R/Resources<<>>")),
    ]);
    expect(await splitTexts(input, "all")).toHaveLength(200);
  });
});

describe("the work limit", () => {
  const tagged = (elements: number) => {
    const nums = Array.from({ length: elements }, (_, index) => index + 20);
    return packedPdfOf(
      [
        ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        { num: 5, body: "<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0 7 0 R]>>>>" },
        { num: 6, body: `<</S/Document/P 5 0 R/K[${nums.map((num) => `${num} 0 R`).join(" ")}]>>` },
        { num: 7, body: `[${nums.map((num) => `${num} 0 R`).join(" ")}]` },
      ],
      nums.map((num, index) => ({ num, body: `<</S/P/P 6 0 R/Pg 3 0 R/A[<</O/Layout>>]/K ${index}>>` })),
    );
  };

  it("allows a tagged document whose object streams are compressed twenty times", async () => {
    const [text = ""] = await splitTexts(tagged(60_000));
    // The elements are packed again.
    expect(text.length).toBeGreaterThan(200_000);
  });

  it("stops a page that is listed many times in each output", async () => {
    const input = packedPdfOf(
      [],
      [
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        { num: 2, body: `<</Kids[${"3 0 R ".repeat(20_000)}]>>` },
        pageOf(3, `/X[${"1 ".repeat(100_000)}]`),
      ],
    );
    await expect(splitTexts(input, "all")).rejects.toMatchObject({ code: "input_too_large" });
  });

  it("allows object streams that are decompressed for each level", async () => {
    const [levels, chains, packed] = [9, 4200, 200];
    const last = 9 + levels * chains;
    const bodyOf = (num: number) => {
      const next = (num - 9) % levels === 0 ? "" : `/Next ${num + 1} 0 R`;
      return `<<${next}/ID(${createHash("md5").update(String(num)).digest("hex")})/Pad/${"x".repeat(400)}>>\n`;
    };
    const objects = [...catalogOf("3 0 R", "/X 4 0 R"), pageOf(3)];
    const heads = Array.from({ length: chains }, (_, chain) => `${10 + chain * levels} 0 R`);
    objects.push({ num: 4, body: `[${heads.join(" ")}]` });
    for (let num = 10; num <= last; num += packed) {
      const bodies = Array.from({ length: Math.min(packed, last + 1 - num) }, (_, index) =>
        bodyOf(num + index),
      );
      let at = 0;
      const heading = bodies.map((body, index) => {
        at += body.length;
        return `${num + index} ${at - body.length} `;
      });
      const first = heading.join("").length;
      const entries = `/Type/ObjStm/N ${bodies.length}/First ${first}`;
      objects.push(streamOf(last + objects.length, [...heading, ...bodies].join(""), entries));
    }
    // Which of them are packed, a scan finds out.
    const text = await repairedText(pdfOf(objects).slice(0, -12));
    expect(text.length).toBeGreaterThan(chains * levels * 16);
  });

  it("allows large width arrays in three thousand files", async () => {
    const widths = `[${Array.from({ length: 6000 }, (_, cid) => `${cid}[${500 + (cid % 400)}]`).join("")}]`;
    const count = 3000;
    const input = pdfOf([
      ...catalogOf(Array.from({ length: count }, (_, index) => `${10 + index} 0 R`).join(" ")),
      ...Array.from({ length: count }, (_, index) =>
        pageOf(10 + index, "/Resources<</Font<</F 3 0 R>>>>/Contents 5 0 R"),
      ),
      { num: 3, body: "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[4 0 R]>>" },
      { num: 4, body: `<</Type/Font/Subtype/CIDFontType2/BaseFont/A/W ${widths}>>` },
      { num: 5, body: "<<>>", stream: "BT /F 9 Tf <0001> Tj ET" },
    ]);
    expect(await splitTexts(input, "all")).toHaveLength(count);
  });

  it("allows six thousand pages that share one resource dictionary", async () => {
    const count = 6000;
    const nums = Array.from({ length: count }, (_, index) => 10 + 3 * index);
    const input = pdfOf([
      ...catalogOf(nums.map((num) => `${num} 0 R`).join(" ")),
      { num: 5, body: `<</XObject<<${nums.map((num, index) => `/I${index} ${num + 2} 0 R`).join(" ")}>>>>` },
      ...nums.flatMap((num, index) => [
        pageOf(num, `/Resources 5 0 R/Contents ${num + 1} 0 R`),
        streamOf(num + 1, `q 85 0 0 85 28 700 cm /I${index} Do Q`),
        streamOf(num + 2, "x".repeat(116), "/Type/XObject/Subtype/Image/Width 29/Height 29"),
      ]),
    ]);
    expect(await splitTexts(input, `1-${count}`)).toHaveLength(1);
  });

  it("allows pages with many links", async () => {
    const [pages, links] = [100, 500];
    const pageNums = Array.from({ length: pages }, (_, index) => 3 + index * (links + 1));
    const objects = pageNums.flatMap((page) => {
      const nums = Array.from({ length: links }, (_, index) => page + 1 + index);
      const action = (num: number) => `/A<</S/URI/URI(http://example.com/${num})>>`;
      return [
        pageOf(page, `/Annots[${nums.map((num) => `${num} 0 R`).join(" ")}]`),
        ...nums.map((num) => ({
          num,
          body: `<</Subtype/Link/Border[0 0 0]/C[0 0 1]/Rect[9 9 90 20]${action(num)}>>`,
        })),
      ];
    });
    const input = pdfOf([...catalogOf(pageNums.map((num) => `${num} 0 R`).join(" ")), ...objects]);
    const [text = ""] = await splitTexts(input, "1-");
    expect(text.match(/\/URI ?\(/g)).toHaveLength(pages * links);
  });

  it("allows several hundred thousand names in one list", async () => {
    const names = Array.from({ length: 250_000 }, (_, index) => `(n${1e6 + index})[3 0 R/Fit]`).join("");
    const objects = [...catalogOf("3 0 R", "/Names<</Dests 5 0 R>>"), pageOf(3)];
    const text = await repairedText(pdfOf([...objects, { num: 5, body: `<</Names[${names}]>>` }]));
    expect(text).toContain("(n1249999)");
  });

  it("stops repeated decompression of a damaged stream", async () => {
    const nums = Array.from({ length: 200 }, (_, index) => 2 * index + 10);
    const body = deflateRawSync(Buffer.alloc(7_900_000), { finishFlush: constants.Z_SYNC_FLUSH });
    const input = pdfOf([
      ...catalogOf(nums.map((num) => `${num} 0 R`).join(" ")),
      { num: 4, body: "<</Filter/FlateDecode>>", stream: `\x78\x9c${textOf(body)}\x07\x07` },
      ...nums.flatMap((num) => [
        pageOf(num, `/Contents[4 0 R ${num + 1} 0 R]/Resources<</Font<</F 1 0 R>>>>`),
        { num: num + 1, body: "<<>>", stream: "q" },
      ]),
    ]);
    await expect(splitTexts(input, "1-")).rejects.toMatchObject({ code: "input_too_large" });
  });

  it("stops repeated work for many outputs", async () => {
    const nums = Array.from({ length: 500 }, (_, index) => index + 10);
    const input = packedPdfOf(
      [
        ...catalogOf(nums.map((num) => `${num} 0 R`).join(" ")),
        ...nums.map((num) => pageOf(num, "/X 5 0 R")),
      ],
      [{ num: 5, body: `[${"6 0 R ".repeat(300_000)}]` }],
    );
    await expect(splitTexts(input, "all")).rejects.toMatchObject({ code: "input_too_large" });
  });
});

describe("a large object", () => {
  const fileWith = (body: string) =>
    pdfOf([...catalogOf("3 0 R", "/X 5 0 R"), pageOf(3, "/X 5 0 R"), { num: 5, body }]);

  it("is copied", async () => {
    const input = fileWith(`[${"(name 100000)[3 0 R/Fit]".repeat(255_000)}(KEPT)]`);
    for (const write of [unlockedText, repairedText]) expect(await write(input)).toContain("KEPT");
  });

  it("returns input_too_large when it is too large", async () => {
    const input = fileWith(`[${"[]".repeat(2_000_000)}(KEPT)]`);
    for (const write of [unlockedText, repairedText, splitTexts]) {
      await expect(write(input)).rejects.toMatchObject({ code: "input_too_large" });
    }
  });
});
