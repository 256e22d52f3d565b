import { describe, expect, test, vi } from "vitest";
import type { FormatId } from "../../../../src/shared/formats.ts";
import { encoderOf } from "../../../../workers/image/formats/by-format.ts";
import type { Layout } from "../../../../workers/image/picture/picture.ts";
import { type Plan, type PlanOptions, planConversion } from "../../../../workers/image/plan.ts";

vi.mock("../../../../workers/wasm/simd-support.ts", () => ({ supportsSimd: () => true }));

const PHOTO = { width: 4000, height: 3000, shown: { width: 4000, height: 3000 }, hasAlpha: false };
const DRAWING = { width: 40, height: 30, shown: { width: 40, height: 30 }, hasAlpha: false };
const TRANSPARENT = { ...PHOTO, hasAlpha: true };

/** What the decoders offer. */
const LAYOUTS: Readonly<Partial<Record<FormatId, readonly Layout[]>>> = {
  jpg: ["coded", "frame", "bitmap", "rgba"],
  png: ["bitmap", "rgba"],
  webp: ["coded", "bitmap", "rgba"],
  heic: ["bitmap", "yuv420", "rgba"],
  avif: ["bitmap", "rgba"],
  gif: ["bitmap"],
  bmp: ["bitmap"],
};

function plan(
  from: FormatId,
  to: FormatId,
  image: typeof PHOTO,
  options: Omit<PlanOptions, "from" | "to"> = {},
): Plan {
  return planConversion({ ...image, layouts: LAYOUTS[from] ?? [] }, encoderOf(to), { from, to, ...options });
}

describe("the layouts of a photo at the default quality", () => {
  test.each<[FormatId, FormatId, readonly Layout[]]>([
    ["jpg", "jpg", ["coded", "frame", "bitmap", "rgba"]],
    ["jpg", "png", ["bitmap", "rgba"]],
    ["jpg", "webp", ["bitmap", "rgba"]],
    ["jpg", "avif", ["bitmap", "rgba"]],
    ["png", "jpg", ["bitmap", "rgba"]],
    ["png", "png", ["bitmap", "rgba"]],
    ["webp", "webp", ["coded", "bitmap", "rgba"]],
    ["webp", "jpg", ["bitmap", "rgba"]],
    ["heic", "jpg", ["bitmap", "yuv420", "rgba"]],
    ["heic", "png", ["bitmap", "rgba"]],
    ["heic", "webp", ["bitmap", "rgba"]],
    ["gif", "jpg", ["bitmap"]],
    ["bmp", "webp", ["bitmap"]],
  ])("%s to %s", (from, to, layouts) => {
    expect(plan(from, to, PHOTO)).toMatchObject({ layouts });
  });
});

describe("a quality", () => {
  test.each<[FormatId, number, readonly Layout[]]>([
    ["jpg", 0.8, ["frame", "bitmap", "rgba"]],
    ["jpg", 1, ["bitmap", "rgba"]],
    ["webp", 0.8, ["bitmap", "rgba"]],
    ["jpg", 0, ["frame", "bitmap", "rgba"]],
    ["webp", 0, ["bitmap", "rgba"]],
  ])("of %s %d re-encodes instead of copying", (format, quality, layouts) => {
    expect(plan(format, format, PHOTO, { quality })).toMatchObject({ layouts });
  });

  test("leaves a small picture in layouts that can be compared, unless it is set", () => {
    expect(plan("heic", "jpg", DRAWING)).toMatchObject({ layouts: ["bitmap", "rgba"] });
    expect(plan("heic", "jpg", DRAWING, { quality: 0.8 }).layouts).toContain("yuv420");
  });
});

describe("a smaller picture", () => {
  test("has the size that fits, and is never copied", () => {
    expect(plan("jpg", "jpg", PHOTO, { maxWidth: 1600 })).toMatchObject({
      smaller: { width: 1600, height: 1200 },
      layouts: ["frame", "bitmap", "rgba"],
    });
    const upright = { ...PHOTO, shown: { width: 3000, height: 4000 } };
    expect(plan("jpg", "jpg", upright, { maxWidth: 1500, maxHeight: 1600 }).smaller).toEqual({
      width: 1200,
      height: 1600,
    });
  });

  test("is decoded to any layout, and encoded like a picture of that size, without exact values", () => {
    const bounds = { maxHeight: 30 };
    const layouts = ["bitmap", "yuv420", "rgba"];
    expect(plan("heic", "jpg", PHOTO, bounds)).toMatchObject({
      layouts,
      keepsPlanes: false,
    });
    expect(plan("heic", "jpg", PHOTO, { maxHeight: 2000 })).toMatchObject({ layouts, keepsPlanes: true });
    expect(plan("jpg", "png", PHOTO, bounds)).toMatchObject({
      layouts: ["frame", "bitmap", "rgba"],
      keepsPlanes: false,
    });
    expect(plan("png", "png", PHOTO, bounds).fidelity).toBe("alpha");
  });

  test("is not planned for a picture that fits", () => {
    expect(plan("jpg", "jpg", PHOTO, { maxWidth: 4000, maxHeight: 5000 })).toEqual(plan("jpg", "jpg", PHOTO));
  });
});

describe("fidelity and alpha", () => {
  test.each<[FormatId, typeof PHOTO, number | undefined, Plan["fidelity"], boolean]>([
    ["jpg", TRANSPARENT, undefined, "display", true],
    ["png", TRANSPARENT, undefined, "exact", false],
    ["png", PHOTO, undefined, "exact", false],
    ["webp", TRANSPARENT, undefined, "exact", false],
    ["webp", PHOTO, undefined, "alpha", false],
    ["webp", TRANSPARENT, 0.5, "alpha", false],
    ["webp", PHOTO, 1, "exact", false],
    ["avif", TRANSPARENT, undefined, "alpha", false],
  ])("of %s", (to, image, quality, fidelity, flattensAlpha) => {
    expect(plan("png", to, image, { quality })).toMatchObject({ fidelity, flattensAlpha });
  });
});

describe("the color policy", () => {
  test.each<[FormatId, boolean, Plan["colors"]]>([
    ["jpg", false, { profile: "allow", records: false }],
    ["jpg", true, { profile: "keep", records: false }],
    ["webp", true, { profile: "keep", records: false }],
    ["png", false, { profile: "allow", records: true }],
    ["png", true, { profile: "keep", records: true }],
    ["avif", false, { profile: "convert", records: false }],
  ])("of %s, metadata kept: %s", (to, keepMetadata, colors) => {
    expect(plan("heic", to, PHOTO, { keepMetadata }).colors).toEqual(colors);
  });
});
