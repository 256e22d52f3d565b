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

/** Which resources content names, by kind. */
export type UsedNames = ReadonlyMap<ResourceKind, ReadonlySet<string>>;

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
const NAMES_LIMIT = 20_000;

/**
 * The resources that a content stream names (ISO 32000-2, 7.8.2). Where operators cannot be told reliably (inline
 * images, brackets that do not match), every name that stands anywhere in the bytes counts for every kind: what is
 * not named cannot be drawn. Undefined when there are more names than any real content has.
 */
export function namesIn(content: Uint8Array): UsedNames | undefined {
  return namesByOperator(content) ?? everyName(content);
}

function namesByOperator(content: Uint8Array): UsedNames | undefined {
  const used = new Map<ResourceKind, Set<string>>();
  const lexer = new Lexer(content);
  let names: string[] = [];
  let distinct = 0;
  for (;;) {
    const token = lexer.next();
    if (token instanceof PdfName && names.push(token.value) > NAMES_LIMIT) return undefined;
    if (!(token instanceof Keyword)) {
      if (lexer.at - lexer.start > STRING_LIMIT) return undefined;
      continue;
    }
    switch (token.text) {
      case "":
        return used;
      case "<<":
      case ">>":
      case "[":
      case "]":
        continue;
      case ")":
      case ">":
      case "ID":
        return undefined;
    }
    if (names.length === 0) continue;
    distinct += names.length;
    if (distinct > NAMES_LIMIT && countNames(used) > NAMES_LIMIT) return undefined;
    if (!OTHER_NAMES.has(token.text)) {
      const kind = KIND_OF_OPERATOR.get(token.text);
      // What an unknown operator names may be anything.
      for (const target of kind ? [kind] : RESOURCE_KINDS) {
        const known = used.get(target);
        if (known === undefined) used.set(target, new Set(names));
        else for (const name of names) known.add(name);
      }
    }
    names = [];
  }
}

/** How many names content uses, those of each kind counted. */
export function countNames(used: UsedNames): number {
  return [...used.values()].reduce((sum, { size }) => sum + size, 0);
}

function everyName(content: Uint8Array): UsedNames | undefined {
  const names = new Set<string>();
  for (let at = content.indexOf(0x2f); at >= 0; at = content.indexOf(0x2f, at + 1)) {
    const next = content[at + 1];
    if (next === undefined || CHARACTER_CLASS[next] === WHITE_SPACE) continue;
    const token = new Lexer(content, at).next();
    if (token instanceof PdfName && CHARACTER_CLASS[next] === REGULAR) names.add(token.value);
    if (names.size > NAMES_LIMIT) return undefined;
  }
  return new Map(RESOURCE_KINDS.map((kind) => [kind, names]));
}
