/** A PDF taken apart just far enough that a mutation can change one thing and the rest still holds together. */
export interface Model {
  header: string;
  objects: ModelObject[];
  /** The trailer's own entries, without brackets and without those that belong to the cross-reference. */
  trailer: string;
  layout: Layout;
}

export interface ModelObject {
  num: number;
  gen: number;
  /** What stands between `obj` and `endobj` but for a stream's data and `Length`, one character a byte. */
  text: string;
  /** A stream's data as it stands in the file; undefined for what is no stream. */
  data: Uint8Array | undefined;
  /** Whether it goes into an object stream. */
  packed: boolean;
  /** What a stream says its length is, where that is not the truth. */
  declaredLength?: string;
}

/** How the objects are put into a file, and where the file lies about it. */
export interface Layout {
  crossReference: "table" | "stream" | "hybrid";
  objectsPerStream: number;
  /** Widths of a cross-reference stream's fields. */
  widths: readonly [number, number, number];
  /** Whether a cross-reference stream's rows go through PNG's filter "up". */
  predictor: boolean;
  /** How many sections, chained by `Prev`, the cross-reference is cut into. */
  sections: number;
  /** What is added to an object's offset. */
  offsetLies: Map<number, number>;
  generationLies: Map<number, number>;
  /** Entries of the last section's dictionary in place of the true ones, and more. */
  sectionEntries: Map<string, string>;
  /** The same for object streams. */
  containerEntries: Map<string, string>;
  /** The same for the place that packed objects are said to have. */
  packedLies: Map<number, readonly [container: number, index: number]>;
  startxref: string | undefined;
}

export const plainLayout = (crossReference: Layout["crossReference"]): Layout => ({
  crossReference,
  objectsPerStream: 100,
  widths: [1, 4, 2],
  predictor: false,
  sections: 1,
  offsetLies: new Map(),
  generationLies: new Map(),
  sectionEntries: new Map(),
  containerEntries: new Map(),
  packedLies: new Map(),
  startxref: undefined,
});

/** A copy that can be changed without changing the model. */
export function copyOf(model: Model): Model {
  const { layout } = model;
  return {
    ...model,
    objects: model.objects.map((object) => ({ ...object })),
    layout: {
      ...layout,
      offsetLies: new Map(layout.offsetLies),
      generationLies: new Map(layout.generationLies),
      sectionEntries: new Map(layout.sectionEntries),
      containerEntries: new Map(layout.containerEntries),
      packedLies: new Map(layout.packedLies),
    },
  };
}

/** A number that no object has. */
export function freeNumber(model: Model): number {
  return model.objects.reduce((highest, { num }) => Math.max(highest, num), 0) + 1;
}

/** Adds an object and returns its number. */
export function addObject(model: Model, text: string, data?: Uint8Array, packed = false): number {
  const num = freeNumber(model);
  model.objects.push({ num, gen: 0, text, data, packed: packed && data === undefined });
  return num;
}

/** The value of `/Key` at its first place in a text: where it begins and ends. */
export function placeOfValue(text: string, key: string): { start: number; end: number } | undefined {
  const pattern = new RegExp(`/${key}(?![A-Za-z0-9])\\s*`, "g");
  const found = pattern.exec(text);
  if (!found) return undefined;
  const start = found.index + found[0].length;
  return { start, end: endOfValue(text, start) };
}

/** Sets the entry `/Key` of the outermost dictionary in a text, or puts it there. */
export function withEntry(text: string, key: string, value: string): string {
  const place = placeOfValue(text, key);
  if (place) return `${text.slice(0, place.start)} ${value} ${text.slice(place.end)}`;
  const open = text.indexOf("<<");
  return open < 0 ? text : `${text.slice(0, open + 2)}/${key} ${value} ${text.slice(open + 2)}`;
}

/** A text without its first entry `/Key`. */
export function withoutEntry(text: string, key: string): string {
  const place = placeOfValue(text, key);
  if (!place) return text;
  const start = text.lastIndexOf(`/${key}`, place.start);
  return text.slice(0, start) + text.slice(place.end);
}

/** Where the value that begins at `start` ends. */
export function endOfValue(text: string, start: number): number {
  const reference = /^\d+\s+\d+\s+R\b/.exec(text.slice(start, start + 40));
  if (reference) return start + reference[0].length;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (depth === 0 && at > start && /[\s/[<(]/.test(character ?? "") && text[start] !== "<") return at;
    if (character === "(") at = endOfString(text, at) - 1;
    else if (character === "<" || character === "[") depth++;
    else if (character === ">" || character === "]") depth--;
    if (depth < 0) return at;
    if (depth === 0 && (character === ">" || character === "]" || text[start] === "(")) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at + 1;
  }
  return text.length;
}
