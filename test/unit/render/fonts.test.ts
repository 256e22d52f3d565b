import { afterEach, describe, expect, test, vi } from "vitest";
import { DocumentFonts } from "../../../workers/render/fonts/document-fonts.ts";
import {
  type Face,
  faceOfCharacter,
  faceOfCharset,
  fontName,
  isOwnCharacter,
} from "../../../workers/render/fonts/faces.ts";
import { FontShelf } from "../../../workers/render/fonts/font-shelf.ts";

const ANSI = 0;
const SHIFT_JIS = 128;
const GB2312 = 134;

/** Serves some files, and counts what is asked for. */
function serve(files: Readonly<Record<string, string>>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    asked.push(address);
    expect(init).toMatchObject({ redirect: "error", mode: "same-origin" });
    const file = files[address.replace(/^.*\//, "")];
    return file === undefined ? new Response("no", { status: 404 }) : new Response(file);
  });
  return asked;
}

/** A shelf that no other test has filled. */
let places = 0;
const newShelf = () => new FontShelf(`https://app.example/fonts-${++places}`);

const decoded = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("which face has what", () => {
  test("by character set", () => {
    expect([SHIFT_JIS, 129, GB2312, 136].map((charset) => faceOfCharset(charset)?.regular)).toEqual([
      "NotoSansJP-Regular.otf",
      "NotoSansKR-Regular.otf",
      "NotoSansHans-Regular.otf",
      "NotoSansHant-Regular.otf",
    ]);
    expect([ANSI, 2, 204].map(faceOfCharset)).toEqual([undefined, undefined, undefined]);
  });

  test.each([..."Aé−łœ…™ﬁ\u2009\u200d\ufeff\ue000\ufffd"])("PDFium has %s, or shows nothing", (character) => {
    expect(isOwnCharacter(character.codePointAt(0) ?? 0)).toBe(true);
  });

  test.each([
    ["ą", "NotoSans-Regular.ttf"],
    ["Ğ", "NotoSans-Regular.ttf"],
    ["ẽ", "NotoSans-Regular.ttf"],
    ["ﬀ", "NotoSans-Regular.ttf"],
    ["₹", "NotoSans-Regular.ttf"],
    ["№", "NotoSans-Regular.ttf"],
    ["Ω", "NotoSans-Regular.ttf"],
    ["Ж", "NotoSans-Regular.ttf"],
    ["Ａ", "NotoSansHans-Regular.otf"],
    ["≤", "NotoSansHans-Regular.otf"],
    ["√", "NotoSansHans-Regular.otf"],
    ["→", "NotoSansHans-Regular.otf"],
    ["─", "NotoSansHans-Regular.otf"],
    ["●", "NotoSansHans-Regular.otf"],
    ["א", "NotoSansHebrew-Regular.ttf"],
    ["ع", "NotoNaskhArabic-Regular.ttf"],
    ["あ", "NotoSansJP-Regular.otf"],
    ["한", "NotoSansKR-Regular.otf"],
    ["漢", "NotoSansHans-Regular.otf"],
    ["。", "NotoSansHans-Regular.otf"],
    ["ไ", undefined],
    ["☑", undefined],
  ])("by character: %s", (character, file) => {
    const codePoint = character.codePointAt(0) ?? 0;
    expect(isOwnCharacter(codePoint)).toBe(false);
    expect(faceOfCharacter(codePoint)?.regular).toBe(file);
  });

  test("names are read as they were written", () => {
    expect(fontName("\xcb\xce\xcc\xe5", GB2312)).toBe("宋体");
    expect(fontName("MS-Gothic", SHIFT_JIS)).toBe("MS-Gothic");
    expect(fontName("Z\xc3\xbcrich", ANSI)).toBe("Zürich");
    expect(fontName("Z\xfcrich", ANSI)).toBe("Zürich");
  });
});

