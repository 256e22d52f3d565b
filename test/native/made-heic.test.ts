import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import type { CodedImages } from "../support/fixtures/heic-grid.ts";
import {
  auxC,
  box,
  clap,
  type HeifPlan,
  type ItemPlan,
  irot,
  ispe,
  join,
  makeHeif,
  u8,
  u16,
} from "../support/fixtures/heif.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import { imagesOf } from "../support/fixtures/tiled-heic.ts";
import { largestDifference, type NativePicture, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import type { Decoded } from "./heic-worker.ts";

const missing = announceMissing("HEIC files made for a test", ["heif-enc", "heif-convert", "vips"]);
const ALPHA = "urn:mpeg:hevc:2015:auxid:1";
const SIDE = 64;
/** Of 255. The native libheif is another version, which rounds differently. */
const LARGEST_DIFFERENCE = 12;

/** A coded picture. */
interface Coded {
  readonly coding: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A decoded picture with separate alpha. */
interface Shown extends NativePicture {
  readonly hasAlpha: boolean;
  readonly alpha: Uint8Array;
}

describe.skipIf(missing.length > 0)("HEIC files assembled from coded pictures", () => {
  const scratch = new Scratch();
  let served: ServedClient;
  let page: Page;
  let first: Coded;
  let second: Coded;
  let gray: Coded;

  beforeAll(async () => {
    served = await ServedClient.start();
    page = await served.open("test/native/heic-page.ts");
    first = codedOf(await encoded({ colorType: 2, sample: (x, y) => [x * 3, y * 3, 90] }));
    // Continues the first to the right, because libheif interpolates no chroma at the edge of a tile.
    second = codedOf(await encoded({ colorType: 2, sample: (x, y) => [189 - x * 3, y * 3, 90 + x] }));
    gray = codedOf(await encoded({ colorType: 0, sample: (x) => [255 - x * 3] }));
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  /** Encodes samples by heif-enc. */
  async function encoded(
    { colorType, sample }: Pick<PngPlan, "colorType" | "sample">,
    ...options: string[]
  ): Promise<Uint8Array<ArrayBuffer>> {
    const [source, file] = [scratch.path("source.png"), scratch.path("encoded.heic")];
    writeFileSync(source, makePng({ width: SIDE, height: SIDE, colorType, bitDepth: 8, sample }));
    const { code, stderr } = await runTool("heif-enc", ["-q", "90", ...options, "-o", file, source]);
    expect(code, stderr).toBe(0);
    return new Uint8Array(readFileSync(file));
  }

  function saved(bytes: Uint8Array): string {
    const path = scratch.path("made.heic");
    writeFileSync(path, bytes);
    return path;
  }

  async function decode(file: string, index: number): Promise<Shown | { readonly code: string }> {
    const answer = scratch.path("values");
    writeFileSync(answer, "");
    const options = { index, profile: "keep" } as const;
    const said: Decoded = await page.evaluate(
      ([url, options, answer]) => window.heic.decode(url, options, answer),
      [served.share(file), options, served.share(answer)] as const,
    );
    if ("code" in said) return { code: said.code };
    const { width, height, hasAlpha } = said;
    const values = readFileSync(answer);
    const rgb = values.filter((_, at) => at % 4 !== 3);
    const alpha = values.filter((_, at) => at % 4 === 3);
    return { width, height, hasAlpha, rgb, alpha };
  }

  /** Decodes the picture of a file by native libheif, without a background. */
  async function native(file: string, ending = ""): Promise<NativePicture> {
    const stem = scratch.path("native");
    const { code, stderr } = await runTool("heif-convert", [file, `${stem}.png`]);
    expect(code, stderr).toBe(0);
    const opaque = `${stem}-opaque.png`;
    await runTool("vips", ["extract_band", `${stem}${ending}.png`, opaque, "0", "--n", "3"]);
    return vipsDecodes(opaque, `${stem}-decoded`);
  }

  function expectLike(ours: Shown | { readonly code: string }, wanted: NativePicture): void {
    if ("code" in ours) throw new Error(`it was refused: ${ours.code}`);
    expect(largestDifference(ours, wanted)).toBeLessThan(LARGEST_DIFFERENCE);
  }

  test.each<[string, readonly Uint8Array[]]>([
    ["without a size", []],
    ["with a crop that leaves nothing", [ispe(SIDE, SIDE), clap(8, 1, 8, 1, 500, 1, 0, 1)]],
  ])("a picture %s does not affect the others", async (_, properties) => {
    const wrong = { ...item(2, second), properties: [second.coding, ...properties], essential: properties };
    const file = saved(makeHeif({ primary: 1, items: [item(1, first), wrong, item(3, gray)] }));
    expectLike(await decode(file, 0), await native(saved(makeHeif({ primary: 1, items: [item(1, first)] }))));
    expect(await decode(file, 1)).toEqual({ code: "damaged_file" });
    expectLike(await decode(file, 2), await native(saved(makeHeif({ primary: 1, items: [item(1, gray)] }))));
  });

  describe("an unknown essential property fails only the item that has it", () => {
    const unknown = box("zzzz", new Uint8Array(16));
    const odd = (id: number, ...more: readonly Uint8Array[]): ItemPlan => {
      return { ...item(id, second, ...more, unknown), essential: [unknown] };
    };

    test("and no other picture", async () => {
      const file = saved(makeHeif({ primary: 1, items: [item(1, first), odd(2)] }));
      const alone = (picture: Coded) => native(saved(makeHeif({ primary: 1, items: [item(1, picture)] })));
      expectLike(await decode(file, 0), await alone(first));
      expect(await decode(file, 1)).toEqual({ code: "unsupported_input" });
    });

    test.each([
      ["a gain map", "auxl", auxC("urn:com:apple:photo:2020:aux:hdrgainmap")],
      ["a thumbnail", "thmb", ispe(SIDE, SIDE)],
    ])("and not the picture whose %s it is", async (_, type, more) => {
      const file = saved(
        makeHeif({
          primary: 1,
          items: [item(1, first), { ...odd(2, more), hidden: true }],
          references: [{ type, from: 2, to: [1] }],
        }),
      );
      expectLike(await decode(file, 0), await native(file));
    });

    test("and the picture of which it is a tile", async () => {
      const size = ispe(2 * SIDE, SIDE);
      const data = join(u8(0), u8(0), u8(0), u8(1), u16(2 * SIDE), u16(SIDE));
      const tiles = [item(1, first), odd(2)].map((tile) => ({ ...tile, hidden: true }));
      const file = saved(
        makeHeif({
          primary: 10,
          items: [{ id: 10, type: "grid", properties: [size], data }, ...tiles],
          references: [{ type: "dimg", from: 10, to: [1, 2] }],
        }),
      );
      expect(await decode(file, 0)).toEqual({ code: "unsupported_input" });
    });
  });

  test("a derived, rotated picture has the alpha of its source", async () => {
    const mask = { ...item(2, gray, auxC(ALPHA)), hidden: true };
    const plain = saved(
      makeHeif({
        primary: 1,
        items: [item(1, first), mask],
        references: [{ type: "auxl", from: 2, to: [1] }],
      }),
    );
    const identity = saved(
      makeHeif({
        primary: 3,
        items: [
          { id: 3, type: "iden", properties: [ispe(SIDE, SIDE), irot(2)] },
          { ...item(1, first), hidden: true },
          mask,
        ],
        references: [
          { type: "auxl", from: 2, to: [1] },
          { type: "dimg", from: 3, to: [1] },
        ],
      }),
    );
    const [straight, turned] = [await decode(plain, 0), await decode(identity, 0)];
    if ("code" in straight || "code" in turned) throw new Error("they were refused");
    expect([straight.hasAlpha, turned.hasAlpha]).toEqual([true, true]);
    expect([...turned.alpha]).toEqual([...straight.alpha].reverse());
    expect(new Set(turned.alpha).size).toBeGreaterThan(30);
  });

  test("a picture of another codec is reported and does not affect the others", async () => {
    const jpeg = { id: 1, type: "jpeg", properties: [ispe(SIDE, SIDE)], data: new Uint8Array(50) };
    const file = saved(makeHeif({ primary: 1, items: [jpeg, item(2, second)] }));
    expect(await decode(file, 0)).toEqual({ code: "unsupported_input" });
    expectLike(
      await decode(file, 1),
      await native(saved(makeHeif({ primary: 1, items: [item(1, second)] }))),
    );
  });

  test.each([
    ["an array that is longer than the box", (coding: Uint8Array) => coding.with(8 + 24, 0xff)],
    ["nothing in it", () => box("hvcC")],
  ])("a decoder configuration with %s fails that picture alone", async (_, cut) => {
    const broken = { ...second, coding: Uint8Array.from(cut(second.coding)) };
    const file = saved(makeHeif({ primary: 1, items: [item(1, first), item(2, broken)] }));
    expectLike(await decode(file, 0), await native(saved(makeHeif({ primary: 1, items: [item(1, first)] }))));
    expect(await decode(file, 1)).toEqual({ code: "damaged_file" });
  });

  describe("a tile that cannot be decoded fails its picture", () => {
    const size = { width: 2 * SIDE, height: SIDE };
    const tilesOf = (ids: readonly number[], pictures: readonly Coded[]): ItemPlan[] =>
      pictures.map((picture, at) => ({ ...item(ids[at] ?? 0, picture), hidden: true }));
    const gridItem = (id: number, ...more: readonly Uint8Array[]): ItemPlan => {
      const data = join(u8(0), u8(0), u8(0), u8(1), u16(size.width), u16(size.height));
      return { id, type: "grid", data, properties: [ispe(size.width, size.height), ...more] };
    };
    const cropped = (pictures: readonly Coded[]): HeifPlan => ({
      primary: 10,
      items: [gridItem(10, clap(120, 1, 60, 1, 0, 1, 0, 1)), ...tilesOf([1, 2], pictures)],
      references: [{ type: "dimg", from: 10, to: [1, 2] }],
    });
    const transparent = (pictures: readonly Coded[]): HeifPlan => ({
      primary: 10,
      items: [
        gridItem(10),
        ...tilesOf([1, 2], pictures),
        { ...gridItem(11, auxC(ALPHA)), hidden: true },
        ...tilesOf([3, 4], [gray, gray]),
      ],
      references: [
        { type: "dimg", from: 10, to: [1, 2] },
        { type: "dimg", from: 11, to: [3, 4] },
        { type: "auxl", from: 11, to: [10] },
      ],
    });

    test.each([
      ["cropped", cropped],
      ["transparent", transparent],
    ])("when it is %s", async (_, plan) => {
      const good = saved(makeHeif(plan([first, second])));
      expectLike(await decode(good, 0), await native(good));
      const bad = saved(makeHeif(plan([first, broken(second)])));
      expect(await decode(bad, 0)).toEqual({ code: "damaged_file" });
    });

    test("reserved color code points do not fail the picture", async () => {
      const sample = (x: number, y: number) => [x * 3, y * 3, 90];
      const [one, four] = await Promise.all(
        ["bt709", "fcc"].map((name) => encoded({ colorType: 2, sample }, "-p", `x265:colormatrix=${name}`)),
      );
      if (one === undefined || four === undefined) throw new Error("there are two");
      const at = one.findIndex((value, place) => value !== four[place]);
      // Bits 0 and 2 distinguish 1 and 4. Bit 1 makes 1 the reserved value 3.
      const bits = (one[at] ?? 0) ^ (four[at] ?? 0);
      const file = one.with(at, (one[at] ?? 0) | ((bits & -bits) << 1));
      const strange = saved(file);
      expectLike(await decode(strange, 0), await native(strange));
    });
  });
});

/** A picture as an item. */
function item(id: number, { coding, data }: Coded, ...more: readonly Uint8Array[]): ItemPlan {
  return { id, type: "hvc1", data, properties: [coding, ispe(SIDE, SIDE), ...more] };
}

/** The item with an invalid length of its first NAL unit. */
function broken({ coding, data }: Coded): Coded {
  return { coding, data: data.slice().fill(0xff, 0, 4) };
}

function codedOf(file: Uint8Array<ArrayBuffer>): Coded {
  const { coding, pictures }: CodedImages = imagesOf(file);
  const [data] = pictures;
  if (data === undefined) throw new Error("the file holds no picture");
  return { coding, data };
}
