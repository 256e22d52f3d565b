import type { DescribedDocument, Dict, Value } from "./described-document.ts";
import { isReference } from "./described-document.ts";
import type { Feature, PagesOf } from "./feature.ts";

const DEPTH_LIMIT = 12;
const MARKED_AS_LAYER = /\/OC\s*\/([^\s()<>[\]{}/%]+)\s+BDC/g;
const DRAWN = /\/([^\s()<>[\]{}/%]+)\s+Do\b/g;

/** The layers of a page: those that its content and its annotations name, and those that only memberships name. */
interface PageLayers {
  readonly named: Set<string>;
  readonly members: Set<string>;
}

function layersDrawn(document: DescribedDocument, page: string): PageLayers {
  const found: PageLayers = { named: new Set(), members: new Set() };
  const seen = new Set<string>();
  const add = (membership: Value | undefined, into = found.named) => {
    const dict = document.dict(membership);
    if (dict["/Type"] === "/OCG" && isReference(membership)) into.add(membership);
    if (dict["/Type"] !== "/OCMD") return;
    const listed = document.resolve(dict["/OCGs"]);
    const expression = operandsOf(document, dict["/VE"], 0);
    const layers = Array.isArray(listed) ? listed : [dict["/OCGs"] ?? null];
    for (const layer of [...layers, ...expression]) add(layer, found.members);
  };
  const draw = (content: string, resources: Dict, depth: number) => {
    const properties = document.dict(resources["/Properties"]);
    for (const [, name] of content.matchAll(MARKED_AS_LAYER)) add(properties[`/${name}`]);
    const objects = document.dict(resources["/XObject"]);
    for (const [, name] of content.matchAll(DRAWN)) form(objects[`/${name}`], resources, depth + 1);
  };
  const form = (object: Value | undefined, above: Dict, depth: number) => {
    const stream = document.stream(object);
    if (!stream || !isReference(object) || depth > DEPTH_LIMIT || seen.has(object)) return;
    seen.add(object);
    add(stream.dict["/OC"]);
    if (stream.dict["/Subtype"] === "/Image") return;
    const own = stream.dict["/Resources"];
    draw(textOf(stream.data), own === undefined ? above : document.dict(own), depth);
  };
  const contents = document.dict(page)["/Contents"];
  const parts = isReference(contents) && document.stream(contents) ? [contents] : document.list(contents);
  const text = parts.map((part) => textOf(document.stream(part)?.data ?? "")).join("\n");
  draw(text, document.dict(document.inherited(page, "/Resources")), 0);
  for (const annotation of document.list(document.dict(page)["/Annots"])) {
    const dict = document.dict(annotation);
    add(dict["/OC"]);
    for (const appearance of Object.values(document.dict(dict["/AP"]))) {
      const states = document.stream(appearance) ? [appearance] : Object.values(document.dict(appearance));
      for (const state of states) form(state, {}, 0);
    }
  }
  return found;
}

/** The layers of a visibility expression. */
function operandsOf(
  document: DescribedDocument,
  expression: Value | undefined,
  depth: number,
): readonly Value[] {
  if (depth > DEPTH_LIMIT) return [];
  return document.list(expression).flatMap((operand) => {
    const isNested = Array.isArray(document.resolve(operand));
    return isNested ? operandsOf(document, operand, depth + 1) : [operand];
  });
}

const textOf = (data: string) => Buffer.from(data, "base64").toString("latin1");

function layersOf(pages: PagesOf): readonly string[] {
  const { document } = pages;
  const properties = document.dict(document.catalog["/OCProperties"]);
  const listed = document.list(properties["/OCGs"]);
  if (listed.length === 0) return [];
  const standard = document.dict(properties["/D"]);
  const off = document.list(standard["/OFF"]);
  const on = document.list(standard["/ON"]);
  const found = pages.pages.map((page) => layersDrawn(document, page));
  const named = new Set(found.flatMap((layers) => [...layers.named]));
  const drawn = new Set([...named, ...found.flatMap(({ members }) => [...members])]);
  const order = flattened(document, standard["/Order"]).filter((layer) => named.has(layer));
  const described = [...drawn].map((layer) => {
    const isOff = standard["/BaseState"] === "/OFF" ? !on.includes(layer) : off.includes(layer);
    const state = !listed.includes(layer) ? "unknown" : isOff ? "hidden" : "shown";
    // What only decides whether others are shown is to lose its name.
    return `${named.has(layer) ? nameOf(document, layer) : "a member"} ${state}`;
  });
  // What no page draws is to be gone from the document that was split off.
  const strangers = pages.isWhole ? listed.filter((layer) => !drawn.has(String(layer))) : [];
  return [
    ...described.sort(),
    ...order.map((layer, index) => `${index} ${nameOf(document, layer)}`),
    ...strangers.map((layer) => `${nameOf(document, layer)} is not drawn`),
  ];
}

function flattened(document: DescribedDocument, order: Value | undefined, depth = 0): readonly string[] {
  if (depth > DEPTH_LIMIT) return [];
  return document.list(order).flatMap((item) => {
    if (isReference(item) && document.dict(item)["/Type"] === "/OCG") return [item];
    return flattened(document, item, depth + 1);
  });
}

function nameOf(document: DescribedDocument, layer: Value): string {
  return String(document.resolve(document.dict(layer)["/Name"]));
}

/** What can be shown and hidden. */
export const LAYERS: readonly Feature[] = [{ name: "layers", fate: "kept", facts: layersOf }];
