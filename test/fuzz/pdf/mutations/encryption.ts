import type { Random } from "../../random.ts";
import type { Mutation } from "../../target.ts";
import { addObject, type Model, type ModelObject, placeOfValue, withEntry, withoutEntry } from "../model.ts";
import { anyValue, numberText, reference } from "./values.ts";

const KEYS = [
  ...["V", "R", "Length", "P", "O", "U", "OE", "UE", "Perms", "CF", "StmF", "StrF", "EFF", "EncryptMetadata"],
  ...["Filter", "CFM", "StdCF", "AuthEvent", "SubFilter"],
];
const METHODS = ["/V2", "/AESV2", "/AESV3", "/None", "/Identity", "/Other", "42"];

/** Changes to the encryption dictionary; a document that has none is given a useless one. */
export const ENCRYPTION_MUTATIONS: readonly Mutation<Model>[] = [
  (model, random) => change(model, random, random.pick(KEYS), anyValue(model, random, 1)),
  (model, random) => change(model, random, random.pick(["V", "R", "Length", "P"]), numberText(random)),
  (model, random) => change(model, random, random.pick(["V", "R"]), String(random.between(0, 7))),
  (model, random) =>
    change(model, random, "Length", String(random.pick([0, 5, 8, 16, 32, 40, 48, 128, 256, 1024]))),
  (model, random) => change(model, random, "CFM", random.pick(METHODS)),
  (model, random) =>
    change(
      model,
      random,
      random.pick(["StmF", "StrF", "EFF"]),
      random.pick(["/Identity", "/StdCF", "/Missing"]),
    ),
  (model, random) => change(model, random, "EncryptMetadata", random.pick(["true", "false", "0", "null"])),
  (model, random) =>
    change(
      model,
      random,
      random.pick(["O", "U", "OE", "UE", "Perms"]),
      `<${"ab".repeat(random.pick([0, 1, 16, 31, 32, 47, 48, 127, 4000]))}>`,
    ),
  leaveOut,
  identifier,
  (model, random) => {
    model.trailer = withEntry(`<<${model.trailer}>>`, "Encrypt", reference(model, random)).slice(2, -2);
    return "Encrypt leads elsewhere";
  },
];

function dictionaryOf(model: Model): ModelObject {
  const found = model.objects.find(({ text }) => /\/Standard\b/.test(text) && text.includes("/U"));
  if (found) return found;
  const bytes = (count: number) => `<${"5c".repeat(count)}>`;
  const text = `<</Filter/Standard/V 4/R 4/Length 128/P -4/O ${bytes(32)}/U ${bytes(32)}/CF<</StdCF<</CFM/AESV2>>>>/StmF/StdCF/StrF/StdCF>>`;
  const num = addObject(model, text);
  model.trailer = withEntry(`<<${model.trailer}>>`, "Encrypt", `${num} 0 R`).slice(2, -2);
  const own = model.objects.at(-1);
  if (!own) throw new Error("an object was just added");
  return own;
}

function change(model: Model, random: Random, key: string, value: string): string {
  const dict = dictionaryOf(model);
  const direct = random.chance(0.85) ? value : `${addObject(model, value)} 0 R`;
  const cf = placeOfValue(dict.text, "CF");
  if (key === "CFM" && cf && !placeOfValue(dict.text, "CFM"))
    dict.text = withEntry(dict.text, "CF", `<</StdCF<</CFM ${direct}>>>>`);
  else dict.text = withEntry(dict.text, key, direct);
  return `encryption: /${key} ${direct.slice(0, 60)}`;
}

function leaveOut(model: Model, random: Random): string {
  const dict = dictionaryOf(model);
  const key = random.pick(KEYS);
  dict.text = withoutEntry(dict.text, key);
  return `encryption: no ${key}`;
}

function identifier(model: Model, random: Random): string {
  const value = random.pick(["[]", "[()()]", "null", "[(a)]", "[[][]]", anyValue(model, random, 1)]);
  dictionaryOf(model);
  model.trailer = withEntry(`<<${model.trailer}>>`, "ID", value).slice(2, -2);
  return `trailer: /ID ${value.slice(0, 60)}`;
}
