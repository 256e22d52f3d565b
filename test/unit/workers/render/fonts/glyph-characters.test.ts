import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { charactersOf } from "../../../../../workers/render/fonts/character-map.ts";
import { glyphCharacters } from "../../../../../workers/render/fonts/glyph-characters.ts";

const font = "../../../../../node_modules/@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf";
const noto = new Uint8Array(readFileSync(new URL(font, import.meta.url)));

/** A font that has a `cmap` with the given 32-bit words, of format 12, only. */
function fontOf(...words: readonly number[]): Uint8Array {
  const all = [0x00010000, 0x00010000, 0, 0x636d6170, 0, 28, 1000, 0x00000001, 0x0003000a, 12, ...words];
  const view = new DataView(new ArrayBuffer(4 * all.length));
  for (const [index, word] of all.entries()) view.setUint32(4 * index, word);
  return new Uint8Array(view.buffer);
}

describe("glyphCharacters", () => {
  test("returns a character for each glyph that has one", () => {
    const characters = glyphCharacters(noto);
    const values = [...characters.values()];
    expect(values).toEqual(expect.arrayContaining([0x41, 0x7a, 0xe9, 0x416]));
    const has = charactersOf(noto);
    expect(values.every(has)).toBe(true);
    expect(new Set(values).size).toBe(values.length);
  });

  test("reads groups of any size in bounded time, and no glyph that fonts cannot have", () => {
    const groups = Array.from({ length: 1000 }, () => [0, 0xffffffff, 1]).flat();
    const characters = glyphCharacters(fontOf(0x000c0000, 0, 0, 1000, ...groups));
    expect(characters.size).toBe(0xffff);
    expect(characters.get(0x42)).toBe(0x41);
  });

  test("keeps what it has read of a table that is cut off", () => {
    expect([...glyphCharacters(fontOf(0x000c0000, 0, 0, 9, 0x41, 0x42, 5, 0x50))]).toEqual([
      [5, 0x41],
      [6, 0x42],
    ]);
    for (let length = 0; length < 3000; length += 7) glyphCharacters(noto.slice(0, length));
  });
});
