// Writes the code of a call as an app writes it, and makes the same call.
import type { Client } from "../../../src/index.ts";
import type { Method, Operation, Setting } from "./operations.ts";

export type Values = Readonly<Record<string, string>>;

/** A file that came out. `url` is valid until it is revoked or its result is released. */
export interface OutputFile {
  readonly name: string;
  readonly bytes: number;
  readonly type: string;
  readonly url: string;
}

/** What came out of a call. */
export interface Outcome {
  readonly milliseconds: number;
  readonly files: readonly OutputFile[];
  /** What the call says, or the content of a text file. */
  readonly text?: string;
  /** Frees the files. */
  free(): void;
}

/** The client, with fields that readers type. The client checks them. */
type Calls = { readonly [Name in Method["name"]]: (params: object) => ReturnType<Client[Name]> };

/** The most letters of a method and its fields on one line. */
const LINE = 30;

const AFTER: Readonly<Record<Method["answers"], string>> = {
  result: "link.href = result.download_url;\nlink.download = result.file_name;",
  value: "console.log(info);",
  parts: "  list.append(part.name);\n}",
  pictures: "  image.src = URL.createObjectURL(blob);\n}",
  text: "  console.log(page, text, words);\n}",
};

/** Returns the code of a call. */
export function codeOf({ method, settings, takesSeveral }: Operation, values: Values): string {
  const fields = [
    takesSeveral ? "file: files" : "file",
    ...set(settings, values).map((setting) => `${setting.name}: ${literal(setting, values)}`),
  ];
  const flat = fields.join(", ");
  const params =
    `${method.name}${flat}`.length <= LINE
      ? `{ ${flat} }`
      : `{\n${fields.map((field) => `  ${field},\n`).join("")}}`;
  const call = `client.${method.name}(${params})`;
  return `import { createClient } from "stayput";

const client = createClient();
${opening(method, call)}
${AFTER[method.answers]}`;
}

function opening({ answers }: Method, call: string): string {
  switch (answers) {
    case "result":
      return `const result = await ${call};`;
    case "value":
      return `const info = await ${call};`;
    case "parts":
      return `for await (const { file: part } of ${call}) {`;
    case "pictures":
      return `for await (const { blob } of ${call}) {`;
    case "text":
      return `for await (const { page, text, words } of ${call}) {`;
  }
}

/** Makes the call that {@link codeOf} writes. */
export async function run(
  client: Client,
  { method, settings, takesSeveral }: Operation,
  files: readonly File[],
  values: Values,
): Promise<Outcome> {
  const fields = set(settings, values).map((setting) => [setting.name, typedValue(setting, values)]);
  const params = { file: takesSeveral ? files : files[0], ...Object.fromEntries(fields) };
  const calls = client as Calls;
  const start = performance.now();
  const since = () => Math.round(performance.now() - start);
  if (method.answers === "result") {
    const result = await calls[method.name](params);
    const milliseconds = since();
    const blob = client.blob(result);
    const file = { ...namesOf(blob, result.file_name), url: result.download_url };
    const text = blob.type.startsWith("text/") ? { text: await blob.text() } : {};
    return { milliseconds, files: [file], ...text, free: () => client.release(result) };
  }
  if (method.answers === "value") {
    const info = await calls.inspect(params);
    return { milliseconds: since(), files: [], text: JSON.stringify(info, null, 2), free: () => undefined };
  }
  if (method.answers === "text") {
    const pages: string[] = [];
    for await (const { page, text, words } of calls.readText(params)) {
      const [first] = words;
      const place =
        first && `, the first, “${first.text}”, at ${Math.round(first.x)}, ${Math.round(first.y)}`;
      pages.push(`Page ${page}: ${words.length} words${place ?? ""}\n${text.trim()}`);
    }
    return { milliseconds: since(), files: [], text: pages.join("\n\n"), free: () => undefined };
  }
  const made: OutputFile[] = [];
  const add = (blob: Blob, name: string) =>
    made.push({ ...namesOf(blob, name), url: URL.createObjectURL(blob) });
  if (method.answers === "parts") {
    for await (const { file } of calls.splitParts(params)) add(file, file.name);
  } else {
    for await (const { page, blob } of calls.renderPages(params))
      add(blob, `page-${page}.${blob.type.slice(6)}`);
  }
  return {
    milliseconds: since(),
    files: made,
    free: () => {
      for (const { url } of made) URL.revokeObjectURL(url);
    },
  };
}

function namesOf({ size, type }: Blob, name: string) {
  return { name, bytes: size, type };
}

/** The fields that have a value. */
function set(settings: readonly Setting[], values: Values): readonly Setting[] {
  return settings.filter(({ name }) => (values[name] ?? "") !== "");
}

function literal({ name, type }: Setting, values: Values): string {
  const value = values[name] ?? "";
  return type === "text" ? JSON.stringify(value) : value;
}

function typedValue({ name, type }: Setting, values: Values): unknown {
  const value = values[name] ?? "";
  if (type === "number") return Number(value);
  return type === "json" ? JSON.parse(value) : value;
}
