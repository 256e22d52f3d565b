import type { PdfDict, PdfStream } from "../syntax/objects.ts";

const ANNOTATION = {
  A: "action",
  AA: "actions",
  PA: "action",
  Dest: "destination",
  Popup: "annotation",
  IRT: "annotation",
  AP: "appearances",
  MK: "icons",
} as const;

const X_OBJECT = {
  Resources: "resources",
  SMask: "XObject",
  Mask: "XObject",
  Alternates: "alternate image",
  Metadata: "metadata",
} as const;

/**
 * Kinds of dictionaries and streams: for each, what its entries hold. An array has the kind of its items. An entry that is
 * not here is of the kind `other`. Facts from ISO 32000-2 and from its model in tables, the Arlington PDF model.
 */
const ENTRIES = {
  page: {
    Contents: "contents",
    Resources: "resources",
    Annots: "annotation",
    AA: "actions",
    PresSteps: "navigation node",
    Metadata: "metadata",
  },
  annotation: ANNOTATION,
  /** A form field, a widget, or both in one dictionary. */
  field: { ...ANNOTATION, DR: "resources" },
  /** The entry `AP` of an annotation. Each value is an appearance, or names one for each state. */
  appearances: { N: "appearance states", R: "appearance states", D: "appearance states" },
  icons: { I: "XObject", RI: "XObject", IX: "XObject" },
  form: { DR: "resources" },
  "outline item": { A: "action", Dest: "destination" },
  action: { Next: "action", D: "destination" },
  "navigation node": { NA: "action", PA: "action", Next: "navigation node", Prev: "navigation node" },
  /** A destination that is a dictionary, as in a name tree. */
  destination: { D: "destination" },

  resources: {
    XObject: "XObjects",
    Font: "fonts",
    ExtGState: "graphics states",
    ColorSpace: "names",
    Pattern: "patterns",
    Shading: "names",
    Properties: "names",
  },
  contents: { Resources: "resources" },
  XObject: X_OBJECT,
  /** The form of an annotation, which readers draw anew when a user fills in a field. */
  appearance: X_OBJECT,
  /** The form that an annotation shows in one of its states. Readers choose it by its name. */
  "state appearance": X_OBJECT,
  "alternate image": { Image: "XObject" },
  pattern: { Resources: "resources", ExtGState: "graphics state" },
  "graphics state": { Font: "font", SMask: "soft mask" },
  "soft mask": { G: "XObject" },
  font: { CharProcs: "glyphs", Resources: "resources", DescendantFonts: "font" },
  metadata: {},
  /** A membership dictionary of layers. */
  membership: {},

  element: { A: "attributes" },
  attributes: {},
  layer: {},
  /** What describes content: values of structure attributes, the usage of layers. */
  description: {},

  /** What the output has of its own, or not at all: pages, structure elements, threads, signatures. */
  refused: {},
  other: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Dictionaries whose keys are names that the document chooses, and what they name. No key means anything in them. */
const NAMES = {
  XObjects: "XObject",
  fonts: "font",
  "graphics states": "graphics state",
  patterns: "pattern",
  /** Of color spaces, shadings, property lists. */
  names: "other",
  glyphs: "XObject",
  "appearance states": "state appearance",
  /** The entry `AA`, by what triggers the action. */
  actions: "action",
  "attribute classes": "attributes",
} as const;

/** Kinds of which all other entries have a kind. */
const REST: Partial<Record<string, Kind>> = {
  ...NAMES,
  element: "description",
  attributes: "description",
  layer: "description",
  description: "description",
};

/** What an object is. */
export type Kind = keyof typeof ENTRIES | keyof typeof NAMES | WholeKind;

/**
 * Kinds of objects that only a whole document has. `clean/kinds.ts` says what their entries hold: code that protects and
 * unlocks needs none of them.
 */
export type WholeKind =
  | "trailer"
  | "catalog"
  | "page tree"
  | "name trees"
  | "action tree"
  | "destination tree"
  | "destinations"
  | "structure"
  | "element tree"
  | "namespace"
  | "thread"
  | "bead"
  | "file"
  | "layer properties"
  | "layer configuration"
  | "viewer preferences"
  | "mark information"
  | "output intent"
  | "transition"
  | "group"
  | "font descriptor"
  | "font file";

/** The kinds that a `Type` tells, where the place of an object does not. */
const KINDS_OF_TYPES: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["Annot", "annotation"],
  ["Action", "action"],
  ["Font", "font"],
  ["XObject", "XObject"],
  ["Pattern", "pattern"],
  ["ExtGState", "graphics state"],
  ["OCG", "layer"],
  ["OCMD", "membership"],
]);
/** Types of objects that lead to other pages, and of signatures, which are invalid in another file. */
const REFUSED_TYPES = new Set(
  "Page Pages Template Catalog StructElem DPart DPartRoot Thread Bead Sig DocTimeStamp".split(" "),
);

/** The kinds of the values in a dictionary. */
export interface EntryKinds {
  readonly byKey: ReadonlyMap<string, Kind>;
  /** The kind of all other values. */
  readonly rest: Kind;
}

const KINDS = new Map<string, EntryKinds>(
  [...Object.entries(ENTRIES), ...Object.keys(NAMES).map((kind) => [kind, {}] as const)].map(
    ([kind, entries]) => [kind, { byKey: new Map(Object.entries(entries)), rest: REST[kind] ?? "other" }],
  ),
);
const NOTHING_KNOWN: EntryKinds = { byKey: new Map(), rest: "other" };

/** Returns the kinds of the values in a dictionary of a kind. */
export function entryKinds(kind: Kind): EntryKinds {
  return KINDS.get(kind) ?? NOTHING_KNOWN;
}

/** Returns whether the keys of a dictionary are names that the document chooses. */
export function hasChosenNames(kind: Kind): boolean {
  return kind in NAMES;
}

/** Returns whether a stream is metadata (ISO 32000-2, 14.3.2). */
export function isMetadata({ dict }: PdfStream): boolean {
  return dict.is("Type", "Metadata") || (dict.is("Subtype", "XML") && !dict.has("Type"));
}

/** Returns what a stream is. A stream is no map of names. In the place of one, it is what the map would hold. */
export function kindOfStream(stream: PdfStream, place: Kind): Kind {
  if (isMetadata(stream)) return "metadata";
  // An appearance that has no states.
  if (place === "appearance states") return "appearance";
  const kind = hasChosenNames(place) ? entryKinds(place).rest : place;
  return kind === "other" ? kindOf(stream.dict, kind) : kind;
}

/**
 * Returns what a dictionary is. Its place says it, and its `Type` where the place is of the kind `other`. A page, or
 * another object that outputs have of their own, is refused in every place.
 *
 * @param place the kind of object that the entry leading to it holds
 */
export function kindOf(dict: PdfDict, place: Kind): Kind {
  if (hasChosenNames(place)) return place;
  const type = dict.name("Type") ?? "";
  if (REFUSED_TYPES.has(type)) return "refused";
  if (place !== "other") return place;
  // The glyphs of a Type 3 font are content, so it is found without a type, too.
  return KINDS_OF_TYPES.get(type) ?? (dict.is("Subtype", "Type3") ? "font" : place);
}
