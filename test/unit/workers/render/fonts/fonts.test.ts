import { afterEach, describe, expect, test, vi } from "vitest";
import { charactersOf } from "../../../../../workers/render/fonts/character-map.ts";
import { DocumentFonts, type ForeignText } from "../../../../../workers/render/fonts/document-fonts.ts";
import {
  faceOfCharacter,
  faceOfCharset,
  fontName,
  isOwnCharacter,
} from "../../../../../workers/render/fonts/faces.ts";
import { FontLibrary } from "../../../../../workers/render/fonts/font-library.ts";
import { concatBytes } from "../../../../support/fixtures/image/bytes.ts";

const ANSI = 0;
const SHIFT_JIS = 128;
const GB2312 = 134;

/** As much of a font as its map of characters. */
function fontWith(characters: string, format: 4 | 12 = 12): Uint8Array<ArrayBuffer> {
  const codes = Array.from(characters, (character) => character.codePointAt(0) ?? 0).sort((a, b) => a - b);
  const u16s = (...values: number[]) => Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));
  const u32s = (...values: number[]) => u16s(...values.flatMap((value) => [value >>> 16, value & 0xffff]));
  const last = [...codes, 0xffff];
  const segments = [last, [0], last, last.map((code) => (1 - code) & 0xffff), last.map(() => 0)].flat();
  const map =
    format === 12
      ? concatBytes([
          u16s(12, 0),
          u32s(16 + 12 * codes.length, 0, codes.length),
          ...codes.map((one) => u32s(one, one, 1)),
        ])
      : u16s(4, 16 + 8 * last.length, 0, 2 * last.length, 0, 0, 0, ...segments);
  const table = concatBytes([u16s(0, 1, 3, format === 12 ? 10 : 1), u32s(12), map]);
  return concatBytes([u32s(0x10000), u16s(1, 0, 0, 0), u32s(0x636d6170, 0, 28, table.length), table]);
}

/** Serves some files, and counts what is asked for. */
function serve(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    asked.push(address);
    expect(init).toMatchObject({ redirect: "error" });
    const file = files[address.replace(/^.*\//, "")];
    return file === undefined ? new Response("no", { status: 404 }) : new Response(file);
  });
  return asked;
}

/** A library that no other test has filled. */
let places = 0;
const newLibrary = () => new FontLibrary(`https://app.example/fonts-${++places}`);

/** Serves the files. Returns the fonts of a document, and the list of requests. */
const served = (files: Parameters<typeof serve>[0]) => ({
  asked: serve(files),
  fonts: new DocumentFonts(newLibrary()),
});

const decoded = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the face", () => {
  test("of a character set", () => {
    expect([SHIFT_JIS, 129, GB2312, 136].map((charset) => faceOfCharset(charset)?.regular)).toEqual([
      "NotoSansJP-Regular.otf",
      "NotoSansKR-Regular.otf",
      "NotoSansHans-Regular.otf",
      "NotoSansHant-Regular.otf",
    ]);
    expect([ANSI, 2, 204].map(faceOfCharset)).toEqual([undefined, undefined, undefined]);
  });

  test.each([..."Aé−łœ…™ﬁ\u2009\u200d\ufeff\ue000\ufffd"])("isOwnCharacter is true for %s", (character) => {
    expect(isOwnCharacter(character.codePointAt(0) ?? 0)).toBe(true);
  });

  test.each([
    ["ąĞẽﬀ₹№ΩЖ", "NotoSans-Regular.ttf"],
    ["Ａ≤√→─●漢。", "NotoSansHans-Regular.otf"],
    ["א", "NotoSansHebrew-Regular.ttf"],
    ["ع", "NotoNaskhArabic-Regular.ttf"],
    ["あ", "NotoSansJP-Regular.otf"],
    ["한", "NotoSansKR-Regular.otf"],
    ["ไ☑", undefined],
  ])("of the characters %s", (characters, file) => {
    for (const character of characters) {
      const codePoint = character.codePointAt(0) ?? 0;
      expect(isOwnCharacter(codePoint)).toBe(false);
      expect(faceOfCharacter(codePoint)?.regular, character).toBe(file);
    }
  });

  test("fontName decodes names by their character set", () => {
    expect(fontName("\xcb\xce\xcc\xe5", GB2312)).toBe("宋体");
    expect(fontName("MS-Gothic", SHIFT_JIS)).toBe("MS-Gothic");
    expect(fontName("Z\xc3\xbcrich", ANSI)).toBe("Zürich");
    expect(fontName("Z\xfcrich", ANSI)).toBe("Zürich");
  });
});

