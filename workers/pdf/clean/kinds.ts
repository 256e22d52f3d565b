import { type EntryKinds, entryKinds, hasChosenNames, isMetadata, type Kind, kindOf } from "../copy/kinds.ts";
import { type PdfDict, PdfStream } from "../syntax/objects.ts";
import { KNOWN_ENTRIES } from "./places.ts";

/**
 * What the entries of a whole document hold, in addition to `copy/kinds.ts`: from the trailer down to the pages, and what
 * else leads from one object to another. An entry that is in neither table is of the kind `other`.
 */
const ENTRIES: Partial<Record<Kind, Readonly<Record<string, Kind>>>> = {
  // The document information has keys that programs choose.
  trailer: { Root: "catalog", Info: "names" },
  catalog: {
    Pages: "page tree",
    Names: "name trees",
    Dests: "destinations",
    OpenAction: "action",
    AA: "actions",
    AcroForm: "form",
    Outlines: "outline item",
    StructTreeRoot: "structure",
    Threads: "thread",
    OCProperties: "layer properties",
    ViewerPreferences: "viewer preferences",
    MarkInfo: "mark information",
    OutputIntents: "output intent",
  },
  "page tree": { Kids: "page tree", Parent: "page tree", Resources: "resources" },
  page: {
    Parent: "page tree",
    B: "bead",
    Trans: "transition",
    Group: "group",
    OutputIntents: "output intent",
  },
  XObject: { Group: "group" },
  appearance: { Group: "group" },
  "state appearance": { Group: "group" },
  font: { FontDescriptor: "font descriptor" },
  "font descriptor": { FontFile: "font file", FontFile2: "font file", FontFile3: "font file" },
  "name trees": { JavaScript: "action tree", Dests: "destination tree" },
  "action tree": { Kids: "action tree", Names: "action" },
  "destination tree": { Kids: "destination tree", Names: "destination" },
  form: { Fields: "field", CO: "field" },
  field: { Kids: "field", Parent: "field", P: "page" },
  annotation: { Kids: "field", Parent: "field", P: "page", DR: "resources" },
  "outline item": {
    First: "outline item",
    Last: "outline item",
    Next: "outline item",
    Prev: "outline item",
    Parent: "outline item",
    SE: "element",
  },
  structure: {
    K: "element",
    ParentTree: "element tree",
    IDTree: "element tree",
    RoleMap: "names",
    ClassMap: "attribute classes",
    Namespaces: "namespace",
  },
  "element tree": { Kids: "element tree", Nums: "element", Names: "element" },
  element: {
    K: "element",
    P: "element",
    Ref: "element",
    Pg: "page",
    NS: "namespace",
    Obj: "annotation",
    Stm: "other",
  },
  namespace: { RoleMapNS: "names" },
  thread: { F: "bead", I: "names" },
  bead: { T: "thread", N: "bead", V: "bead", P: "page" },
  action: { F: "file", SD: "element", Fields: "field", B: "bead", Trans: "transition" },
  destination: { SD: "element" },
  "layer properties": { D: "layer configuration", Configs: "layer configuration" },
  "graphics state": { HT: "names" },
  // Names of colors and glyphs.
  other: { Colorants: "names", Solidities: "names", DotGain: "names", CharProcs: "glyphs" },
};

/** Dictionaries of names that only a whole document has: each value is a destination. */
const DESTINATIONS: EntryKinds = { byKey: new Map(), rest: "destination" };

const KINDS = new Map<Kind, EntryKinds>();

/** Returns the kinds of the values in a dictionary of a kind. */
export function entryKindsOfWhole(kind: Kind): EntryKinds {
  if (kind === "destinations") return DESTINATIONS;
  const known = KINDS.get(kind);
  if (known) return known;
  const { byKey, rest } = entryKinds(kind);
  const all = { byKey: new Map([...byKey, ...Object.entries(ENTRIES[kind] ?? {})]), rest };
  KINDS.set(kind, all);
  return all;
}

/** The kinds of objects that a copy of some pages has of its own. */
const KINDS_OF_TYPES: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["Page", "page"],
  ["Pages", "page tree"],
  ["Catalog", "catalog"],
  ["StructElem", "element"],
  ["Thread", "thread"],
  ["Bead", "bead"],
  ["Filespec", "file"],
]);

/** Returns whether the keys of a dictionary are names that the document chooses, so that no key means anything. */
export function isListOfNames(kind: Kind): boolean {
  return kind === "destinations" || hasChosenNames(kind);
}

/**
 * Returns what an object of a whole document is. Its place says it, and its `Type` where the place may hold anything.
 *
 * @param place the kind of object that the entry leading to it holds
 */
export function kindInWhole(object: PdfDict | PdfStream, place: Kind): Kind {
  if (object instanceof PdfStream) {
    if (isMetadata(object)) return "metadata";
    // A stream is no list of names. In the place of one, it is what the list holds.
    const held = isListOfNames(place) ? entryKindsOfWhole(place).rest : place;
    if (isListOfNames(held)) return kindInWhole(object, held);
    // Some readers show an annotation that is a stream. Damage may put an image here, which has no `Rect`.
    if (held === "annotation" && object.dict.has("Rect")) return held;
    return held === "other" || isOfDictionaries(held) ? kindByType(object.dict, "other") : held;
  }
  if (isListOfNames(place)) return place;
  if (place === "page tree" && !object.has("Kids")) return "page";
  // The parent of the topmost elements. Without marked content, it needs no parent tree (ISO 32000-2, Table 354).
  if (place === "element" && (object.has("ParentTree") || object.is("Type", "StructTreeRoot")))
    return "structure";
  // A widget, perhaps in one dictionary with its field.
  if (place === "field" && object.has("Subtype")) return "annotation";
  // An entry of damaged files leads to something else than a page.
  if (place === "page" && object.has("Type")) return kindByType(object, "other");
  return place === "other" || place === "description" ? kindByType(object, place) : place;
}

/** Returns whether the objects of a kind are dictionaries, so that a stream in their place is something else: files may be damaged. */
function isOfDictionaries(kind: Kind): boolean {
  return KNOWN_ENTRIES[kind]?.has("Length") === false;
}

function kindByType(dict: PdfDict, place: Kind): Kind {
  return KINDS_OF_TYPES.get(dict.name("Type") ?? "") ?? kindOf(dict, place);
}
