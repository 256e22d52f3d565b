import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../../../../../scripts/dependencies.mjs";
import { NATIVE_LIBRARIES } from "../../../../../../scripts/native-libraries.mjs";
import { IS_STRICT_AT, LIMITS } from "../../../../../../workers/image/formats/heic/libheif.ts";
import { createLibheif } from "../../../../../../workers/image/formats/heic/wasm/libheif.ts";
import { instantiate } from "../../../../../../workers/wasm/emscripten-module.ts";
import {
  box,
  join as concat,
  type HeifPlan,
  ispe,
  makeHeif,
  u8,
  u16,
  u32,
} from "../../../../../support/fixtures/heif.ts";
import { HEVC_NAL_UNITS } from "../../../../../support/fixtures/image/hevc.ts";

// libheif.ts writes into structures of the C interface. These tests use the offsets on the real binary.

const [LIBHEIF, LIBDE265] = NATIVE_LIBRARIES["libheif.wasm"] ?? [];
/** The version of heif_security_limits and of heif_decoding_options that the offsets are for. */
const VERSIONS = { limits: 4, options: 10 };
const LIMIT_EXCEEDED = 1000;

const [, , , slice = new Uint8Array()] = HEVC_NAL_UNITS;

let module: WebAssembly.Module;
let heif: MainModule;

beforeAll(async () => {
  module = new WebAssembly.Module(
    readFileSync(join(ROOT, "node_modules/libheif-js/libheif-wasm/libheif.wasm")),
  );
  heif = await instantiate<MainModule>(createLibheif, module);
});

const word = (at: number) => new DataView(heif.HEAPU8.buffer).getUint32(at, true);

function text(at: number): string {
  return Buffer.from(heif.HEAPU8.subarray(at, heif.HEAPU8.indexOf(0, at))).toString();
}

test("the versions are those of the table", () => {
  expect(text(heif._heif_get_version())).toBe(LIBHEIF?.version);
  expect(text(heif._de265_get_version())).toBe(LIBDE265?.version);
});

describe("the limits", () => {
  /** Opens a file with one limit. Returns the detail of the error. */
  function open(plan: HeifPlan, limit: keyof typeof LIMITS, most: number): number {
    const { error } = openFile(makeHeif(plan), (view, limits) =>
      view.setUint32(limits + LIMITS[limit], most, true),
    );
    return word(error + 4);
  }

  const items = [1, 2, 3].map((id) => ({ id, type: "hvc1", properties: [ispe(8, 8), hvcC()] }));
  const plan: HeifPlan = { primary: 1, items, alternatives: [1, 2, 3] };

  test.each([
    ["items", 3],
    ["entitiesInAGroup", 3],
    // The meta box has seven. libheif checks before it adds one.
    ["boxesInABox", 6],
  ] as const)("%s: refuses a file above it, and no other", (limit, needed) => {
    expect(open(plan, limit, needed - 1)).toBe(LIMIT_EXCEEDED);
    expect(open(plan, limit, needed)).not.toBe(LIMIT_EXCEEDED);
  });
});

describe("strict decoding", () => {
  /** Decodes a grid of two tiles, of which the second is damaged. Returns the code of the error. */
  function decode(isStrict: boolean): number {
    const properties = [ispe(70, 64), hvcC()];
    const tile = { type: "hvc1", hidden: true, properties };
    const items = [
      { id: 1, type: "grid", properties: [ispe(140, 64)], data: Uint8Array.of(0, 0, 0, 1, 0, 140, 0, 64) },
      { ...tile, id: 2, data: concat(u32(slice.length), slice) },
      { ...tile, id: 3, data: u32(0) },
    ];
    const file = openFile(
      makeHeif({ primary: 1, items, references: [{ type: "dimg", from: 1, to: [2, 3] }] }),
    );
    const result = heif._malloc(4);
    heif._heif_context_get_primary_image_handle(file.error, file.context, result);
    expect(word(file.error)).toBe(0);
    const options = heif._heif_decoding_options_alloc();
    expect(heif.HEAPU8[options]).toBe(VERSIONS.options);
    heif.HEAPU8[options + IS_STRICT_AT] = Number(isStrict);
    heif._heif_decode_image(file.error, word(result), result, 1, 11, options);
    return word(file.error);
  }

  test("refuses a picture with a damaged tile, which is left out otherwise", () => {
    expect(decode(false)).toBe(0);
    expect(decode(true)).not.toBe(0);
  });
});

/** Opens a file. The error is at `error`: its code, its detail and the address of a text. */
function openFile(
  bytes: Uint8Array,
  setLimits: (view: DataView, limits: number) => void = () => {},
): { context: number; error: number } {
  const context = heif._heif_context_alloc();
  const limits = heif._heif_context_get_security_limits(context);
  expect(heif.HEAPU8[limits]).toBe(VERSIONS.limits);
  setLimits(new DataView(heif.HEAPU8.buffer), limits);
  const [error, data] = [heif._malloc(16), heif._malloc(bytes.length)];
  heif.HEAPU8.set(bytes, data);
  heif._heif_context_read_from_memory_without_copy(error, context, data, bytes.length, 0);
  return { context, error };
}

/** The settings of a decoder (ISO/IEC 14496-15, 8.3.3.1): Main profile, 8 bits, 4:2:0, and the parameter sets. */
function hvcC(): Uint8Array {
  const sets = HEVC_NAL_UNITS.slice(0, 3).map((unit) =>
    concat(u8((unit[0] ?? 0) >> 1), u16(1), u16(unit.length), unit),
  );
  const profile = Uint8Array.of(1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 30);
  const coding = concat(u16(0xf000), Uint8Array.of(0xfc, 0xfd, 0xf8, 0xf8), u16(0), u8(0x0f));
  return box("hvcC", u8(1), profile, coding, u8(sets.length), ...sets);
}
