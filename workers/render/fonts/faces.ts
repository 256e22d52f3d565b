import { FACES, type Face } from "../../../src/shared/font-faces.ts";

export type { Face } from "../../../src/shared/font-faces.ts";

/** Returns the face for a Windows character set, or `undefined` when PDFium has a font of its own. */
export function faceOfCharset(charset: number): Face | undefined {
  return CHARSETS[charset]?.face;
}

/**
 * Decodes the name of a font in a document with that character set.
 *
 * @param name each byte as a character
 */
export function fontName(name: string, charset: number): string {
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0));
  const encodings = [...(CHARSETS[charset] ? [CHARSETS[charset].encoding] : []), "utf-8"];
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (thrown) {
      // The name has another encoding.
      if (!(thrown instanceof TypeError)) throw thrown;
    }
  }
  return name;
}

const CHARSETS: Readonly<Record<number, { readonly face: Face; readonly encoding: string }>> = {
  128: { face: FACES.japanese, encoding: "shift_jis" },
  129: { face: FACES.korean, encoding: "euc-kr" },
  130: { face: FACES.korean, encoding: "euc-kr" },
  134: { face: FACES.simplifiedChinese, encoding: "gbk" },
  136: { face: FACES.traditionalChinese, encoding: "big5" },
};

/** Whether PDFium's own fonts have a character, or the character is invisible. */
export function isOwnCharacter(codePoint: number): boolean {
  if (codePoint < FIRST_FOREIGN) return true;
  const character = String.fromCodePoint(codePoint);
  return OWN_CHARACTERS.includes(character) || UNSEEN.test(character);
}

/** Returns the face for a character that PDFium's own fonts lack, or `undefined` when no face has it. */
export function faceOfCharacter(codePoint: number): Face | undefined {
  const character = String.fromCodePoint(codePoint);
  return SCRIPTS.find(([pattern]) => pattern.test(character))?.[1];
}

/** PDFium's own fonts have all characters before this one. */
const FIRST_FOREIGN = 0x100;
/** Further characters of Western Europe that all of PDFium's fonts have. */
const OWN_CHARACTERS = "ıŁłŒœŠšŸŽžƒˆˇˉ˘˙˚˛˜˝–—‘’‚“”„†‡•…‰‹›⁄€™−∕∙ﬁﬂ";
/** Spaces, control characters, and the replacement character. */
const UNSEEN = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\ufffd]/u;

/** Characters of several languages use the Simplified Chinese face, which has the most characters. */
const SCRIPTS: readonly (readonly [RegExp, Face])[] = [
  [/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u, FACES.simplifiedChinese],
  // Numerals, arrows, mathematics, frames, shapes and suits that this face has.
  [
    /[\u2160-\u216b\u2170-\u2179\u2190-\u2199\u21d2\u21d4\u2200\u2202\u2203\u2205-\u220b]/,
    FACES.simplifiedChinese,
  ],
  [/[\u220f\u2211-\u2213\u221a\u221d-\u2220\u2223\u2225-\u222e\u2234-\u2237\u2248]/, FACES.simplifiedChinese],
  [/[\u2260-\u2262\u2264-\u2267\u226a\u226b\u2282-\u2287\u2295-\u2299\u22a5\u22bf]/, FACES.simplifiedChinese],
  [
    /[\u2460-\u25ab\u25b2\u25b3\u25b6\u25b7\u25bc\u25bd\u25c0\u25c1\u25c6-\u25cc\u25ce\u25cf]/,
    FACES.simplifiedChinese,
  ],
  [/[\u25ef\u2600-\u2603\u2605\u2606\u260e\u2640-\u2642\u2660-\u266f\u2713\u2756]/, FACES.simplifiedChinese],
  [/[\p{Script_Extensions=Hebrew}\u20aa]/u, FACES.hebrew],
  [/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script_Extensions=Devanagari}]/u, FACES.latin],
  [/[\u02b0-\u036f\u2010-\u209c\u20a0-\u20c0\u2100-\u215f\u2189]/, FACES.latin],
  [/\p{Script_Extensions=Arabic}/u, FACES.arabic],
  [/[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]/u, FACES.japanese],
  [/\p{Script_Extensions=Hangul}/u, FACES.korean],
];
