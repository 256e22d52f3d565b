import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { BitReader } from "../../../../../workers/codecs/hevc/bit-reader.ts";
import {
  HevcDecoder,
  type Planes,
  readPicture,
  UnsupportedBitstream,
} from "../../../../../workers/codecs/hevc/index.ts";
import { readPPS } from "../../../../../workers/codecs/hevc/pps.ts";
import { readSPS } from "../../../../../workers/codecs/hevc/sps.ts";
import { HEVC_DEPENDENT_SEGMENTS, HEVC_NAL_UNITS } from "../../../../support/fixtures/image/hevc.ts";

const WASM = new URL("../../../../../workers/codecs/hevc/hevc-decoder.wasm", import.meta.url);
const WIDTH = 70;
const HEIGHT = 64;

let module: WebAssembly.Module;
beforeAll(() => {
  module = new WebAssembly.Module(readFileSync(WASM));
});

const newPlanes = (width: number, height: number): Planes => ({
  luma: new Uint8Array(width * height),
  cb: new Uint8Array((width * height) / 4),
  cr: new Uint8Array((width * height) / 4),
});

function decode(nalUnits: readonly Uint8Array[], decoder = new HevcDecoder(module)): Planes {
  const picture = readPicture(nalUnits);
  const planes = newPlanes(picture.size.width, picture.size.height);
  decoder.decode(picture, planes);
  return planes;
}

const [vps, sps, pps, slice] = HEVC_NAL_UNITS;
if (!vps || !sps || !pps || !slice) throw new Error("the fixture has four NAL units");

describe("a valid picture", () => {
  test("has the size of the conformance window", () => {
    expect(readPicture(HEVC_NAL_UNITS).size).toEqual({ width: WIDTH, height: HEIGHT });
  });

  test("decodes to the samples of libde265", () => {
    const { luma, cb, cr } = decode(HEVC_NAL_UNITS);
    const digest = createHash("sha256").update(luma).update(cb).update(cr).digest("hex");
    expect(digest).toBe("2925fcda82709d13a950128be99b0650588077470cdb08473ead33896a234cd5");
  });

  test("decodes to the same samples when the decoder is reused", () => {
    const decoder = new HevcDecoder(module);
    const first = decode(HEVC_NAL_UNITS, decoder);
    const damaged = [sps, pps, slice.subarray(0, slice.length / 2)];
    expect(() => decode(damaged, decoder)).toThrow(UnsupportedBitstream);
    expect(decode(HEVC_NAL_UNITS, decoder)).toEqual(first);
  });

  test("ignores NAL units of other layers", () => {
    const otherLayer = slice.slice();
    otherLayer[1] = (otherLayer[1] ?? 0) | 8;
    expect(decode([sps, pps, otherLayer, slice])).toEqual(decode(HEVC_NAL_UNITS));
  });
});

describe("UnsupportedBitstream is thrown for", () => {
  test("a slice truncated at any byte", () => {
    for (let length = 0; length < slice.length; length++)
      expect(() => decode([sps, pps, slice.subarray(0, length)]), `${length} bytes`).toThrow(
        UnsupportedBitstream,
      );
  });

  test("a missing parameter set, a missing or second picture, and a picture that is not IDR", () => {
    const trailingPicture = slice.slice();
    trailingPicture[0] = 1 << 1;
    for (const nalUnits of [
      [],
      [sps, pps],
      [pps, slice],
      [sps, slice],
      [sps, pps, slice, slice],
      [sps, pps, trailingPicture],
    ])
      expect(() => decode(nalUnits)).toThrow(UnsupportedBitstream);
  });

  test("several slice segments", () => {
    expect(() => readPicture(HEVC_DEPENDENT_SEGMENTS)).toThrow("several slice segments are not supported");
  });

  test("more parameter sets than there are ids", () => {
    const parameterSets = new Array<Uint8Array>(100).fill(pps);
    expect(() => readPicture([...parameterSets, sps, pps, slice])).toThrow(UnsupportedBitstream);
  });

  test("a CuQpDeltaVal out of range", () => {
    const damaged = [
      "QgEBAWAAAAMAgAAAAwAAAwB4SAohG2yZfTTygg==",
      "RAE6BYLGgmEwMIIJ",
      "KAGO8CPggvOV0+z5qDkD0jlADpK7p+5lvjDO4eATRDZcsOK4JQKA",
    ].map((nalUnit) => Uint8Array.from(Buffer.from(nalUnit, "base64")));
    expect(() => decode(damaged)).toThrow(UnsupportedBitstream);
  });
});

describe("hostile input", () => {
  test("changed bytes decode, or throw UnsupportedBitstream or WebAssembly.RuntimeError", () => {
    const change = fc.tuple(fc.nat(2), fc.nat(500), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const nalUnits = [sps, pps, slice].map((nalUnit) => nalUnit.slice());
        for (const [index, at, value] of changes) {
          const bytes = nalUnits[index];
          if (bytes) bytes[2 + (at % (bytes.length - 2))] = value;
        }
        try {
          decode(nalUnits);
        } catch (thrown) {
          const isExpected =
            thrown instanceof UnsupportedBitstream || thrown instanceof WebAssembly.RuntimeError;
          if (!isExpected) throw thrown;
        }
      }),
      { numRuns: 400 },
    );
  });

  test("damaged data decode to the same samples whatever was decoded before", () => {
    const change = fc.tuple(fc.nat(1000), fc.nat(255));
    const used = new HevcDecoder(module);
    decode(HEVC_NAL_UNITS, used);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = slice.slice();
        for (const [at, value] of changes) damaged[2 + (at % (damaged.length - 2))] = value;
        const outcome = (decoder: HevcDecoder) => {
          try {
            return decode([sps, pps, damaged], decoder);
          } catch (thrown) {
            if (thrown instanceof UnsupportedBitstream) return "damaged";
            if (thrown instanceof WebAssembly.RuntimeError) return "trap";
            throw thrown;
          }
        };
        const expected = outcome(new HevcDecoder(module));
        // After a trap, an instance is not used again.
        if (expected !== "trap") expect(outcome(used)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test("random parameter sets are read, or throw UnsupportedBitstream", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        for (const read of [readSPS, readPPS]) {
          try {
            read(new BitReader(bytes));
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(UnsupportedBitstream);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
