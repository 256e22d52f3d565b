import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { BitReader, payloadOf, UnsupportedBitstream } from "../../../../../workers/codecs/hevc/bit-reader.ts";
import { HevcDecoder, readPicture, type Units } from "../../../../../workers/codecs/hevc/hevc-decoder.ts";
import { readPictureSet, readSequenceSet } from "../../../../../workers/codecs/hevc/parameter-sets.ts";
import { defaultFactors } from "../../../../../workers/codecs/hevc/scaling-lists.ts";
import { unitsOf } from "../../../../../workers/image/isobmff/coding.ts";
import { newPlanes, type Planes, pixelsOfPlanes } from "../../../../../workers/image/picture/planes.ts";
import { coded, HEVC_SEGMENTS, HEVC_UNITS } from "../../../../support/fixtures/image/hevc.ts";

const compiled = new URL("../../../../../workers/codecs/hevc/hevc-decoder.wasm", import.meta.url);
const WIDTH = 70;
/** Of which the last are the one above them again: the encoder makes none of less than 64. */
const HEIGHT = 64;
const ROWS_CODED = 50;

describe("bits", () => {
  /** As an encoder writes them (ITU-T H.265, 9.2). */
  const golomb = (value: number) => {
    const binary = (value + 1).toString(2);
    return "0".repeat(binary.length - 1) + binary;
  };
  const bytesOf = (bits: string) => {
    const padded = bits.padEnd(8 * Math.ceil(bits.length / 8), "0");
    return Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  };

  test("hold numbers of all lengths, with and without a sign", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -70_000, max: 70_000 })), (values) => {
        const bits = values.map((value) => golomb(value > 0 ? 2 * value - 1 : -2 * value)).join("");
        const reader = new BitReader(bytesOf(bits));
        expect(values.map(() => reader.signed() + 0)).toEqual(values.map((value) => value + 0));
      }),
    );
  });

  test("do not go beyond their end", () => {
    const reader = new BitReader(Uint8Array.of(0, 0));
    expect(() => reader.unsigned()).toThrow(UnsupportedBitstream);
    expect(() => new BitReader(new Uint8Array()).flag()).toThrow(UnsupportedBitstream);
    expect(() => new BitReader(Uint8Array.of(1)).skip(9)).toThrow(UnsupportedBitstream);
  });

  test("of a unit have no byte more than those of its payload", () => {
    const few = fc.array(fc.constantFrom(0, 1, 2, 3, 255), { maxLength: 40 });
    fc.assert(
      fc.property(few, (payload) => {
        // 7.4.1.1: what would be a start code, or such a byte itself, has a 3 put before it.
        const unit: number[] = [];
        for (const byte of payload) {
          if (byte <= 3 && unit.at(-1) === 0 && unit.at(-2) === 0) unit.push(3);
          unit.push(byte);
        }
        expect([...payloadOf(Uint8Array.from(unit))]).toEqual(payload);
      }),
    );
  });
});

describe("the units of a piece", () => {
  const unit = Uint8Array.of(3, 40, 1, 7);
  const size = { width: 64, height: 64 };
  const record = { lengthBytes: 1, units: [] };
  const piece = (extents: readonly { readonly offset: number; readonly length: number }[]) =>
    ({ ...size, record, location: { within: "file", extents } }) as const;

  test("stand behind each other, in all parts of its data", () => {
    const file = Uint8Array.of(...unit, ...unit, 9, ...unit);
    const extents = [
      { offset: 0, length: 8 },
      { offset: 9, length: 4 },
    ];
    expect(unitsOf(file, piece(extents))).toEqual([unit, unit, unit].map((one) => one.subarray(1)));
  });

  test("are not read where a small file could name more than fit into memory", () => {
    const file = new Uint8Array(100_000);
    const whole = { offset: 0, length: file.length };
    expect(() => unitsOf(file, piece([whole]))).toThrow(UnsupportedBitstream);
    for (let at = 0; at < file.length; at += unit.length) file.set(unit, at);
    expect(() => unitsOf(file, piece([whole]))).toThrow(UnsupportedBitstream);
    const most = { offset: 0, length: 40 };
    expect(() => unitsOf(file.subarray(0, 100), piece([most, most, most]))).toThrow(UnsupportedBitstream);
  });
});

test("the factors that hold by default rise from the mean, and are the same on both sides of the diagonal", () => {
  const factors = defaultFactors();
  expect(factors.length).toBe(3 * (16 + 64 + 256) + 1024);
  expect([...factors.subarray(0, 48)]).toEqual(new Array(48).fill(16));
  const eight = factors.subarray(48, 48 + 64);
  expect([...eight.subarray(0, 8)]).toEqual([16, 16, 16, 16, 17, 18, 21, 24]);
  expect([...eight.subarray(56)]).toEqual([24, 25, 29, 36, 47, 65, 88, 115]);
  for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) expect(eight[8 * y + x]).toBe(eight[8 * x + y]);
  // Each stands for four by four of the largest.
  const largest = factors.subarray(-1024);
  expect(largest.every((factor, at) => factor === eight[8 * (at >> 7) + ((at & 31) >> 2)])).toBe(true);
});

