import { describe, expect, test } from "vitest";
import { toUnicode } from "../../../../../workers/render/fonts/to-unicode.ts";

const textsOf = (map: string, ...codes: readonly number[]) => {
  const textOf = toUnicode(new TextEncoder().encode(map));
  return codes.map((code) => textOf(code));
};

describe("toUnicode", () => {
  test("reads single codes and ranges, whatever number a section claims", () => {
    const map =
      "1 beginbfchar <01> <0041> <02> <00660069> endbfchar 9 beginbfrange <0010> <0012> <0061> endbfrange";
    expect(textsOf(map, 1, 2, 3, 0x10, 0x12, 0x13)).toEqual(["A", "fi", undefined, "a", "c", undefined]);
  });

  test("reads lists, codes of several bytes, and characters outside of the first plane", () => {
    const map =
      "2 beginbfrange <e280> <e282> [<03b1> <03b2> <03b3>] <f0908080> <f09080bf> <d800dc00> endbfrange " +
      "1 beginbfchar <05> /space <06> <0042> endbfchar";
    expect(textsOf(map, 0xe280, 0xe282, 0xf0908081, 5, 6)).toEqual(["α", "γ", "\u{10001}", undefined, "B"]);
  });

  test("ignores the items of a list that are beyond the last code of its range", () => {
    const map =
      "1 beginbfrange <01> <02> [<0041> <0042> <0043>] endbfrange 1 beginbfchar <04> <0044> endbfchar";
    expect(textsOf(map, 1, 2, 3, 4)).toEqual(["A", "B", undefined, "D"]);
  });

  test.each([
    [
      "a short range after a wide one",
      "<10> <12> <0061>",
      "<00> <40> <0100>",
      "<10> <12> <0061>",
      ["a", "c", "ē", "ŀ"],
    ],
    ["a short range before a wide one", "", "<10> <12> <0061>", "<00> <40> <0100>", ["Đ", "Ē", "ē", "ŀ"]],
    [
      "ranges of which neither holds the other",
      "",
      "<10> <30> <0061>",
      "<00> <11> <0100>",
      ["Đ", "c", "d", undefined],
    ],
  ])("takes the last of ranges that overlap: %s", (_, first, second, third, texts) => {
    const map = `3 beginbfrange ${first} ${second} ${third} endbfrange`;
    expect(textsOf(map, 0x10, 0x12, 0x13, 0x40)).toEqual(texts);
  });

  test("has no text for codes that stand for nothing, or for more than Unicode has", () => {
    const map =
      "4 beginbfchar <01> <0000> <02> <000d> <03> <fffd> <04> <> endbfchar 1 beginbfrange <10> <20> <ffff> endbfrange";
    expect(textsOf(map, 1, 2, 3, 4, 0x10, 0x11)).toEqual(Array(6).fill(undefined));
  });

  test("reads huge ranges and maps in bounded time", () => {
    const entries = Array.from({ length: 300_000 }, () => "<00000000> <ffffffff> <0041>").join(" ");
    expect(textsOf(`1 beginbfrange ${entries}`, 1, 0xffffffff)).toEqual(["B", undefined]);
    expect(textsOf("1 beginbfrange <00> <ff> [<0041>", 0, 1)).toEqual(["A", undefined]);
  });
});
