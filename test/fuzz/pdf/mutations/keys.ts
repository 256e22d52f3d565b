import type { Random } from "../../random.ts";
import type { Mutation } from "../../target.ts";
import { addObject, type Model, type ModelObject, placeOfValue, withEntry } from "../model.ts";
import { shown } from "./objects.ts";
import { anyValue, nested, numberText, reference, repeated } from "./values.ts";

/** What leads from one object of a tree, list or chain to the next. */
export const LINKS = [
  ...["Kids", "Parent", "First", "Last", "Next", "Prev", "K", "P", "Pg", "ParentTree", "Nums", "Names"],
  ...[
    "Fields",
    "Annots",
    "Popup",
    "Contents",
    "Resources",
    "XObject",
    "Font",
    "CharProcs",
    "Pattern",
    "SMask",
  ],
  ...["OCGs", "Order", "ON", "RBGroups", "AS", "D", "Dest", "A", "Obj", "Dests", "IDTree", "B", "Configs"],
];
/** The other entries that the engine looks at. */
const ENTRIES = [
  ...[
    "Count",
    "Limits",
    "CO",
    "DR",
    "Length",
    "Filter",
    "DecodeParms",
    "PageLabels",
    "St",
    "S",
    "StructParents",
  ],
  ...[
    "StructParent",
    "Metadata",
    "OpenAction",
    "Type",
    "Subtype",
    "Outlines",
    "AcroForm",
    "OCProperties",
    "FT",
  ],
  ...[
    "StructTreeRoot",
    "Pages",
    "Root",
    "Info",
    "ID",
    "V",
    "ByteRange",
    "MediaBox",
    "Rotate",
    "Title",
    "AP",
    "N",
  ],
  ...[
    "Ref",
    "SD",
    "RoleMap",
    "PieceInfo",
    "DPart",
    "Lang",
    "PageMode",
    "Extends",
    "Linearized",
    "H",
    "L",
    "Size",
  ],
];

/** Changes to entries that the engine understands. */
export const KEY_MUTATIONS: readonly Mutation<Model>[] = [
  (model, random) => setEntry(model, random, random.pick(LINKS), true),
  (model, random) => setEntry(model, random, random.pick(LINKS), true),
  (model, random) => setEntry(model, random, random.pick(ENTRIES), true),
  (model, random) => setEntry(model, random, random.pick([...LINKS, ...ENTRIES]), false),
  (model, random) => linkBack(model, random),
  (model, random) => hugeCount(model, random),
  fanOut,
  intoTrailer,
];

const holders = (model: Model, key: string) =>
  model.objects.filter(({ text }) => text.length < 200_000 && placeOfValue(text, key));

function choose(model: Model, random: Random, key: string, wherePresent: boolean): ModelObject | undefined {
  const found = wherePresent ? random.pickAny(holders(model, key)) : undefined;
  return found ?? random.pickAny(model.objects);
}

function setEntry(model: Model, random: Random, key: string, wherePresent: boolean): string | undefined {
  const object = choose(model, random, key, wherePresent);
  if (!object) return undefined;
  const value = anyValue(model, random, object.num);
  object.text = withEntry(object.text, key, value);
  return `object ${object.num}: /${key} ${shown(value)}`;
}

/** Makes a tree or chain run in a circle: back to itself, or to whoever refers to it. */
function linkBack(model: Model, random: Random): string | undefined {
  const key = random.pick(LINKS);
  const object = choose(model, random, key, true);
  if (!object) return undefined;
  const own = new RegExp(`\\b${object.num}\\s+0\\s+R\\b`);
  const above = random.pickAny(model.objects.filter(({ text }) => own.test(text.slice(0, 100_000))));
  const back = `${random.chance(0.5) ? object.num : (above?.num ?? object.num)} 0 R`;
  const place = placeOfValue(object.text, key);
  const old = place ? object.text.slice(place.start, place.end) : "";
  const value =
    old.startsWith("[") || random.chance(0.4) ? `[${back} ${old.replace(/^\[|\]$/g, "")} ${back}]` : back;
  object.text = withEntry(object.text, key, value);
  return `object ${object.num}: /${key} back to ${back}`;
}

function hugeCount(model: Model, random: Random): string | undefined {
  const key = random.pick([
    "Count",
    "St",
    "StructParents",
    "Size",
    "N",
    "First",
    "Length",
    "ParentTreeNextKey",
  ]);
  const object = choose(model, random, key, true);
  if (!object) return undefined;
  const value = numberText(random);
  object.text = withEntry(object.text, key, value);
  return `object ${object.num}: /${key} ${value}`;
}

/** An array that every one of its own items leads back to: what walks it without looking back never ends. */
function fanOut(model: Model, random: Random): string | undefined {
  const key = random.pick(LINKS);
  const object = choose(model, random, key, true);
  if (!object) return undefined;
  const array = addObject(model, "[]", undefined, random.chance(0.5));
  const item = random.pick([
    `${array} 0 R `,
    `<</${key} ${array} 0 R>>`,
    `<</S/P/${key} ${array} 0 R>>`,
    `<</Type/StructElem/${key}[${array} 0 R]>>`,
    `[${array} 0 R]`,
  ]);
  const own = model.objects.find(({ num }) => num === array);
  if (own) own.text = `[${repeated(item, random.pick([1, 2, 3, 50, random.size(20_000)]))}]`;
  object.text = withEntry(object.text, key, `${array} 0 R`);
  return `object ${object.num}: /${key} fans out over ${array} (${shown(item)})`;
}

function intoTrailer(model: Model, random: Random): string | undefined {
  const key = random.pick(["Root", "Info", "ID", "Encrypt", "Size", "Prev", "XRefStm", "Extra"]);
  const value = random.chance(0.1)
    ? nested(random)
    : random.chance(0.5)
      ? reference(model, random)
      : anyValue(model, random, 1);
  model.trailer = withEntry(`<<${model.trailer}>>`, key, value).slice(2, -2);
  return `trailer: /${key} ${shown(value)}`;
}
