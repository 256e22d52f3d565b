import { describe, expect, test, vi } from "vitest";
import { listImages } from "../../../../../../workers/image/formats/heic/images.ts";
import { readHeif } from "../../../../../../workers/image/formats/heic/read-heic.ts";
import type { Meta } from "../../../../../../workers/image/isobmff/meta.ts";
import { heifMetadata, tablesOf } from "../../../../../../workers/image/isobmff/read.ts";
import {
  auxC,
  box,
  clap,
  fullBox,
  type HeifPlan,
  imir,
  irot,
  ispe,
  makeHeif,
  nclx,
  text,
  u16,
  u32,
} from "../../../../../support/fixtures/heif.ts";
import { picture, read, readBytes } from "../../../../../support/made-heif.ts";

const ALPHA = "urn:mpeg:hevc:2015:auxid:1";
const DEPTH = "urn:mpeg:hevc:2015:auxid:2";

async function metaOf(plan: HeifPlan): Promise<Meta> {
  const { meta } = await tablesOf(new Blob([makeHeif(plan)]));
  if (meta === undefined) throw new Error("it has no tables");
  return meta;
}

describe("the pictures of a HEIF file", () => {
  test("are all that are not hidden, in file order", async () => {
    const images = await read({
      primary: 2,
      items: [
        picture(7, ispe(30, 20)),
        picture(2, ispe(40, 50)),
        { ...picture(3, ispe(1, 1)), hidden: true },
      ],
    });
    expect(images.map(({ item, stored }) => [item, stored])).toEqual([
      [7, { width: 30, height: 20 }],
      [2, { width: 40, height: 50 }],
    ]);
  });

  test("do not include thumbnails, alpha, depth, tiles and metadata", async () => {
    const images = await read({
      primary: 1,
      items: [
        { id: 1, type: "grid", properties: [ispe(64, 64)] },
        picture(2, ispe(32, 64)),
        picture(3, ispe(32, 64)),
        picture(4, ispe(8, 8)),
        picture(5, ispe(64, 64), auxC(ALPHA)),
        picture(6, ispe(64, 64), auxC(DEPTH)),
        { id: 7, type: "Exif" },
        { id: 8, type: "tmap", properties: [ispe(64, 64)] },
      ],
      references: [
        { type: "dimg", from: 1, to: [2, 3] },
        { type: "thmb", from: 4, to: [1] },
        { type: "auxl", from: 5, to: [1] },
        { type: "auxl", from: 6, to: [1] },
      ],
    });
    expect(images).toMatchObject([{ item: 1, hasAlpha: true }]);
  });

  test("have the alpha of an identity's source, and none of a grid's tiles", async () => {
    const images = await read({
      items: [
        ...["iden", "iden", "grid"].map((type, at) => ({ id: at + 1, type, properties: [ispe(4, 4)] })),
        ...[4, 5].map((id) => ({
          ...picture(id, ispe(4, 4), ...(id === 5 ? [auxC(ALPHA)] : [])),
          hidden: true,
        })),
      ],
      references: [
        { type: "dimg", from: 1, to: [2] },
        { type: "dimg", from: 2, to: [4] },
        { type: "dimg", from: 3, to: [4] },
        { type: "auxl", from: 5, to: [4] },
      ],
    });
    expect(images).toMatchObject([{ hasAlpha: true }, { hasAlpha: true }, { hasAlpha: false }]);
  });

  test("end at references that form a circle", async () => {
    const items = [1, 2].map((id) => ({ id, type: "iden", properties: [ispe(4, 4)] }));
    const references = [
      { type: "dimg", from: 1, to: [2] },
      { type: "dimg", from: 2, to: [1] },
    ];
    expect(await read({ items, references })).toMatchObject([{ hasAlpha: false }, { hasAlpha: false }]);
  });

  test("mark the primary one, and are that one if all are hidden", async () => {
    const items = [picture(1, ispe(4, 4)), picture(2, ispe(6, 6))];
    expect(await read({ primary: 2, items })).toMatchObject([{ isPrimary: false }, { isPrimary: true }]);
    const hidden = items.map((one) => ({ ...one, hidden: true }));
    expect(await read({ primary: 2, items: hidden })).toMatchObject([{ item: 2 }]);
  });

  test("keep their places if one has another codec", async () => {
    const size = ispe(8, 6);
    const jpeg = { id: 1, type: "jpeg", properties: [size] };
    expect(await read({ primary: 1, items: [jpeg, picture(2, size)] })).toMatchObject([
      {
        kind: "unreadable",
        stored: { width: 8, height: 6 },
        failure: { code: "unsupported_input", details: { coding: "jpeg" } },
      },
      { kind: "readable", item: 2 },
    ]);
  });

  test("do not report thumbnails, masks, tone maps and alternatives of another codec", async () => {
    const size = ispe(8, 6);
    const other = (id: number, type = "jpeg") => ({ id, type, properties: [size] });
    const images = await read({
      primary: 1,
      items: [
        picture(1, size),
        ...[other(2), { ...other(3), hidden: true }, other(4, "mski"), other(5, "tmap"), other(6, "av01")],
      ],
      references: [{ type: "thmb", from: 2, to: [1] }],
      alternatives: [6, 1],
    });
    expect(images).toMatchObject([{ kind: "readable", item: 1 }]);
  });

  describe("with a gain map", () => {
    const size = ispe(8, 6);
    const base = picture(1, size);
    const gainMap = { id: 2, type: "grid", properties: [ispe(4, 3)] };
    const tile = { ...picture(3, ispe(4, 4)), hidden: true };
    const toneMapped = { id: 4, type: "tmap", properties: [size] };
    const references = [
      { type: "dimg", from: 2, to: [3] },
      { type: "dimg", from: 4, to: [1, 2] },
    ];

    test.each<[string, HeifPlan["items"], number]>([
      ["that is not hidden", [base, gainMap, tile, toneMapped], 1],
      ["and a tone-mapped primary item", [base, gainMap, tile, toneMapped], 4],
      ["and a hidden base", [{ ...base, hidden: true }, gainMap, tile, toneMapped], 4],
      ["before the base in the file", [toneMapped, gainMap, tile, base], 1],
    ])("%s, are the base alone", async (_, items, primary) => {
      const images = await read({ primary, items, references, alternatives: [4, 1] });
      expect(images).toMatchObject([{ kind: "readable", item: 1, isPrimary: true }]);
    });
  });

  test("are the cover of a sequence without stills", async () => {
    const entry = box("hvc1", new Uint8Array(24), u16(640), u16(480), new Uint8Array(50), nclx(12, 13));
    const track = (handler: string) =>
      box(
        "trak",
        box(
          "mdia",
          fullBox("hdlr", 0, 0, u32(0), text(handler), new Uint8Array(12)),
          box("minf", box("stbl", fullBox("stsd", 0, 0, u32(1), entry))),
        ),
      );
    const images = await readBytes(
      box("ftyp", text("hevc"), u32(0)),
      box("moov", track("soun"), track("pict")),
    );
    expect(images).toMatchObject([
      { item: undefined, stored: { width: 640, height: 480 }, color: { kind: "nclx", primaries: 12 } },
    ]);
  });

  test("have the color of the tiles if the grid has none", async () => {
    const images = await read({
      items: [{ id: 1, type: "grid", properties: [ispe(8, 8)] }, picture(2, ispe(8, 8), nclx(12, 13))],
      references: [{ type: "dimg", from: 1, to: [2] }],
    });
    expect(images).toMatchObject([{ color: { kind: "nclx", primaries: 12, transfer: 13 } }]);
  });
});