describe("a document's fonts", () => {
  test("are loaded once, on request", async () => {
    const asked = serve({ "NotoSansJP-Regular.otf": "OTTO regular" });
    const library = newLibrary();
    const fonts = new DocumentFonts(library);
    expect(fonts.find("MS-Gothic", 400, SHIFT_JIS)).toBeUndefined();
    expect(fonts.missing()).toEqual([]);
    expect(await fonts.loadWanted()).toBe(true);
    expect(decoded(fonts.find("MS-Gothic", 400, SHIFT_JIS))).toBe("OTTO regular");
    expect(await fonts.loadWanted()).toBe(false);
    const next = new DocumentFonts(library);
    expect(decoded(next.find("Ryumin-Light", 400, SHIFT_JIS))).toBe("OTTO regular");
    expect(asked).toHaveLength(1);
  });

  test("use the regular face if there is no bold one", async () => {
    const { fonts } = served({ "NotoSansJP-Regular.otf": "OTTO regular" });
    for (const _ of ["bold", "regular"]) {
      fonts.find("MS-Gothic", 700, SHIFT_JIS);
      expect(await fonts.loadWanted()).toBe(true);
    }
    expect(decoded(fonts.find("MS-Gothic", 700, SHIFT_JIS))).toBe("OTTO regular");
    expect(fonts.missing()).toEqual([]);
  });

  test.each([
    ["not served", {}],
    ["a page in its place", { "NotoSansHans-Regular.otf": "<!doctype html>" }],
  ])("are missing if %s", async (_, files) => {
    const { fonts } = served(files);
    fonts.find("\xcb\xce\xcc\xe5", 400, GB2312);
    await fonts.loadWanted();
    expect(fonts.find("\xcb\xce\xcc\xe5", 400, GB2312)).toBeUndefined();
    expect(await fonts.loadWanted()).toBe(false);
    expect(fonts.missing()).toEqual(["宋体"]);
  });

  test("are not loaded for Latin", async () => {
    const { asked, fonts } = served({});
    for (const name of ["Helvetica", "Times-Roman", "Calibri"]) {
      expect(fonts.find(name, 400, ANSI)).toBeUndefined();
    }
    expect(await fonts.loadWanted()).toBe(false);
    expect([asked, fonts.missing()]).toEqual([[], []]);
  });

  describe("characters that a font does not have", () => {
    const NOTO = "NotoSans-Regular.ttf";
    const HANS = "NotoSansHans-Regular.otf";
    const text = (font: string, characters: string) => {
      const codePoints = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
      return { font, characters: new Map(codePoints.map((codePoint) => [codePoint, 1])) };
    };
    /** Shows a page until it need not be drawn anew. */
    const settle = async (fonts: DocumentFonts, ...texts: readonly ForeignText[]) => {
      let times = 0;
      do fonts.chooseFallback(texts);
      while ((await fonts.loadWanted()) && ++times < 9);
      return times;
    };

    test("are drawn by the face for their script", async () => {
      const { fonts } = served({ [NOTO]: fontWith("Ж") });
      expect(fonts.needsFallback).toBe(false);
      fonts.find("Helvetica", 400, ANSI);
      expect(fonts.needsFallback).toBe(true);
      expect(await settle(fonts, text("ABCDEF+Arial", "Ж"))).toBe(1);
      expect(fonts.find("Helvetica", 400, ANSI)).toEqual(fontWith("Ж"));
      // The next page has such characters too, and is drawn right at once.
      expect(await settle(fonts, text("ABCDEF+Arial", "Ж"))).toBe(0);
      expect(fonts.missing()).toEqual([]);
    });

    test("are missing without the face", async () => {
      const { fonts } = served({});
      await settle(fonts, text("ABCDEF+Arial", "Ж"));
      expect(fonts.missing()).toEqual(["Arial"]);
    });

    test("are drawn by one face at a time, and a change draws the page again", async () => {
      const { fonts } = served({ [NOTO]: fontWith("Ж"), [HANS]: fontWith("漢") });
      for (const character of "Ж漢Ж") expect(await settle(fonts, text("Arial", character))).toBe(1);
      expect(fonts.find("Helvetica", 400, ANSI)).toEqual(fontWith("Ж"));
      expect(fonts.missing()).toEqual([]);
    });

    test("are drawn by the face for most of them, and reported if it lacks some", async () => {
      const { fonts } = served({ [NOTO]: fontWith("ЖЩ"), [HANS]: fontWith("漢字文化Ω") });
      const texts = [
        text("Arial", "ЖЩ"),
        text("Courier", "漢字"),
        text("Verdana", "文化"),
        text("Georgia", "Ω"),
      ];
      expect(await settle(fonts, ...texts)).toBe(1);
      expect(fonts.find("Helvetica", 400, ANSI)).toEqual(fontWith("漢字文化Ω"));
      expect(fonts.missing()).toEqual(["Arial"]);
    });

    test("are drawn by a face that is served", async () => {
      const { fonts } = served({ [NOTO]: fontWith("Ж") });
      expect(await settle(fonts, text("Arial", "Ж"), text("Courier", "漢字"))).toBe(2);
      expect(fonts.find("Helvetica", 400, ANSI)).toEqual(fontWith("Ж"));
      expect(fonts.missing()).toEqual(["Courier"]);
    });

    test("are reported if no face has them", async () => {
      const { asked, fonts } = served({});
      expect(await settle(fonts, text("ABCDEF+Arial", "ไ"))).toBe(0);
      expect([asked, fonts.missing()]).toEqual([[], ["Arial"]]);
    });

    test("do not include those of fonts with a face or of PDFium's symbol fonts", async () => {
      const { asked, fonts } = served({ [HANS]: fontWith("漢") });
      fonts.find("AdobeHeitiStd", 400, GB2312);
      await fonts.loadWanted();
      expect(await settle(fonts, text("AdobeHeitiStd-Regular", "漢"), text("Symbol", "Ж"))).toBe(0);
      expect(asked).toHaveLength(1);
    });
  });
});

describe("charactersOf", () => {
  test.each([4, 12] as const)("reads a map of format %d", (format) => {
    const has = charactersOf(fontWith("Жщ漢", format));
    const found = [..."Жщ漢ЗA字"].filter((character) => has(character.codePointAt(0) ?? 0));
    expect(found.join("")).toBe("Жщ漢");
    expect(has(0x1f600)).toBe(false);
    if (format === 12) expect(charactersOf(fontWith("😀"))(0x1f600)).toBe(true);
  });

  test.each([
    ["broken off", fontWith("Ж").subarray(0, 40)],
    ["without a map", fontWith("Ж").fill(0, 12)],
  ])("is true for all characters of a font that is %s", (_, font) => {
    expect(charactersOf(font)(0x416)).toBe(true);
  });
});
