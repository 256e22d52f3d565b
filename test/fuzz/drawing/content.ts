import type { Model, ModelObject } from "../pdf/model.ts";
import { withoutEntry } from "../pdf/model.ts";
import { plainData } from "../pdf/mutations/streams.ts";
import type { Random } from "../random.ts";
import type { Mutation } from "../target.ts";

/** Operators of page content with operands for each (ISO 32000-2, annex A). `N` stands for a number, `/N` for a name. */
const OPERATIONS = [
  ...["N N N N re", "N N m", "N N l", "N N N N N N c", "h", "W n", "f", "f*", "S", "B*", "b", "n"],
  ...["q", "Q", "N N N N N N cm", "N w", "N J", "[N N] N d", "N i", "/N gs", "/Perceptual ri"],
  ...["BT", "ET", "/N N Tf", "(text) Tj", "[(te) N (xt)] TJ", "N N Td", "N N N N N N Tm", "N Tr", "N Tz"],
  ...["N g", "N N N rg", "N N N N k", "/N cs", "/Pattern cs /N scn", "N N N SC", "/N sh", "/N Do"],
  ...["/OC /N BDC", "/Span <</ActualText (x)>> BDC", "EMC", "N N d0", "N N N N N N d1", "BX", "EX"],
  "BI /W N /H N /BPC 8 /CS /RGB ID aaaaaaaaaaaa EI",
];
const NUMBERS = [
  "0",
  "1",
  "-1",
  ".5",
  "100",
  "-32768",
  "32767",
  "65536",
  "1e9",
  "2147483648",
  "1e-30",
  "nan",
];
const MOST_REPEATED = 2000;
const LONGEST_CONTENT = 200_000;

/** Changes to the content of pages, forms, patterns and glyphs. */
export const CONTENT_MUTATIONS: readonly Mutation<Model>[] = [
  onTokens("a number", (tokens, random) => {
    const places = [...tokens.keys()].filter((at) => /^[-+.\d]+$/.test(tokens[at] ?? ""));
    const at = random.pickAny(places);
    if (at !== undefined) tokens[at] = random.pick(NUMBERS);
  }),
  onTokens("an operation more", (tokens, random) => {
    tokens.splice(random.below(tokens.length + 1), 0, anyOperation(tokens, random));
  }),
  onTokens("operations more", (tokens, random) => {
    const more = Array.from({ length: random.between(2, 30) }, () => anyOperation(tokens, random));
    tokens.splice(random.below(tokens.length + 1), 0, ...more);
  }),
  onTokens("a part left out", (tokens, random) => {
    tokens.splice(random.below(tokens.length), random.between(1, 8));
  }),
  onTokens("a part repeated", (tokens, random) => {
    const start = random.below(tokens.length);
    const part = tokens.slice(start, start + random.between(1, 12));
    const times = random.size(MOST_REPEATED);
    tokens.splice(start, 0, ...Array.from({ length: times }, () => part).flat());
  }),
  onTokens("two parts changed over", (tokens, random) => {
    const [from, to] = [random.below(tokens.length), random.below(tokens.length)];
    [tokens[from], tokens[to]] = [tokens[to] ?? "", tokens[from] ?? ""];
  }),
];

/** Returns a mutation of the tokens of a content, which are separated by white space. */
function onTokens(what: string, change: (tokens: string[], random: Random) => void): Mutation<Model> {
  return (model, random) => {
    const object = random.pickAny(model.objects.filter(hasContent));
    if (!object) return undefined;
    const content = Buffer.from(plainData(object)).toString("latin1");
    const tokens = content.split(/\s+/);
    change(tokens, random);
    object.data = Buffer.from(tokens.join(" ").slice(0, LONGEST_CONTENT), "latin1");
    object.text = withoutEntry(withoutEntry(object.text, "Filter"), "DecodeParms");
    return `content ${object.num}: ${what}`;
  };
}

/** Streams but images, fonts, profiles and metadata. */
function hasContent(object: ModelObject): object is ModelObject & { data: Uint8Array } {
  const isOther = /\/(Width|Length[123]|Alternate|Subtype\s*\/(XML|Type1C|CIDFontType0C|OpenType))\b/;
  return object.data !== undefined && !isOther.test(object.text);
}

function anyOperation(tokens: readonly string[], random: Random): string {
  const names = tokens.filter((token) => token.startsWith("/"));
  return random
    .pick(OPERATIONS)
    .replace(/\/N\b/g, () => random.pickAny(names) ?? "/F1")
    .replace(/\bN\b/g, () => random.pick(NUMBERS));
}
