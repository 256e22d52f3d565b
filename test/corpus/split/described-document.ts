import { createHash } from "node:crypto";
import { runTool } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";

/** What native qpdf's JSON consists of: references are `"3 0 R"`, names `"/Name"`, strings `"u:…"` or `"b:…"`. */
export type Value = null | boolean | number | string | readonly Value[] | Dict;
export interface Dict {
  readonly [key: string]: Value;
}

export interface OutlineEntry {
  readonly title: string;
  readonly dest: Value;
  readonly open: boolean;
  readonly kids: readonly OutlineEntry[];
}

/** A stream as qpdf shows it. */
export interface Stream {
  readonly dict: Dict;
  /** Its data, in base64, decoded as far as qpdf decodes. */
  readonly data: string;
}

const KEYS_BUT_FIELDS = ["qpdf", "pages", "pagelabels", "outlines", "attachments"].map(
  (key) => `--json-key=${key}`,
);
const REFERENCE = /^\d+ \d+ R$/;
const REFERENCE_CHAIN = 16;
const TREE_DEPTH = 32;

export function isDict(value: Value | undefined): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isReference(value: Value | undefined): value is string {
  return typeof value === "string" && REFERENCE.test(value);
}

/** A document as native qpdf reads it: no code of ours has a say in what it holds. */
export class DescribedDocument {
  readonly path: string;
  readonly password: string | undefined;
  /** The page objects, in order. */
  readonly pages: readonly string[];
  readonly trailer: Dict;
  readonly catalog: Dict;
  readonly outlines: readonly OutlineEntry[];
  readonly fields: readonly Dict[];
  readonly pageLabels: readonly Dict[];
  readonly attachments: Dict;
  readonly #values = new Map<string, Value>();
  readonly #streams = new Map<string, Stream>();

  private constructor(path: string, password: string | undefined, json: Dict) {
    this.path = path;
    this.password = password;
    const [, objects] = listOf(json.qpdf);
    for (const [key, entry] of Object.entries(isDict(objects) ? objects : {})) {
      if (!isDict(entry)) continue;
      const reference = key.replace(/^obj:/, "");
      const { stream } = entry;
      if (isDict(stream)) {
        const dict = isDict(stream.dict) ? stream.dict : {};
        this.#values.set(reference, dict);
        this.#streams.set(reference, { dict, data: String(stream.data ?? "") });
      } else this.#values.set(reference, entry.value ?? null);
    }
    this.pages = listOf(json.pages).map((page) => String(isDict(page) ? page.object : ""));
    this.trailer = this.dict(this.#values.get("trailer"));
    this.catalog = this.dict(this.trailer["/Root"]);
    this.outlines = listOf(json.outlines).map(outlineEntry);
    this.fields = listOf(isDict(json.acroform) ? json.acroform.fields : []).filter(isDict);
    this.pageLabels = listOf(json.pagelabels).filter(isDict);
    this.attachments = isDict(json.attachments) ? json.attachments : {};
  }

  /**
   * @param data whether streams are decoded, and their dictionaries say nothing of their filters; else they have none
   * @throws OracleFailure when qpdf cannot open the file
   */
  static async read(
    path: string,
    password?: string,
    data: "decoded" | "left out" = "decoded",
  ): Promise<DescribedDocument> {
    const opening = password === undefined ? [] : [`--password=${password}`];
    const streams = data === "decoded" ? "inline" : "none";
    const asked = [...opening, "--json=2", `--json-stream-data=${streams}`, "--decode-level=specialized"];
    let complaint = "";
    // Where qpdf stumbles over a form, it may still say all but that.
    for (const keys of [[], KEYS_BUT_FIELDS]) {
      const run = await runTool("qpdf", [...asked, ...keys, path]);
      const json = parsed(run.stdout.toString("utf8"));
      if (isDict(json)) return new DescribedDocument(path, password, json);
      complaint = run.stderr.split("\n", 1)[0] ?? "";
    }
    throw new OracleFailure(`qpdf --json: ${complaint}`);
  }

  resolve(value: Value | undefined): Value {
    let found = value ?? null;
    for (let hop = 0; isReference(found) && hop < REFERENCE_CHAIN; hop++)
      found = this.#values.get(found) ?? null;
    return found;
  }

  /** The dictionary that a value is, or that of a stream; else an empty one. */
  dict(value: Value | undefined): Dict {
    const found = this.resolve(value);
    return isDict(found) ? found : {};
  }

  list(value: Value | undefined): readonly Value[] {
    return listOf(this.resolve(value));
  }

  stream(value: Value | undefined): Stream | undefined {
    return isReference(value) ? this.#streams.get(value) : undefined;
  }

  streams(): IterableIterator<[string, Stream]> {
    return this.#streams.entries();
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  /** A page's entry, its own or inherited. */
  inherited(page: string, key: string): Value {
    let node = this.dict(page);
    for (let depth = 0; depth < TREE_DEPTH; depth++) {
      const value = node[key];
      if (value !== undefined) return value;
      node = this.dict(node["/Parent"]);
    }
    return null;
  }

  /** The pairs of a name tree or a number tree. */
  pairs(
    root: Value | undefined,
    leaves: "/Names" | "/Nums",
    depth = 0,
  ): readonly (readonly [Value, Value])[] {
    if (depth > TREE_DEPTH) return [];
    const node = this.dict(root);
    const own = this.list(node[leaves]);
    const pairs: (readonly [Value, Value])[] = [];
    for (let index = 0; index + 1 < own.length; index += 2)
      pairs.push([this.resolve(own[index]), own[index + 1] ?? null]);
    return [...pairs, ...this.list(node["/Kids"]).flatMap((kid) => this.pairs(kid, leaves, depth + 1))];
  }
}

/** What a text in JSON says; null when it breaks off. */
function parsed(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

function outlineEntry(value: Value): OutlineEntry {
  const entry = isDict(value) ? value : {};
  return {
    title: String(entry.title ?? ""),
    dest: entry.dest ?? null,
    open: entry.open === true,
    kids: listOf(entry.kids).map(outlineEntry),
  };
}

/** What stands for data in a fact. */
export function digestOf(data: string): string {
  return createHash("sha256").update(data).digest("hex").slice(0, 16);
}
