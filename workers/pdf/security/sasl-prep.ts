type Ranges = readonly (readonly [first: number, last: number])[];

/** Reads code points and ranges as RFC 3454 writes them: hexadecimal, `first-last`. */
function ranges(text: string): Ranges {
  return text.split(" ").map((item) => {
    const [first = 0, last = first] = item.split("-").map((code) => Number.parseInt(code, 16));
    return [first, last];
  });
}

/** RFC 3454, table B.1: mapped to nothing. */
const MAPPED_TO_NOTHING = ranges("ad 34f 1806 180b-180d 200b-200d 2060 fe00-fe0f feff");

/** RFC 3454, table C.1.2: spaces other than U+0020. */
const SPACES = ranges("a0 1680 2000-200b 202f 205f 3000");

/** RFC 4013, 2.3, which names RFC 3454's tables C.1.2 and C.2.1 to C.9. */
const PROHIBITED: Ranges = [
  ...SPACES,
  ...ranges(
    "0-1f 7f-9f 340-341 6dd 70f 180e 200c-200f 2028-202e 2060-2063 206a-206f 2ff0-2ffb d800-f8ff " +
      "fdd0-fdef feff fff9-ffff 1d173-1d17a e0001 e0020-e007f f0000-10ffff",
  ),
];

/** RFC 3454, table D.1: written from right to left. */
const RIGHT_TO_LEFT = ranges(
  "5be 5c0 5c3 5d0-5ea 5f0-5f4 61b 61f 621-63a 640-64a 66d-66f 671-6d5 6dd 6e5-6e6 6fa-6fe 700-70d 710 " +
    "712-72c 780-7a5 7b1 200f fb1d fb1f-fb28 fb2a-fb36 fb38-fb3c fb3e fb40-fb41 fb43-fb44 fb46-fbb1 " +
    "fbd3-fd3d fd50-fd8f fd92-fdc7 fdf0-fdfc fe70-fe74 fe76-fefc",
);

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
