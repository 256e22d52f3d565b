import {
  dictOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfReal,
  PdfRef,
  PdfString,
  resolved,
} from "../../syntax/objects.ts";
import { listsOf, setList } from "../combined-dicts.ts";
import { type Feature, feature, keptOf } from "../feature.ts";
import { Layers } from "./layer-lists.ts";

/** The lists of a layer configuration (ISO 32000-2, Table 99) that documents add to. */
const LAYER_LISTS = ["ON", "OFF", "Order", "AS", "RBGroups", "Locked"];
/** The usages that decide whether a layer is shown (ISO 32000-2, Table 100). */
const USAGES = ["Export", "Zoom", "Print", "View"];

/**
 * The layers (ISO 32000-2, 8.11) of copied objects. A layer loses its name when copied objects refer to it only through
 * membership dictionaries. In a merged document, every layer is shown or hidden as before.
 */
export const layers: Feature<Layers> = feature<Layers, PdfDict>({
  read: ({ document }) => new Layers(document),
  async keep(found, part) {
    const { document, copier, output, rules } = part;
    const { use } = rules.part;
    const isNamed = (num: number) => use.namesLayer(num);
    await copier.copyReached();
    for (const num of rules.layers) {
      const layer = dictOf(document.referenceTo(num)) ?? new PdfDict();
      const kept = isNamed(num) ? layer : namelessLayer(layer);
      output.writer.object(copier.copied.get(num) ?? 0, 0, copier.map(kept, "layer"));
      await copier.copyReached();
    }
    const properties = found.propertiesOf(rules.layers, isNamed);
    return properties && part.map(properties, "description");
  },
  combine(documents) {
    const all = keptOf(documents);
    const [first] = all;
    if (!first || all.length === 1) return first;
    const configurations = all.map(explicitConfiguration);
    const configuration = configurations[0]?.clone() ?? new PdfDict();
    for (const key of LAYER_LISTS) setList(configuration, key, listsOf(configurations, key));
    const intents = new Set(configurations.flatMap(intentsOf));
    if (intents.size > 1) configuration.set("Intent", Array.from(intents, PdfName.of));
    const combined = PdfDict.from([
      ["OCGs", listsOf(all, "OCGs")],
      ["D", configuration],
    ]);
    setList(combined, "Configs", listsOf(all, "Configs"));
    return combined;
  },
  write: (kept, { catalog }) => catalog.set("OCProperties", kept),
});

/** Returns a layer that is shown and hidden like the given one and holds no other data of it. */
function namelessLayer(layer: PdfDict): PdfDict {
  const nameless = PdfDict.from([
    ["Type", PdfName.of("OCG")],
    ["Name", new PdfString(new Uint8Array())],
  ]);
  const intent = layer.value("Intent");
  const intents = Array.isArray(intent) ? intent.map(resolved) : [intent];
  if (intents.every((name) => name instanceof PdfName)) nameless.set("Intent", intent);
  const usage = layer.dict("Usage");
  const states = new PdfDict();
  for (const key of USAGES) {
    const entries = [...(usage?.dict(key)?.entries() ?? [])].map(([name, value]): [string, PdfObject] => [
      name,
      resolved(value),
    ]);
    const kept = entries.filter(
      ([, value]) => value instanceof PdfName || value instanceof PdfReal || typeof value === "number",
    );
    if (kept.length > 0) states.set(key, PdfDict.from(kept));
  }
  if (states.size > 0) nameless.set("Usage", states);
  return nameless;
}

/** Returns the default configuration of layers, in which the base state is that layers are shown. */
function explicitConfiguration(properties: PdfDict): PdfDict {
  const configuration = properties.dict("D")?.clone() ?? new PdfDict();
  if (configuration.is("BaseState", "OFF")) {
    const shown = new Set(configuration.array("ON").map(numberOf));
    const hidden = properties.array("OCGs").filter((layer) => !shown.has(numberOf(layer)));
    setList(configuration, "OFF", hidden);
  }
  for (const key of ["BaseState", "Name", "Creator"]) configuration.delete(key);
  return configuration;
}

/** Returns the intents of the layers that a configuration shows and hides. It disregards other layers. */
function intentsOf(configuration: PdfDict): readonly string[] {
  const intent = configuration.get("Intent");
  const names = (Array.isArray(intent) ? intent : [intent]).filter((name) => name instanceof PdfName);
  return names.length > 0 ? names.map(({ value }) => value) : ["View"];
}

const numberOf = (object: PdfObject) => (object instanceof PdfRef ? object.num : undefined);
