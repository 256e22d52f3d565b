import { PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";
import type { NamedDestinations } from "./destinations.ts";
import type { LabelEntry } from "./labels.ts";
import type { StructureEntries } from "./tags/structure-entries.ts";

/** The lists of a layer configuration (ISO 32000-2, Table 99) that documents add to. */
const LAYER_LISTS = ["ON", "OFF", "Order", "AS", "RBGroups", "Locked"];
/** Pages without labels are numbered. */
const NUMBERED = PdfDict.from([["S", PdfName.of("D")]]);

/**
 * Combines the forms of several documents (ISO 32000-2, Table 224). Fields and fonts have different names already. The
 * form's `DA` and `Q` hold for the fields of the first document: the others have their own.
 */
export function combinedForm(forms: readonly PdfDict[]): PdfDict | undefined {
  const [first] = forms;
  if (!first || forms.length === 1) return first;
  const combined = first.clone();
  for (const key of ["Fields", "CO"]) setList(combined, key, listsOf(forms, key));
  // Readers would draw the fields of all documents anew. Those of a document with the flag have got appearances.
  if (!forms.every((form) => form.get("NeedAppearances") === true)) combined.delete("NeedAppearances");
  const resources = combinedResources(forms.map((form) => form.get("DR")).filter(isDict));
  if (resources.size > 0) combined.set("DR", resources);
  return combined;
}

/** Of two resources of another category than `Font`, the first counts: default appearances use fonts only. */
function combinedResources(all: readonly PdfDict[]): PdfDict {
  const combined = joined(all);
  const fonts = all.map((resources) => resources.get("Font")).filter(isDict);
  if (fonts.length > 0) combined.set("Font", joined(fonts));
  return combined;
}

/**
 * Combines page labels. When one document has labels, the pages of the others keep theirs, too: their numbers.
 *
 * @param parts the labels and the number of pages of each document
 */
export function combinedLabels(
  parts: readonly { readonly labels: readonly LabelEntry[]; readonly pageCount: number }[],
): readonly LabelEntry[] {
  if (parts.every(({ labels }) => labels.length === 0)) return [];
  let firstPage = 0;
  return parts.flatMap(({ labels, pageCount }) => {
    const start = firstPage;
    firstPage += pageCount;
    const own = labels.length > 0 ? labels : [[0, NUMBERED] as const];
    return own.map(([position, label]): LabelEntry => [start + position, label]);
  });
}

/** Combines named destinations in the name tree. Their names are different already. */
export function combinedDestinations(parts: readonly NamedDestinations[]): NamedDestinations {
  return { strings: parts.flatMap(({ strings, names }) => [...strings, ...names]), names: [] };
}

/** Combines structure trees. Keys, identifiers, types and classes are different already. */
export function combinedStructure(parts: readonly StructureEntries[]): StructureEntries | undefined {
  if (parts.length === 0) return undefined;
  return {
    kids: parts.flatMap(({ kids }) => kids),
    parents: parts.flatMap(({ parents }) => parents),
    ids: parts.flatMap(({ ids }) => ids),
    roles: joined(parts.map(({ roles }) => roles)),
    classes: joined(parts.map(({ classes }) => classes)),
    namespaces: parts.flatMap(({ namespaces }) => namespaces),
  };
}

/** Combines optional content properties (ISO 32000-2, Table 98). Every layer is shown or hidden as before. */
export function combinedLayers(parts: readonly PdfDict[]): PdfDict | undefined {
  const [first] = parts;
  if (!first || parts.length === 1) return first;
  const combined = PdfDict.from([["OCGs", listsOf(parts, "OCGs")]]);
  const configurations = parts.map(explicitConfiguration);
  const configuration = configurations[0]?.clone() ?? new PdfDict();
  for (const key of LAYER_LISTS) setList(configuration, key, listsOf(configurations, key));
  const intents = new Set(configurations.flatMap(intentsOf));
  if (intents.size > 1) configuration.set("Intent", Array.from(intents, PdfName.of));
  combined.set("D", configuration);
  setList(combined, "Configs", listsOf(parts, "Configs"));
  return combined;
}

/** Returns the default configuration of layers, in which the base state is that layers are shown. */
function explicitConfiguration(properties: PdfDict): PdfDict {
  const given = properties.get("D");
  const own = given instanceof PdfDict ? given.clone() : new PdfDict();
  if (own.is("BaseState", "OFF")) {
    const shown = new Set(listsOf([own], "ON").map(numberOf));
    const hidden = listsOf([properties], "OCGs").filter((layer) => !shown.has(numberOf(layer)));
    setList(own, "OFF", hidden);
  }
  for (const key of ["BaseState", "Name", "Creator"]) own.delete(key);
  return own;
}

/** Returns the intents of the layers that a configuration shows and hides. It disregards other layers. */
function intentsOf(configuration: PdfDict): readonly string[] {
  const intent = configuration.get("Intent");
  const names = (Array.isArray(intent) ? intent : [intent]).filter((name) => name instanceof PdfName);
  return names.length > 0 ? names.map(({ value }) => value) : ["View"];
}

const numberOf = (object: PdfObject) => (object instanceof PdfRef ? object.num : undefined);

function isDict(object: PdfObject | undefined): object is PdfDict {
  return object instanceof PdfDict;
}

/** Joins dictionaries. Of two entries with one key, the first counts. */
function joined(dicts: readonly PdfDict[]): PdfDict {
  return PdfDict.from([...dicts].reverse().flatMap((dict) => [...dict.entries()]));
}

function listsOf(dicts: readonly PdfDict[], key: string): PdfObject[] {
  return dicts.flatMap((dict) => {
    const list = dict.get(key);
    return Array.isArray(list) ? list : [];
  });
}

function setList(dict: PdfDict, key: string, list: PdfObject[]): void {
  if (list.length > 0) dict.set(key, list);
  else dict.delete(key);
}
