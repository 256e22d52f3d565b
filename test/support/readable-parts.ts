import { textOf } from "./made-texts.ts";

/** What of an encrypted PDF can be read without its password: each kind as SECURITY.md lists it. */
export const READABLE_KINDS = [
  "the version",
  "which objects are streams",
  "the length of a stream",
  "a key of a stream's dictionary",
  "a number",
  "a boolean",
  "a reference",
  "the name in Type",
  "the name in Subtype",
  "the name in ColorSpace",
  "Filter",
  "DecodeParms",
  "the encryption dictionary",
  "the cross-reference",
  "a key of the trailer",
  "a reference of the trailer",
  "the file identifier",
] as const;

type ReadableKind = (typeof READABLE_KINDS)[number];

/** What a scan of an encrypted PDF finds in plain. */
export interface ReadableParts {
  readonly kinds: ReadonlySet<ReadableKind>;
  /** What is readable and of no kind, in a few words each. */
  readonly unlisted: readonly string[];
}

/** A value in plain. Arrays and dictionaries are nested values. */
type Value =
  | { readonly kind: "number" | "boolean" | "null" | "reference" | "name" | "string"; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly Value[] }
  | { readonly kind: "dictionary"; readonly entries: ReadonlyMap<string, Value> };

const ENCRYPTION_KEYS = "Filter V R Length CF StmF StrF O U OE UE P Perms EncryptMetadata".split(" ");
const CROSS_REFERENCE_KEYS = "Type Size W Index Filter DecodeParms Length".split(" ");

/**
 * Scans an encrypted PDF from its first byte to its last, as a reader without the password sees it. Uses no code of the
 * PDF engine. Every byte has to be part of something that it knows.
 */
export function readableParts(pdf: Uint8Array): ReadableParts {
  const scan = new Scan(textOf(pdf));
  scan.run();
  return scan;
}

class Scan {
  readonly kinds = new Set<ReadableKind>();
  readonly unlisted: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    if (this.#take(/%PDF-2\.0\n%\xe2\xe3\xcf\xd3\n/y)) this.kinds.add("the version");
    const encryption: string[] = [];
    let declared = "";
    for (let object = this.#take(/(\d+) (\d+) obj\n/y); object; object = this.#take(/(\d+) (\d+) obj\n/y)) {
      const name = `${object[1]} ${object[2]}`;
      const value = this.#value();
      const dict = value.kind === "dictionary" ? value.entries : new Map<string, Value>();
      if (this.#take(/\nstream\n/y)) {
        this.kinds.add("which objects are streams");
        this.#skipData(dict.get("Length"));
        const encrypt = nameOf(dict.get("Type")) === "XRef" ? this.#trailer(dict) : this.#stream(name, dict);
        declared = encrypt ?? declared;
      } else if (nameOf(dict.get("Filter")) === "Standard") {
        encryption.push(`${name} R`);
        for (const key of dict.keys()) if (!ENCRYPTION_KEYS.includes(key)) this.#add(name, key);
        this.kinds.add("the encryption dictionary");
      } else this.#add(name, "an object that is no stream");
      if (!this.#take(/\nendobj\n/y)) break;
    }
    if (encryption.join() !== declared) this.#add("Encrypt", `${declared} and not ${encryption}`);
    if (!this.#take(/startxref\n\d+\n%%EOF\n$/y)) this.#add("bytes", `at ${this.#at}`);
  }

  #stream(object: string, dict: ReadonlyMap<string, Value>): undefined {
    for (const [key, value] of dict) {
      const kind = kindIn(key, value);
      if (kind) this.kinds.add(kind).add("a key of a stream's dictionary");
      else this.#add(object, `${key} (${value.kind})`);
    }
  }

  /** Returns the reference to the encryption dictionary. */
  #trailer(dict: ReadonlyMap<string, Value>): string {
    this.kinds.add("the cross-reference");
    let encrypt = "";
    for (const [key, value] of dict) {
      if (CROSS_REFERENCE_KEYS.includes(key)) continue;
      this.kinds.add("a key of the trailer");
      if (value.kind === "reference") this.kinds.add("a reference of the trailer");
      else if (key === "ID" && value.kind === "array") this.kinds.add("the file identifier");
      else this.#add("trailer", `${key} (${value.kind})`);
      if (key === "Encrypt" && value.kind === "reference") encrypt = value.text;
    }
    return encrypt;
  }

  #add(place: string, what: string): void {
    this.unlisted.push(`${place}: ${what}`);
  }

  #skipData(length: Value | undefined): void {
    this.#at += length?.kind === "number" ? Number(length.text) : 0;
    if (!this.#take(/\nendstream/y)) this.#add("stream", `has another end at ${this.#at}`);
  }

  #value(): Value {
    this.#take(/[\s\0]+/y);
    if (this.#take(/<</y)) return { kind: "dictionary", entries: new Map(this.#entries()) };
    if (this.#take(/\[/y)) return { kind: "array", items: [...this.#items()] };
    const kinds = [
      ["reference", /(\d+ \d+ R)/y],
      ["number", /([-+]?[\d.]+)/y],
      ["boolean", /(true|false)/y],
      ["null", /(null)/y],
      ["name", /\/([^\s\0()<>[\]{}/%]*)/y],
      ["string", /(<[\da-fA-F]*>|\((?:[^\\()]|\\[\s\S])*\))/y],
    ] as const;
    for (const [kind, pattern] of kinds) {
      const [, text] = this.#take(pattern) ?? [];
      if (text !== undefined) return { kind, text };
    }
    throw new Error(`no value at ${this.#at}: ${JSON.stringify(this.#text.slice(this.#at, this.#at + 40))}`);
  }

  *#entries(): Generator<readonly [string, Value]> {
    while (!this.#take(/\s*>>/y)) {
      const key = this.#value();
      if (key.kind !== "name") throw new Error(`no key at ${this.#at}`);
      yield [key.text, this.#value()];
    }
  }

  *#items(): Generator<Value> {
    while (!this.#take(/\s*\]/y)) yield this.#value();
  }

  /** Returns the match at the position and moves behind it. The pattern is sticky. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

function nameOf(value: Value | undefined): string {
  return value?.kind === "name" ? value.text : "";
}

/** Returns the kind of an entry of a stream's dictionary; undefined when SECURITY.md lists none. */
function kindIn(key: string, value: Value): ReadableKind | undefined {
  if (key === "Length") return "the length of a stream";
  if (key === "Filter" || key === "DecodeParms") return key;
  // The same as no entry.
  if (value.kind === "null") return "a key of a stream's dictionary";
  if (value.kind === "number" || value.kind === "boolean" || value.kind === "reference") {
    return `a ${value.kind}`;
  }
  const isNamed = value.kind === "name" && !value.text.includes("#2f");
  const named = (["Type", "Subtype", "ColorSpace"] as const).find((name) => name === key);
  return isNamed && named ? `the name in ${named}` : undefined;
}