describe("a coded picture", () => {
  let module: WebAssembly.Module;
  beforeAll(() => {
    module = new WebAssembly.Module(readFileSync(compiled));
  });

  function decode(units: Units): { readonly planes: Planes; readonly rows: readonly number[] } {
    const picture = readPicture(units);
    const planes = newPlanes(picture.size);
    return { planes, rows: [...new HevcDecoder(module).decode(picture, planes)] };
  }

  test("is as large as it is shown, and comes row by row", () => {
    expect(readPicture(HEVC_UNITS).size).toEqual({ width: WIDTH, height: HEIGHT });
    const { rows, planes } = decode(HEVC_UNITS);
    expect(rows).toEqual([32, HEIGHT]);
    expect(planes.luma.length).toBe(WIDTH * HEIGHT);
  });

  test("looks as what it was coded of", () => {
    const { planes } = decode(HEVC_UNITS);
    const pixels = pixelsOfPlanes(planes, { width: WIDTH, height: HEIGHT });
    let difference = 0;
    for (let at = 0; at < WIDTH * ROWS_CODED; at++) {
      const wanted = coded(at % WIDTH, Math.floor(at / WIDTH));
      for (const [channel, value] of wanted.entries())
        difference += Math.abs((pixels[4 * at + channel] ?? 0) - value);
    }
    expect(difference / (3 * WIDTH * ROWS_CODED)).toBeLessThan(30);
  });

  test("is the same whatever the decoder has decoded before", () => {
    const decoder = new HevcDecoder(module);
    const picture = readPicture(HEVC_UNITS);
    const results = [0, 1].map(() => {
      const planes = newPlanes(picture.size);
      for (const _ of decoder.decode(picture, planes));
      return Buffer.concat(Object.values(planes)).toString("hex");
    });
    expect(results[1]).toBe(results[0]);
  });

  const [video, sequence, set, picture] = HEVC_UNITS;
  if (!video || !sequence || !set || !picture) throw new Error("there are four units");

  test("whose quantizers change by more than there are is damaged", () => {
    const damaged = [
      "QgEBAWAAAAMAgAAAAwAAAwB4SAohG2yZfTTygg==",
      "RAE6BYLGgmEwMIIJ",
      "KAGO8CPggvOV0+z5qDkD0jlADpK7p+5lvjDO4eATRDZcsOK4JQKA",
    ].map((unit) => Uint8Array.from(Buffer.from(unit, "base64")));
    expect(() => decode(damaged)).toThrow(UnsupportedBitstream);
  });

  test("in segments ends its rows in the middle of none", () => {
    expect(decode(HEVC_SEGMENTS).rows).toEqual([64, 128]);
    const [sequence, set, first, second] = HEVC_SEGMENTS;
    if (!sequence || !set || !first || !second) throw new Error("there are four units");
    for (const units of [[first], [second], [second, first], [first, sequence, second], [first, set, second]])
      expect(() => decode([sequence, set, ...units])).toThrow(UnsupportedBitstream);
  });

  test("that is cut off anywhere is told from a whole one", () => {
    for (let length = 0; length < picture.length; length++)
      expect(() => decode([sequence, set, picture.subarray(0, length)]), `${length} bytes`).toThrow(
        UnsupportedBitstream,
      );
  });

  test("without its parameters, twice, or of another kind is not followed", () => {
    const oneThatFollows = picture.slice();
    oneThatFollows[0] = 1 << 1;
    for (const units of [
      [],
      [sequence, set],
      [set, picture],
      [sequence, picture],
      [sequence, set, picture, picture],
      [sequence, set, oneThatFollows],
    ])
      expect(() => decode(units)).toThrow(UnsupportedBitstream);
  });

  test("with more parameter sets than can be told apart is not followed", () => {
    expect(() => decode([...new Array(100).fill(set), sequence, set, picture])).toThrow(UnsupportedBitstream);
  });

  test("of another layer is left alone", () => {
    const inAnotherLayer = picture.slice();
    inAnotherLayer[1] = (inAnotherLayer[1] ?? 0) | 8;
    expect(decode([sequence, set, inAnotherLayer, picture]).rows).toEqual([32, HEIGHT]);
  });

  test("with bytes changed is decoded or told to be damaged, and ends", () => {
    const change = fc.tuple(fc.nat(2), fc.nat(500), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const units = [sequence, set, picture].map((unit) => unit.slice());
        for (const [unit, at, value] of changes) {
          const bytes = units[unit];
          if (bytes) bytes[2 + (at % (bytes.length - 2))] = value;
        }
        try {
          decode(units);
        } catch (thrown) {
          // Whoever calls the decoder takes what ends it for damage.
          expect(thrown instanceof UnsupportedBitstream || thrown instanceof WebAssembly.RuntimeError).toBe(
            true,
          );
        }
      }),
      { numRuns: 400 },
    );
  });

  test("parameters of any bytes are followed or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        for (const read of [readSequenceSet, readPictureSet]) {
          try {
            read(bytes);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(UnsupportedBitstream);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
