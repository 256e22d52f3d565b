import { describe, expect, test } from "vitest";
import { plainAvif, readAvif } from "../../../../../../workers/image/formats/avif/read-avif.ts";
import { auxC, clap, imir, irot, ispe, makeHeif, text } from "../../../../../support/fixtures/heif.ts";
import { picture } from "../../../../../support/made-heif.ts";

test.each([
  ["urn:mpeg:hevc:2015:auxid:1", true],
  ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", true],
  ["urn:mpeg:hevc:2015:auxid:2", false],
])("an AVIF with %s: has alpha is %s", async (type, hasAlpha) => {
  const items = [picture(1, ispe(4, 4)), picture(2, ispe(4, 4), auxC(type))];
  const avif = makeHeif({
    primary: 1,
    items: items.map((item) => ({ ...item, type: "av01" })),
    references: [{ type: "auxl", from: 2, to: [1] }],
  });
  expect(await readAvif(new Blob([avif]))).toMatchObject({ hasAlpha });
});

describe("an AVIF with transformative properties", () => {
  const avifOf = (...properties: Uint8Array[]) =>
    makeHeif({ primary: 1, items: [{ id: 1, type: "av01", properties, essential: properties.slice(1) }] });
  const crop = clap(4, 1, 2, 1, 0, 1, 0, 1);

  test.each([
    [[irot(1)], 8, { width: 6, height: 10 }],
    [[irot(2)], 3, { width: 10, height: 6 }],
    [[irot(3)], 6, { width: 6, height: 10 }],
    [[imir(0)], 4, {}],
    [[imir(1)], 2, {}],
    [[irot(1), imir(1)], 7, {}],
    [[imir(1), irot(1)], 5, {}],
    [[irot(1), imir(0)], 5, {}],
    [[imir(0), imir(1)], 3, {}],
    [[irot(3), imir(1), irot(3), imir(1)], 1, {}],
    [[crop, irot(1)], 8, { left: 2, top: 3, width: 2, height: 4 }],
    [[irot(1), crop], 8, { left: 1, top: 4, width: 4, height: 2 }],
  ] as const)("applies its properties in order, case %#", async (transforms, orientation, shown) => {
    const { transformed } = await readAvif(new Blob([avifOf(ispe(10, 6), ...transforms)]));
    expect(transformed).toMatchObject({ orientation, shown });
  });

  test("is passed to browsers without these properties", async () => {
    const bytes = avifOf(ispe(10, 6), irot(1), crop);
    const { transformed } = await readAvif(new Blob([bytes]));
    if (transformed === undefined) throw new Error("no transforms");
    const file = new Blob([bytes]);
    const plain = new Uint8Array(await (await plainAvif(file, transformed)).arrayBuffer());
    const changed = [...bytes.keys()].filter((at) => plain[at] !== bytes[at]);
    expect(plain).toHaveLength(bytes.length);
    expect(changed.map((at) => [bytes[at], plain[at]])).toEqual([
      [0x82, 0],
      [0x83, 0],
    ]);
    const again = await readAvif(new Blob([plain]));
    expect(again).toMatchObject({ width: 10, height: 6, transformed: undefined });
  });

  test("is damaged_file with an empty crop or a zero denominator", async () => {
    for (const wrong of [clap(4, 1, 2, 1, 90, 1, 0, 1), clap(4, 0, 2, 1, 0, 1, 0, 1)])
      await expect(readAvif(new Blob([avifOf(ispe(10, 6), wrong)]))).rejects.toMatchObject({
        code: "damaged_file",
        message: expect.stringContaining("AVIF"),
      });
  });

  test("leaves a sequence to the browser", async () => {
    const bytes = avifOf(ispe(10, 6), irot(1));
    bytes.set(text("avis"), 8);
    expect(await readAvif(new Blob([bytes]))).toMatchObject({ transformed: undefined });
  });
});
