type Ranges = readonly (readonly [first: number, last: number])[];

/** RFC 3454, table B.1: mapped to nothing. */
const MAPPED_TO_NOTHING: Ranges = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x1806, 0x1806],
  [0x180b, 0x180d],
  [0x200b, 0x200d],
  [0x2060, 0x2060],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];

/** RFC 3454, table C.1.2: spaces other than U+0020. */
const SPACES: Ranges = [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200b],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

/** RFC 4013, 2.3, which names RFC 3454's tables C.1.2 and C.2.1 to C.9. */
const PROHIBITED: Ranges = [
  ...SPACES,
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0x340, 0x341],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x180e, 0x180e],
  [0x200c, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2063],
  [0x206a, 0x206f],
  [0x2ff0, 0x2ffb],
  [0xd800, 0xf8ff],
  [0xfdd0, 0xfdef],
  [0xfeff, 0xfeff],
  [0xfff9, 0xffff],
  [0x1d173, 0x1d17a],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
  [0xf0000, 0x10ffff],
];

/** RFC 3454, table D.1: written from right to left. */
const RIGHT_TO_LEFT: Ranges = [
  [0x5be, 0x5be],
  [0x5c0, 0x5c0],
  [0x5c3, 0x5c3],
  [0x5d0, 0x5ea],
  [0x5f0, 0x5f4],
  [0x61b, 0x61b],
  [0x61f, 0x61f],
  [0x621, 0x63a],
  [0x640, 0x64a],
  [0x66d, 0x66f],
  [0x671, 0x6d5],
  [0x6dd, 0x6dd],
  [0x6e5, 0x6e6],
  [0x6fa, 0x6fe],
  [0x700, 0x70d],
  [0x710, 0x710],
  [0x712, 0x72c],
  [0x780, 0x7a5],
  [0x7b1, 0x7b1],
  [0x200f, 0x200f],
  [0xfb1d, 0xfb1d],
  [0xfb1f, 0xfb28],
  [0xfb2a, 0xfb36],
  [0xfb38, 0xfb3c],
  [0xfb3e, 0xfb3e],
  [0xfb40, 0xfb41],
  [0xfb43, 0xfb44],
  [0xfb46, 0xfbb1],
  [0xfbd3, 0xfd3d],
  [0xfd50, 0xfd8f],
  [0xfd92, 0xfdc7],
  [0xfdf0, 0xfdfc],
  [0xfe70, 0xfe74],
  [0xfe76, 0xfefc],
];

/** Approximates RFC 3454, table D.2 (left to right): the letters that table D.1 does not have. */
const LETTER = /[\p{L}\p{Nl}\p{Mc}]/u;

const within = (code: number, ranges: Ranges) =>
  ranges.some(([first, last]) => code >= first && code <= last);
const isNonCharacter = (code: number) => (code & 0xfffe) === 0xfffe;

/**
 * Prepares a password (RFC 4013). Allows code points that Unicode 3.2 did not assign. Returns undefined for a prohibited
 * character or text of mixed direction.
 */
export function saslPrep(text: string): string | undefined {
  let mapped = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (within(code, SPACES)) mapped += " ";
    else if (!within(code, MAPPED_TO_NOTHING)) mapped += character;
  }
  const normalized = [...mapped.normalize("NFKC")];
  const codes = normalized.map((character) => character.codePointAt(0) ?? 0);
  if (codes.some((code) => within(code, PROHIBITED) || isNonCharacter(code))) return undefined;
  const rightToLeft = codes.map((code) => within(code, RIGHT_TO_LEFT));
  if (rightToLeft.includes(true)) {
    if (!rightToLeft[0] || !rightToLeft.at(-1)) return undefined;
    if (normalized.some((character, index) => !rightToLeft[index] && LETTER.test(character)))
      return undefined;
  }
  return normalized.join("");
}