describe("the transformation of a picture", () => {
  const shown = async (...properties: Uint8Array[]) => {
    const [image] = await read({ items: [picture(1, ispe(100, 60), ...properties)] });
    return image?.kind === "readable" ? image.shown : undefined;
  };

  test("crops at the right border by fractions, and then rotates left", async () => {
    const part = await shown(clap(80, 2, 20, 1, 60, 2, 4_294_967_276, 1), irot(1));
    expect(part).toEqual({ left: 0, top: 0, width: 20, height: 40, whole: { width: 60, height: 100 } });
  });

  test("mirrors after a crop", async () => {
    const corner = clap(10, 1, 10, 1, 45, 1, 25, 1);
    expect(await shown(corner, imir(1))).toMatchObject({ left: 0, top: 50 });
    expect(await shown(corner, imir(0))).toMatchObject({ left: 90, top: 0 });
  });
});

describe("the cost of a file with many pictures", () => {
  test("is one reading of its tables", async () => {
    const file = new Blob([
      makeHeif({ primary: 1, items: [picture(1, ispe(4, 4)), picture(2, ispe(4, 4))] }),
    ]);
    const slice = vi.spyOn(Blob.prototype, "arrayBuffer");
    await readHeif(file);
    const reads = slice.mock.calls.length;
    await heifMetadata(file, 2);
    // The heads of its boxes, out of what is in memory.
    expect(slice.mock.calls.length).toBe(reads);
    slice.mockRestore();
  });

  test("is bounded: more than 5,000 pictures are input_too_large", async () => {
    const size = ispe(4, 4);
    const items = (count: number) => Array.from({ length: count }, (_, index) => picture(index + 1, size));
    expect(await read({ items: items(5_000) })).toHaveLength(5_000);
    await expect(read({ items: items(5_001) })).rejects.toMatchObject({
      code: "input_too_large",
      details: { page_count: 5_001 },
    });
  });

  test("is one pass over the references for alpha", async () => {
    const size = ispe(4, 4);
    const masters = Array.from({ length: 3_000 }, (_, index) => picture(index + 1, size));
    const alpha = { ...picture(60_000, size, auxC(ALPHA)), hidden: true };
    let looks = 0;
    const meta = {
      ...(await metaOf({ primary: 1, items: [...masters, alpha] })),
      references: Array.from({ length: 3_000 }, (_, index) => ({
        ...{ type: "auxl", from: 60_000, typeAt: 0, toAt: 0, numberBytes: 2 as const },
        get to() {
          looks++;
          return [index + 1];
        },
      })),
    };
    expect(listImages(meta)).toHaveLength(3_000);
    expect(looks).toBeLessThan(10 * 3_000);
  });
});
