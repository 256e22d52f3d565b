import { integerOf, nameOf, PdfDict, PdfName, type PdfObject } from "../syntax/objects.ts";
import type { CodeSet } from "./content-use.ts";

/**
 * The end of printable ASCII, which begins at `PRINTABLE`. All base encodings give its codes the same names,
 * except for two.
 */
const ASCII_END = 127;
const PRINTABLE = 32;
/**
 * The names of the printable ASCII characters that are not letters (ISO 32000-2, D.2), in the order of their
 * codes.
 */
const SIGNS =
  "space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma " +
  "hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at";
const SIGNS_AFTER_CAPITALS = "bracketleft backslash bracketright asciicircum underscore grave";
const SIGNS_AFTER_LETTERS = "braceleft bar braceright asciitilde";
const letters = (first: string) =>
  Array.from({ length: 26 }, (_, index) => String.fromCharCode(first.charCodeAt(0) + index));
const ASCII_NAMES = [
  ...SIGNS.split(" "),
  ...letters("A"),
  ...SIGNS_AFTER_CAPITALS.split(" "),
  ...letters("a"),
  ...SIGNS_AFTER_LETTERS.split(" "),
];
/** The names of codes 39 and 96 in StandardEncoding. */
const OTHER_ASCII_NAMES = new Map([
  [39, "quoteright"],
  [96, "quoteleft"],
]);
/** Names that base encodings also have for codes beyond ASCII (ISO 32000-2, D.2). */
const ALSO_BEYOND_ASCII = ["space", "hyphen", "quotesingle", "quoteright", "quoteleft", "grave"];
/** Names that stand for ASCII codes only. */
const ASCII_ONLY_NAMES = new Set(
  [...ASCII_NAMES, ...OTHER_ASCII_NAMES.values()].filter((name) => !ALSO_BEYOND_ASCII.includes(name)),
);

/**
 * Returns the entries of a Type 3 font's `CharProcs` that show the given codes. `Differences` must name all
 * codes (ISO 32000-2, 9.6.4). For other codes, some readers use the names of a base encoding. An ASCII code
 * then has its ASCII name. Any other code may have any name that is neither an ASCII name nor in
 * `Differences`.
 */
export function glyphProceduresOf(
  font: PdfDict,
  codes: CodeSet,
): readonly (readonly [name: string, procedure: PdfObject])[] {
  const procedures = font.dict("CharProcs");
  if (!procedures) return [];
  const named = differencesOf(font);
  const isNamed = new Set(named.values());
  const used = new Set<string>();
  let hasOthers = false;
  for (const code of codes.codes()) {
    const name = named.get(code);
    if (name !== undefined) used.add(name);
    else if (code >= PRINTABLE && code < ASCII_END) {
      for (const known of [ASCII_NAMES[code - PRINTABLE], OTHER_ASCII_NAMES.get(code)]) {
        if (known !== undefined) used.add(known);
      }
    } else hasOthers = true;
  }
  return [...procedures.entries()].filter(
    ([name]) => used.has(name) || (hasOthers && !isNamed.has(name) && !ASCII_ONLY_NAMES.has(name)),
  );
}

/**
 * Returns a Type 3 font's `Encoding` with only the glyph names of the given codes; undefined without an
 * encoding.
 */
export function encodingFor(font: PdfDict, codes: CodeSet): PdfObject | undefined {
  const encoding = font.value("Encoding");
  if (!(encoding instanceof PdfDict)) return encoding ?? undefined;
  const needed = new PdfDict();
  for (const key of ["Type", "BaseEncoding"]) {
    const name = encoding.name(key);
    if (name !== undefined) needed.set(key, PdfName.of(name));
  }
  const differences: PdfObject[] = [];
  let next = -1;
  const named = differencesOf(font);
  for (const code of codes.codes()) {
    const name = named.get(code);
    if (name === undefined) continue;
    if (code !== next) differences.push(code);
    differences.push(PdfName.of(name));
    next = code + 1;
  }
  needed.set("Differences", differences);
  return needed;
}

/** Returns the glyph names that an encoding's `Differences` give to codes (ISO 32000-2, 9.6.5). */
function differencesOf(font: PdfDict): ReadonlyMap<number, string> {
  const named = new Map<number, string>();
  let code = 0;
  for (const entry of font.dict("Encoding")?.array("Differences") ?? []) {
    const name = nameOf(entry);
    if (name !== undefined) named.set(code++, name);
    else code = integerOf(entry) ?? code;
  }
  return named;
}