describe("a document's fonts", () => {
  test("are loaded when they are asked for, once", async () => {
    const asked = serve({ "NotoSansJP-Regular.otf": "OTTO regular" });
    const shelf = newShelf();
    const fonts = new DocumentFonts(shelf);
    expect(fonts.find("MS-Gothic", 400, SHIFT_JIS)).toBeUndefined();
    expect(fonts.missing()).toEqual([]);
    expect(await fonts.loadWanted()).toBe(true);
    expect(decoded(fonts.find("MS-Gothic", 400, SHIFT_JIS))).toBe("OTTO regular");
    expect(await fonts.loadWanted()).toBe(false);
    const next = new DocumentFonts(shelf);
    expect(decoded(next.find("Ryumin-Light", 400, SHIFT_JIS))).toBe("OTTO regular");
    expect(asked).toHaveLength(1);
  });

  test("bold is regular where there is no bold", async () => {
    serve({ "NotoSansJP-Regular.otf": "OTTO regular" });
    const fonts = new DocumentFonts(newShelf());
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
  ])("%s: they are missing", async (_, files) => {
    serve(files);
    const fonts = new DocumentFonts(newShelf());
    fonts.find("\xcb\xce\xcc\xe5", 400, GB2312);
    await fonts.loadWanted();
    expect(fonts.find("\xcb\xce\xcc\xe5", 400, GB2312)).toBeUndefined();
    expect(await fonts.loadWanted()).toBe(false);
    expect(fonts.missing()).toEqual(["宋体"]);
  });

  test("Latin needs none", async () => {
    const asked = serve({});
    const fonts = new DocumentFonts(newShelf());
    for (const name of ["Helvetica", "Times-Roman", "Calibri"]) {
      expect(fonts.find(name, 400, ANSI)).toBeUndefined();
    }
    expect(await fonts.loadWanted()).toBe(false);
    expect([asked, fonts.missing()]).toEqual([[], []]);
  });

  describe("characters that a font does not have", () => {
    const CYRILLIC = faceOfCharacter("Ж".charCodeAt(0));
    const HAN = faceOfCharacter("漢".charCodeAt(0));
    if (CYRILLIC === undefined || HAN === undefined) throw new Error("there are no faces");

    const text = (font: string, face: Face | undefined, count = 1) => ({ font, face, count });

    test("are drawn by a face in the stead of the usual one", async () => {
      serve({ "NotoSans-Regular.ttf": "\0\u0001\0\0 noto" });
      const fonts = new DocumentFonts(newShelf());
      expect(fonts.mayHaveBlanks).toBe(false);
      fonts.find("Helvetica", 400, ANSI);
      expect(fonts.mayHaveBlanks).toBe(true);
      fonts.standInFor([text("ABCDEF+Arial", CYRILLIC)]);
      expect(await fonts.loadWanted()).toBe(true);
      expect(decoded(fonts.find("Helvetica", 400, ANSI))).toContain("noto");
      // The next page has such characters too, and is drawn right at once.
      fonts.standInFor([text("ABCDEF+Arial", CYRILLIC)]);
      expect(await fonts.loadWanted()).toBe(false);
      expect(fonts.missing()).toEqual([]);
    });

    test("are missing without it", async () => {
      serve({});
      const fonts = new DocumentFonts(newShelf());
      fonts.standInFor([text("ABCDEF+Arial", CYRILLIC)]);
      await fonts.loadWanted();
      expect(fonts.missing()).toEqual(["Arial"]);
    });

    test("one stands in at a time: a change draws the page anew", async () => {
      serve({ "NotoSans-Regular.ttf": "true noto", "NotoSansHans-Regular.otf": "OTTO hans" });
      const fonts = new DocumentFonts(newShelf());
      for (const face of [CYRILLIC, HAN]) {
        fonts.standInFor([text("Arial", face)]);
        expect(await fonts.loadWanted()).toBe(true);
      }
      fonts.standInFor([text("Arial", CYRILLIC)]);
      expect(await fonts.loadWanted()).toBe(true);
      expect(decoded(fonts.find("Helvetica", 400, ANSI))).toBe("true noto");
    });

    test("are drawn by the face of most, and the others are told", async () => {
      serve({ "NotoSans-Regular.ttf": "true noto", "NotoSansHans-Regular.otf": "OTTO hans" });
      const fonts = new DocumentFonts(newShelf());
      for (const isFirst of [true, false]) {
        fonts.standInFor([text("Arial", CYRILLIC, 2), text("Courier", HAN, 2), text("Verdana", HAN)]);
        expect(await fonts.loadWanted()).toBe(isFirst);
      }
      expect(decoded(fonts.find("Helvetica", 400, ANSI))).toBe("OTTO hans");
      expect(fonts.missing()).toEqual(["Arial"]);
    });

    test("are drawn by the face that is there", async () => {
      serve({ "NotoSans-Regular.ttf": "true noto" });
      const fonts = new DocumentFonts(newShelf());
      for (const isDrawnAnew of [true, true, false]) {
        fonts.standInFor([text("Arial", CYRILLIC), text("Courier", HAN, 2)]);
        expect(await fonts.loadWanted()).toBe(isDrawnAnew);
      }
      expect(decoded(fonts.find("Helvetica", 400, ANSI))).toBe("true noto");
      expect(fonts.missing()).toEqual(["Courier"]);
    });

    test("are told where no face has them", async () => {
      const asked = serve({});
      const fonts = new DocumentFonts(newShelf());
      fonts.standInFor([text("ABCDEF+Arial", undefined)]);
      expect(await fonts.loadWanted()).toBe(false);
      expect([asked, fonts.missing()]).toEqual([[], ["Arial"]]);
    });

    test("not of fonts that have a face already, nor of PDFium's own symbols", async () => {
      const asked = serve({ "NotoSansHans-Regular.otf": "OTTO hans" });
      const fonts = new DocumentFonts(newShelf());
      fonts.find("AdobeHeitiStd", 400, GB2312);
      await fonts.loadWanted();
      fonts.standInFor([text("AdobeHeitiStd-Regular", HAN)]);
      fonts.standInFor([text("Symbol", CYRILLIC)]);
      expect(await fonts.loadWanted()).toBe(false);
      expect(asked).toHaveLength(1);
    });
  });
});
