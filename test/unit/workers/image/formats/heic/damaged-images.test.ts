import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readHeif } from "../../../../../../workers/image/formats/heic/read-heic.ts";
import { codeOf } from "../../../../../support/code-of.ts";
import {
  auxC,
  box,
  clap,
  fullBox,
  type HeifPlan,
  irot,
  ispe,
  makeHeif,
  nclx,
  text,
  u8,
  u16,
  u32,
} from "../../../../../support/fixtures/heif.ts";
import { picture, read, readBytes } from "../../../../../support/made-heif.ts";

const ALPHA = "urn:mpeg:hevc:2015:auxid:1";

describe("an invalid picture keeps its place and does not change the others", () => {
  const size = ispe(40, 30);
  const cut = clap(8, 1, 8);
  const threeWith = (...properties: Uint8Array[]) =>
    read({ primary: 1, items: [picture(1, size), picture(2, ...properties), picture(3, size)] });

  test.each<[string, { width: number; height: number }, Uint8Array[]]>([
    ["without a size", { width: 640, height: 480 }, []],
    ["of no pixels", { width: 640, height: 480 }, [ispe(0, 30)]],
    ["with a crop that leaves nothing", { width: 40, height: 30 }, [size, clap(8, 1, 8, 1, 500, 1, 0, 1)]],
    ["with a crop that divides by zero", { width: 40, height: 30 }, [size, clap(8, 0, 8, 1, 0, 1, 0, 1)]],
    ["with a property that is cut off", { width: 40, height: 30 }, [size, cut]],
  ])("%s", async (_, stored, properties) => {
    expect(await threeWith(...properties)).toMatchObject([
      { kind: "readable", item: 1 },
      { kind: "unreadable", item: 2, stored, failure: { code: "damaged_file" } },
      { kind: "readable", item: 3 },
    ]);
  });

  test("a damaged thumbnail or unused property changes nothing", async () => {
    const images = await read({
      primary: 1,
      items: [
        picture(1, size),
        picture(2, size, clap(8, 0, 8, 1, 0, 1, 0, 1)),
        { id: 3, type: "Exif", properties: [cut] },
      ],
      references: [{ type: "thmb", from: 2, to: [1] }],
    });
    expect(images).toMatchObject([{ kind: "readable", item: 1 }]);
  });
});

describe("an invalid file is refused with a code", () => {
  const size = ispe(4, 4);

  test.each<[string, HeifPlan]>([
    ["no picture", { items: [{ id: 1, type: "Exif" }] }],
    ["no size", { items: [picture(1)] }],
    ["no width", { items: [picture(1, ispe(0, 4))] }],
    ["two items of one number", { items: [picture(1, size), picture(1, size)] }],
  ])("%s", async (_, plan) => {
    expect(await codeOf(() => read(plan))).toBe("damaged_file");
  });

  test("another codec", async () => {
    expect(await codeOf(() => read({ items: [{ id: 1, type: "j2k1", properties: [size] }] }))).toBe(
      "unsupported_input",
    );
  });

  const ftyp = box("ftyp", text("heic"), u32(0));
  test.each<[string, Uint8Array<ArrayBuffer>[]]>([
    ["nothing", []],
    ["no ftyp", [box("mdat", size)]],
    ["no tables", [ftyp, box("mdat", size)]],
    ["a box shorter than its header", [ftyp, u32(4), text("meta")]],
    ["a table cut off", [ftyp, fullBox("meta", 0, 0, u32(400), text("iinf"), u8(0))]],
    [
      "a table of billions",
      [ftyp, fullBox("meta", 0, 0, box("iprp", fullBox("ipma", 0, 0, u32(0xffffffff))))],
    ],
    [
      "billions of places without bytes",
      [ftyp, fullBox("meta", 0, 0, fullBox("iloc", 2, 0, u16(0), u32(0xffffffff)))],
    ],
    ["a place beyond every file", [ftyp, u32(1), text("free"), u32(0xffffffff), u32(0xffffffff)]],
  ])("%s", async (_, parts) => {
    expect(await codeOf(() => readBytes(...parts))).toBe("damaged_file");
  });

  test("any damage gives pictures or an error code", async () => {
    const whole = makeHeif({
      primary: 1,
      items: [
        { id: 1, type: "grid", properties: [ispe(64, 64), irot(1), clap(32, 1, 32, 1, 0, 1, 0, 1)] },
        picture(2, ispe(32, 64), nclx(12, 13)),
        picture(3, ispe(64, 64), auxC(ALPHA)),
      ],
      references: [
        { type: "dimg", from: 1, to: [2, 2] },
        { type: "auxl", from: 3, to: [1] },
      ],
    });
    const place = fc.nat(whole.length - 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.nat(255)), { maxLength: 8 }),
        place,
        async (changes, cut) => {
          const bytes = whole.slice(0, cut % 4 === 0 ? cut : whole.length);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const said = await codeOf(() => readHeif(new Blob([bytes])));
          expect(["none", "damaged_file", "unsupported_input"]).toContain(said);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
