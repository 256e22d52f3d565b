import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNamePart } from "../../../../workers/pdf/file-name-part.ts";

const ROOM = 255;

describe("a text as a part of a file name", () => {
  test.each([
    ["letters of all scripts", "Übersicht 第一章 مقدمة", "Übersicht 第一章 مقدمة"],
    ["reserved characters", '1: <"a/b\\c|d?*">', "1_ __a_b_c_d____"],
    ["line ends, tabs and other controls", "\tOne\r\nTwo\u2028Three\0", "One Two Three"],
    ["dots and spaces at the end", " the end . . ", "the end"],
    ["dots elsewhere", ".NET 4.8", ".NET 4.8"],
    ["nothing but dots", " ...", ""],
    ["controls of the direction of text", "a\u202efdp.exe\u2066b\u200f", "afdp.exeb"],
    ["invisible characters", "so\u00adft\ufeff\u200b\u2060ware", "software"],
    [
      "joiners and variation selectors",
      "می\u200cخواهم 👩\u200d💻 ❤\ufe0f",
      "می\u200cخواهم 👩\u200d💻 ❤\ufe0f",
    ],
    ["lone surrogates and noncharacters", "a\ud800b\udc00c\uffff\u{1fffe}d", "abcd"],
    ["decomposed letters", "A\u0308rger, \u1112\u1161\u11ab", "Ärger, 한"],
    ["a device name, which is one only at the start of a file name", "CON", "CON"],
  ])("with %s", (_, text, expected) => {
    expect(fileNamePart(text, ROOM)).toBe(expected);
  });

  test.each([
    ["at 80 characters", "x".repeat(100), "x".repeat(80)],
    ["before a pair of surrogates", `${"x".repeat(79)}😀`, "x".repeat(79)],
    ["before a letter with marks", `${"x".repeat(79)}q\u0308\u0323`, "x".repeat(79)],
    ["before a family of emoji", `${"x".repeat(75)}👩\u200d👩\u200d👧`, "x".repeat(75)],
    ["before an emoji with a skin tone", `${"x".repeat(77)}👍🏽`, "x".repeat(77)],
    ["before a flag", `${"x".repeat(78)}🇨🇭`, "x".repeat(78)],
    ["so that it ends with no dot or space", `${"x".repeat(76)} . . more`, "x".repeat(76)],
    ["to nothing, when all combines", `q${"\u0308".repeat(100)}`, ""],
  ])("is cut %s", (_, text, expected) => {
    expect(fileNamePart(text, ROOM)).toBe(expected);
  });

  test("is cut to the bytes that are left in UTF-8, perhaps none", () => {
    expect(fileNamePart("日本語のタイトル", 8)).toBe("日本");
    expect(fileNamePart("😀😀😀", 11)).toBe("😀😀");
    expect(fileNamePart("title", 0)).toBe("");
    expect(fileNamePart("title", -20)).toBe("");
  });

  test("is a safe file name for any text", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 120 }), fc.string({ maxLength: 120 }));
    fc.assert(
      fc.property(text, fc.integer({ min: -9, max: 300 }), (given, room) => {
        const part = fileNamePart(given, room);
        expect(part).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cs}\p{Bidi_Control}]|^\s|[ .]$/u);
        expect(part).toBe(part.normalize("NFC"));
        expect(part.length).toBeLessThanOrEqual(80);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(Math.max(0, room));
      }),
    );
  });

  test("of ten million characters is cut in linear time", () => {
    expect(fileNamePart("q\u0308".repeat(5_000_000), ROOM)).toHaveLength(80);
    expect(fileNamePart(" ".repeat(10_000_000), ROOM)).toBe("");
  });
});
