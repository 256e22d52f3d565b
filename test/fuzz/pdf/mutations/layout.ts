import type { Random } from "../../random.ts";
import type { Mutation } from "../../target.ts";
import { freeNumber, type Model, plainLayout } from "../model.ts";
import { anyValue, numberText, reference } from "./values.ts";

/** Changes to how the file finds its objects. */
export const LAYOUT_MUTATIONS: readonly Mutation<Model>[] = [
  (model, random) => {
    const { layout } = model;
    model.layout = { ...layout, crossReference: random.pick(["table", "stream", "hybrid"]) };
    for (const object of model.objects) if (random.chance(0.5)) object.packed = !object.data;
    return `laid out with a ${model.layout.crossReference}`;
  },
  (model, random) => {
    packAll(model);
    const { containerEntries } = model.layout;
    const key = random.pick(["N", "First", "Extends", "Filter", "Type", "DecodeParms", "Length"]);
    const value = random.chance(0.6) ? numberText(random) : anyValue(model, random, freeNumber(model));
    containerEntries.set(key, value);
    return `object streams: /${key} ${value.slice(0, 60)}`;
  },
  (model, random) => {
    packAll(model);
    model.layout.objectsPerStream = random.pick([1, 2, 3, 1000]);
    const packed = model.objects.filter((object) => object.packed);
    for (const { num } of packed) {
      if (!random.chance(0.3)) continue;
      const container = freeNumber(model) + random.below(3);
      model.layout.packedLies.set(num, [
        random.chance(0.7) ? container : num,
        random.pick([0, 1, 2, 999, 65535]),
      ]);
    }
    return "packed objects are elsewhere";
  },
  (model, random) => {
    model.layout.crossReference = "stream";
    const wide = () => random.pick([0, 1, 2, 3, 4, 5, 8]);
    model.layout.widths = [random.pick([0, 1, 1, 2]), wide(), wide()];
    if (random.chance(0.4)) model.layout.sectionEntries.set("W", anyValue(model, random, 1));
    return `cross-reference stream: W ${model.layout.widths.join(" ")}`;
  },
  (model, random) => {
    model.layout.crossReference = "stream";
    const pairs = Array.from(
      { length: random.pick([1, 2, 5, 3000]) },
      () => `${numberText(random)} ${numberText(random)}`,
    );
    const value = random.chance(0.7) ? `[${pairs.join(" ")}]` : anyValue(model, random, 1);
    model.layout.sectionEntries.set("Index", value);
    return `cross-reference stream: Index ${value.slice(0, 60)}`;
  },
  (model, random) => {
    model.layout.predictor = true;
    model.layout.crossReference = "stream";
    const value = `<</Predictor ${numberText(random)}/Columns ${numberText(random)}/Colors ${numberText(random)}>>`;
    if (random.chance(0.7)) model.layout.sectionEntries.set("DecodeParms", value);
    return `cross-reference stream: ${value}`;
  },
  (model, random) => {
    const key = random.pick(["Size", "Prev", "XRefStm", "Root", "Encrypt", "ID", "Type", "Filter"]);
    const value = random.chance(0.5)
      ? numberText(random)
      : random.chance(0.5)
        ? reference(model, random)
        : anyValue(model, random, 1);
    model.layout.sectionEntries.set(key, value);
    return `section: /${key} ${value.slice(0, 60)}`;
  },
  (model, random) => {
    model.layout.sections = random.pick([2, 3, 10, 300]);
    if (random.chance(0.5)) return loopBack(model, random);
    return `${model.layout.sections} sections`;
  },
  (model, random) => {
    const victims = model.objects.filter(() => random.chance(random.pick([0.05, 0.5, 1])));
    const shift = random.pick([-1, 1, 7, -20, 1000, 1e9]);
    for (const { num } of victims) model.layout.offsetLies.set(num, shift);
    return `${victims.length} offsets shifted by ${shift}`;
  },
  (model, random) => {
    const victim = random.pick(model.objects);
    model.layout.generationLies.set(victim.num, random.pick([1, 65535, 65536, 99999]));
    return `generation of ${victim.num} is a lie`;
  },
  (model, random) => {
    model.layout.startxref = random.pick([
      "0",
      "1",
      "-1",
      "99999999",
      "9",
      "15",
      "x",
      "",
      "4294967296",
      "1.5",
    ]);
    return `startxref ${model.layout.startxref}`;
  },
  (model, random) => {
    model.header = random.pick([
      "\n",
      "%PDF-1.4\n",
      "%PDF-9.9\n",
      "junk\n%PDF-1.3\n",
      "%PDF-",
      " ".repeat(1023),
      "%PDF-2.0\r",
    ]);
    return `header ${JSON.stringify(model.header.slice(0, 20))}`;
  },
  (model, random) => {
    const { length } = model.objects;
    for (let at = length - 1; at > 0; at--) {
      const other = random.below(at + 1);
      const [one, two] = [model.objects[at], model.objects[other]];
      if (one && two) [model.objects[at], model.objects[other]] = [two, one];
    }
    return "objects shuffled";
  },
];

function packAll(model: Model): void {
  if (model.layout.crossReference === "table") model.layout = { ...model.layout, crossReference: "stream" };
  for (const object of model.objects) object.packed = !object.data;
}

/** The last section leads back to itself or to one before, by the offsets that a plain layout would have. */
function loopBack(model: Model, random: Random): string {
  const length = model.objects.reduce((sum, { text, data }) => sum + text.length + (data?.length ?? 0), 0);
  const back = String(length + random.between(-50, 2000));
  model.layout = { ...plainLayout("table"), sections: model.layout.sections };
  model.layout.sectionEntries.set(random.pick(["Prev", "XRefStm"]), back);
  return `section leads to ${back}`;
}
