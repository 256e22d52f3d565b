import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BitReader, rbspOf, UnsupportedBitstream } from "../../../../../workers/codecs/hevc/bit-reader.ts";

describe("BitReader", () => {
  /** The Exp-Golomb code of a number (ITU-T H.265, 9.2). */
  const expGolomb = (value: number) => {
    const binary = (value + 1).toString(2);
    return "0".repeat(binary.length - 1) + binary;
  };
  const bytesOf = (bits: string) => {
    const padded = bits.padEnd(8 * Math.ceil(bits.length / 8), "0");
    return Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  };

  test("reads signed and unsigned Exp-Golomb codes of any length", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -70_000, max: 70_000 })), (values) => {
        const codes = values.map((value) => (value > 0 ? 2 * value - 1 : -2 * value));
        const bytes = bytesOf(codes.map(expGolomb).join(""));
        const [signed, unsigned] = [new BitReader(bytes), new BitReader(bytes)];
        // Adding 0 turns -0 into 0.
        expect(values.map(() => signed.se() + 0)).toEqual(values.map((value) => value + 0));
        expect(codes.map(() => unsigned.ue())).toEqual(codes.map((code) => code + 0));
      }),
    );
  });

  test("throws UnsupportedBitstream for a value outside its limits", () => {
    const bytes = bytesOf(expGolomb(7));
    expect(new BitReader(bytes).ue(7, 7)).toBe(7);
    expect(() => new BitReader(bytes).ue(0, 6)).toThrow(UnsupportedBitstream);
    expect(() => new BitReader(bytes).se(-4, 3)).toThrow(UnsupportedBitstream);
  });

  test("throws UnsupportedBitstream at the end of the data", () => {
    expect(() => new BitReader(Uint8Array.of(0, 0)).ue()).toThrow(UnsupportedBitstream);
    expect(() => new BitReader(new Uint8Array()).flag()).toThrow(UnsupportedBitstream);
    expect(() => new BitReader(Uint8Array.of(1)).skip(9)).toThrow(UnsupportedBitstream);
  });
});

test("rbspOf removes emulation prevention bytes and nothing else", () => {
  const bytes = fc.array(fc.constantFrom(0, 1, 2, 3, 255), { maxLength: 40 });
  fc.assert(
    fc.property(bytes, (rbsp) => {
      // 7.4.2: an encoder inserts a 3 after two zeros, before any byte up to 3.
      const nalUnit: number[] = [];
      for (const byte of rbsp) {
        if (byte <= 3 && nalUnit.at(-1) === 0 && nalUnit.at(-2) === 0) nalUnit.push(3);
        nalUnit.push(byte);
      }
      expect([...rbspOf(Uint8Array.from(nalUnit))]).toEqual(rbsp);
    }),
  );
});
