/** A typeface that stands in where PDFium has none of its own: two files that the app serves. */
export interface Face {
  readonly regular: string;
  readonly bold: string;
}

const noto = (name: string, extension: string): Face => ({
  regular: `${name}-Regular.${extension}`,
  bold: `${name}-Bold.${extension}`,
});

/** The files as the packages `@embedpdf/fonts-…` call them. */
const JAPANESE = noto("NotoSansJP", "otf");
const KOREAN = noto("NotoSansKR", "otf");
const SIMPLIFIED_CHINESE = noto("NotoSansHans", "otf");
const TRADITIONAL_CHINESE = noto("NotoSansHant", "otf");
const ARABIC = noto("NotoNaskhArabic", "ttf");
const HEBREW = noto("NotoSansHebrew", "ttf");
/** Greek and Cyrillic, too. */
const LATIN = noto("NotoSans", "ttf");

/** The face for a Windows character set, by which PDFium asks for a font; nothing where its own will do. */
export function faceOfCharset(charset: number): Face | undefined {
  return CHARSETS[charset]?.face;
}

/** The name of a font, of whose bytes each is a character, as it is meant in a document of that character set. */
export function fontName(name: string, charset: number): string {
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0));
  const encodings = [...(CHARSETS[charset] ? [CHARSETS[charset].encoding] : []), "utf-8"];
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // It is in another encoding.
    }
  }
  return name;
}

const CHARSETS: Readonly<Record<number, { readonly face: Face; readonly encoding: string }>> = {
  128: { face: JAPANESE, encoding: "shift_jis" },
  129: { face: KOREAN, encoding: "euc-kr" },
  130: { face: KOREAN, encoding: "euc-kr" },
  134: { face: SIMPLIFIED_CHINESE, encoding: "gbk" },
  136: { face: TRADITIONAL_CHINESE, encoding: "big5" },
};

/** The face for a character that PDFium's own fonts do not have. */
export function faceOfCharacter(codePoint: number): Face | undefined {
  if (codePoint < FIRST_FOREIGN) return undefined;
  const character = String.fromCodePoint(codePoint);
  if (OWN_LATIN.includes(character)) return undefined;
  return SCRIPTS.find(([pattern]) => pattern.test(character))?.[1];
}

/** What is before it is in PDFium's own fonts. */
const FIRST_FOREIGN = 0x100;
/** So are these: Western Europe's. Of Latin letters, the others are missing there. */
const OWN_LATIN = "ıŁłŒœŠšŸŽžƒ";

/** What does not say which language it is in is taken for simplified Chinese, which has the most characters. */
const SCRIPTS: readonly (readonly [RegExp, Face])[] = [
  [/[\u0100-\u024f\u1e00-\u1eff\p{Script=Greek}\p{Script=Cyrillic}]/u, LATIN],
  [/\p{Script=Hebrew}/u, HEBREW],
  [/\p{Script=Arabic}/u, ARABIC],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, JAPANESE],
  [/\p{Script=Hangul}/u, KOREAN],
  [/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u, SIMPLIFIED_CHINESE],
];
