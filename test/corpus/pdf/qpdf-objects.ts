import { runTool } from "../../support/native-tools.ts";
import { type NativePassword, OracleFailure, openingWith } from "../../support/oracles.ts";

/** What native qpdf's JSON consists of; references are `"3 0 R"`. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const REFERENCE = /^\d+ \d+ R$/;
/** What belongs to the file's form and not to what it holds. */
const OF_THE_FILE = new Set(["/Prev", "/XRefStm", "/Size", "/Length"]);

/**
 * Returns which objects of a document another one has in another way, in a few words; empty when it has all of them.
 *
 * @param password opens the other one
 */
export async function objectsDifference(
  before: string,
  after: string,
  password?: NativePassword,
): Promise<string> {
  const [was, is] = await Promise.all([reachedObjects(before), reachedObjects(after, password)]);
  const others = [...was].filter(([reference, object]) => is.get(reference) !== object);
  const [[reference, object] = []] = others;
  if (reference === undefined) return "";
  const now = is.get(reference)?.slice(0, 100) ?? "nothing";
  return `${others.length} of ${was.size} objects are others: ${reference} was ${object?.slice(0, 100)}, is ${now}`;
}

/**
 * Every object that the trailer reaches, as native qpdf reads it: its value, or a stream's dictionary and its data as
 * they stand, by number.
 */
async function reachedObjects(path: string, password?: NativePassword): Promise<ReadonlyMap<string, string>> {
  const options = [
    ...openingWith(password),
    "--json=2",
    "--json-stream-data=inline",
    "--decode-level=none",
    "--json-key=qpdf",
    "--no-warn",
  ];
  const { code, stdout, stderr } = await runTool("qpdf", [...options, path]);
  if (code !== 0 && code !== 3) throw new OracleFailure(`qpdf --json: ${stderr}`);
  const parsed: { qpdf: readonly [unknown, Record<string, Json>] } = JSON.parse(stdout.toString("utf8"));
  const [, objects] = parsed.qpdf;
  const reached = new Map<string, string>();
  const next: Json[] = [objects.trailer ?? null];
  for (let value = next.pop(); value !== undefined; value = next.pop()) {
    const name = isReference(value) ? normal(value, objects) : null;
    if (typeof name === "string") {
      const object = objects[`obj:${value}`] ?? null;
      if (reached.has(name)) continue;
      reached.set(name, JSON.stringify(normal(withoutFileForm(object, objects), objects)));
      next.push(object);
    } else if (isRecord(value)) {
      for (const [key, entry] of Object.entries(value)) if (!OF_THE_FILE.has(key)) next.push(entry);
    } else if (Array.isArray(value)) next.push(...value);
  }
  return reached;
}

/**
 * A stream's length may have been a reference, and is none afterwards. Other values in its dictionary may become objects
 * of their own.
 */
function withoutFileForm(object: Json, objects: Record<string, Json>): Json {
  if (!isRecord(object) || !isRecord(object.stream) || !isRecord(object.stream.dict)) return object;
  const { "/Length": _, ...dict } = object.stream.dict;
  const direct = Object.entries(dict).map(([key, value]) => {
    const target = isReference(value) ? objects[`obj:${value}`] : undefined;
    return [key, isRecord(target) && "value" in target ? target.value : value] as const;
  });
  return { ...object.stream, dict: Object.fromEntries(direct) };
}

/**
 * Returns a value with references to generation 0, because protect may number objects anew, and with null for references
 * that lead nowhere. An entry that is null is no entry (ISO 32000-2, 7.3.7 and 7.3.10).
 */
function normal(value: Json, objects: Record<string, Json>): Json {
  if (isReference(value)) {
    const object = objects[`obj:${value}`];
    const isMissing = !isRecord(object) || object.value === null;
    return isMissing ? null : value.replace(/ \d+ R$/, " 0 R");
  }
  if (Array.isArray(value)) return value.map((item) => normal(item, objects));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, normal(entry, objects)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== null));
}

function isReference(value: Json | undefined): value is string {
  return typeof value === "string" && REFERENCE.test(value);
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
