import { CHARACTER_CLASS, REGULAR, WHITE_SPACE } from "../syntax/characters.ts";
import { Keyword, Lexer } from "../syntax/lexer.ts";
import { PdfName } from "../syntax/objects.ts";

/** The kinds of named resources (ISO 32000-2, Table 34) that content refers to. */
export const RESOURCE_KINDS = [
  "XObject",
  "Font",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Which resources a content stream names, by kind. */
export type UsedNames = ReadonlyMap<ResourceKind, Set<string>>;

const KIND_OF_OPERATOR = new Map<string, ResourceKind>([
  ["Do", "XObject"],
  ["Tf", "Font"],
  ["gs", "ExtGState"],
  ["cs", "ColorSpace"],
  ["CS", "ColorSpace"],
  ["scn", "Pattern"],
  ["SCN", "Pattern"],
  ["sh", "Shading"],
  ["BDC", "Properties"],
  ["DP", "Properties"],
]);
/** Operators whose names are no resources. */
const OTHER_NAMES = new Set(["BMC", "MP", "ri"]);
/** Content with a longer string than this was most likely misread. */
const STRING_LIMIT = 1 << 20;

/** Collects the resources that content names. */
export class ContentNames {
  readonly used: UsedNames = new Map(RESOURCE_KINDS.map((kind) => [kind, new Set<string>()]));

  /**
   * Reads one content stream (ISO 32000-2, 7.8.2).
   *
   * @returns false when the content could not be read reliably: then every resource may be in use
   */
  add(content: Uint8Array): boolean {
    const lexer = new Lexer(content);
    let names: string[] = [];
    for (;;) {
      const token = lexer.next();
      if (token instanceof PdfName) names.push(token.value);
      if (!(token instanceof Keyword)) {
        if (lexer.at - lexer.start > STRING_LIMIT) return false;
        continue;
      }
      switch (token.text) {
        case "":
          return true;
        case "<<":
        case ">>":
        case "[":
        case "]":
          continue;
        case ")":
        case ">":
          return false;
        case "ID":
          // Inside an inline image every name may be a colour space.
          for (const name of names) this.#add("ColorSpace", name);
          lexer.at = endOfInlineImage(content, lexer.at);
          break;
        default:
          this.#operator(token.text, names);
      }
      if (names.length > 0) names = [];
    }
  }

  #operator(operator: string, names: readonly string[]): void {
    if (names.length === 0 || OTHER_NAMES.has(operator)) return;
    const kind = KIND_OF_OPERATOR.get(operator);
    for (const name of names) {
      if (kind) this.#add(kind, name);
      // What an unknown operator names may be anything.
      else for (const any of RESOURCE_KINDS) this.#add(any, name);
    }
  }

  #add(kind: ResourceKind, name: string): void {
    this.used.get(kind)?.add(name);
  }
}

/** Where the data of an inline image ends: behind an `EI` that stands alone and is followed by text. */
function endOfInlineImage(content: Uint8Array, from: number): number {
  const isSpace = (byte: number | undefined) => byte === undefined || CHARACTER_CLASS[byte] === WHITE_SPACE;
  for (let at = content.indexOf(0x45, from + 1); at >= 0; at = content.indexOf(0x45, at + 1)) {
    if (content[at + 1] !== 0x49 || !isSpace(content[at - 1]) || !isSpace(content[at + 2])) continue;
    const after = content.subarray(at + 2, at + 18);
    if (after.every((byte) => byte < 0x7f && (byte >= 0x20 || CHARACTER_CLASS[byte] !== REGULAR)))
      return at + 2;
  }
  return content.length;
}
