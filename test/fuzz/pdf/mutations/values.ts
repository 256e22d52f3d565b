import type { Random } from "../../random.ts";
import { freeNumber, type Model } from "../model.ts";

/** Numbers at which something ends: signs, widths, limits. */
const NUMBERS = [
  ...["0", "-1", "1", "2", "3", "-2147483649", "2147483648", "4294967295", "4294967296", "65535", "65536"],
  ...["8388607", "8388608", "99999999", "9999999999", "9007199254740993", "1e9", ".5", "-0", "+7", "--1"],
  ...["1.", "255", "256", "16777216", "00000000000000000001", "123456789012345678901234567890"],
];
const NAMES = [
  ...["Page", "Pages", "Catalog", "ObjStm", "XRef", "Annot", "Font", "XObject", "Sig", "Metadata", "Crypt"],
  ...["StructElem", "StructTreeRoot", "OCG", "MCR", "OBJR", "Action", "Filespec", "EmbeddedFile", "Outlines"],
  ...["FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode", "DCTDecode"],
  ...["Identity", "StdCF", "None", "V2", "AESV2", "AESV3", "Standard", "GoTo", "Thread", "Form", "Image"],
  ...["Widget", "Link", "Type3", "#00", "A#42", "#zz", "Length", "Kids", "Parent", "Root", ""],
];
const STRINGS = ["()", "(a)", "<>", "<4", "(\\)", "((()", "(\\777)", "<zz>", "(\xfe\xff\0A)", "(a\\\r\nb)"];

/** A reference, most often to an object that there is. */
export function reference(model: Model, random: Random): string {
  const num = random.chance(0.85)
    ? (random.pickAny(model.objects)?.num ?? 1)
    : random.pick([0, freeNumber(model), 8388607, 99999999, -1]);
  const gen = random.chance(0.93) ? 0 : random.pick([1, 65535, 65536, -1, 99999]);
  return `${num} ${gen} R`;
}

export const numberText = (random: Random): string =>
  random.chance(0.7) ? random.pick(NUMBERS) : String(random.between(-9, 300));

export const nameText = (random: Random): string =>
  random.chance(0.97) ? `/${random.pick(NAMES)}` : `/${"n".repeat(random.size(3e5))}`;

/** Brackets in brackets, closed or not. */
export function nested(random: Random): string {
  const depth = random.chance(0.1) ? 1_000_000 : random.pick([2, 30, 260, 498, 499, 500, 501, 502, 5000]);
  const [open, close] = random.pick([
    ["[", "]"],
    ["<</K ", ">>"],
    ["[<</A[", "]>>]"],
    ["(", ")"],
    ["<</Kids[", "]>>"],
  ] as const);
  return open.repeat(depth) + (random.chance(0.7) ? close.repeat(depth) : "");
}

/** A value of any type; `self` is the object that it will stand in. */
export function anyValue(model: Model, random: Random, self: number, depth = 0): string {
  const inner = () => anyValue(model, random, self, depth + 1);
  switch (random.below(depth > 3 ? 7 : 13)) {
    case 0:
    case 1:
      return reference(model, random);
    case 2:
      return `${self} 0 R`;
    case 3:
      return numberText(random);
    case 4:
      return nameText(random);
    case 5:
      return random.pick(STRINGS);
    case 6:
      return random.pick(["null", "true", "false", "[]", "<<>>", "endobj", "stream", "R", ">>", "%"]);
    case 7:
    case 8: {
      const count = random.chance(0.05) ? random.size(30_000) : random.between(1, 4);
      const item = inner();
      return `[${random.chance(0.5) ? repeated(`${item} `, count) : Array.from({ length: Math.min(count, 9) }, inner).join(" ")}]`;
    }
    case 9:
      return `<<${Array.from({ length: random.between(1, 3) }, () => `${nameText(random)} ${inner()}`).join("")}>>`;
    case 10:
      return random.chance(0.15) ? nested(random) : reference(model, random);
    case 11:
      return `[${self} 0 R ${self} 0 R]`;
    default:
      return `(${"s".repeat(random.size(2e5))})`;
  }
}

/** A repeated text may have this many characters. */
const LONGEST_REPEATED = 8e6;

/** A text so many times, or as often as it goes into a file of bearable size. */
export function repeated(text: string, times: number): string {
  return text.repeat(Math.min(times, Math.ceil(LONGEST_REPEATED / Math.max(1, text.length))));
}
