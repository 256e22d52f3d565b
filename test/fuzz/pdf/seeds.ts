import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePdf } from "../../support/fixtures/pdf.ts";
import { makeMarkedPdf } from "../../support/fixtures/pdf-marked.ts";
import { hasTool, Scratch } from "../../support/native-tools.ts";
import { type NativeScheme, qpdfEncrypt, qpdfRewrite } from "../../support/oracles.ts";
import { Random } from "../random.ts";
import { crowdedDocuments } from "./hostile/crowds.ts";
import { encryptedDocument } from "./hostile/encrypted.ts";
import type { Model } from "./model.ts";
import { parseModel } from "./parse-model.ts";
import { writeModel } from "./write-model.ts";

/** A file that mutations start from. */
export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly password: string | undefined;
  /** The file taken apart; undefined where it cannot be, and only its bytes are mutated. */
  readonly model: Model | undefined;
}

const SIZE_LIMIT = 250_000;
const ENCRYPTED_DOCUMENTS = 60;
/** What native qpdf makes of a fixture. */
const VARIANTS: readonly (readonly string[])[] = [
  ["--object-streams=generate"],
  ["--linearize"],
  ["--linearize", "--object-streams=generate"],
];
/** The encryption schemes, with the user's password and options of qpdf. */
const ENCRYPTED: readonly (readonly [scheme: NativeScheme, password: string, ...options: string[]])[] = [
  ["RC4-40", "user"],
  ["RC4-128", "user"],
  ["RC4-128 V4", "user"],
  ["AES-128", "user"],
  ["AES-128 cleartext metadata", ""],
  ["AES-256 R5", "user"],
  ["AES-256 R6", "user"],
  ["AES-256 R6", "", "--object-streams=generate"],
  ["RC4-128", "", "--object-streams=generate"],
];

/** All seeds: fixtures made in code, what native qpdf makes of them where it is there, and a folder's PDFs. */
export async function loadSeeds(folder: string | undefined): Promise<readonly Seed[]> {
  const fixtures: readonly (readonly [string, Uint8Array])[] = [
    ["plain", makePdf({ pages: 3 })],
    ["marked", makeMarkedPdf()],
  ];
  const seeds: Seed[] = [];
  for (const [name, bytes] of fixtures) {
    // Fixtures are rich and few: they come up as often as several of the corpus's files.
    for (let copy = 0; copy < 6; copy++) seeds.push(seedOf(name, bytes, undefined));
    for (const variant of await nativeVariants(bytes))
      seeds.push({ ...variant, name: `${name}, ${variant.name}` });
  }
  const random = new Random(1);
  for (const model of crowdedDocuments(random)) seeds.push(seedOfModel("crowded", model, undefined));
  for (let count = 0; count < ENCRYPTED_DOCUMENTS; count++) {
    seeds.push(seedOfModel("encrypted", encryptedDocument(random), ""));
  }
  if (folder !== undefined) seeds.push(...corpusSeeds(folder));
  return seeds;
}

async function nativeVariants(bytes: Uint8Array): Promise<readonly Seed[]> {
  if (!hasTool("qpdf")) {
    process.stderr.write("SKIPPED: seeds by native qpdf: it is not on this machine\n");
    return [];
  }
  const scratch = new Scratch();
  try {
    const input = scratch.path("input.pdf");
    const output = scratch.path("output.pdf");
    writeFileSync(input, bytes);
    const seeds: Seed[] = [];
    for (const options of VARIANTS) {
      await qpdfRewrite(input, output, options);
      seeds.push(seedOf(options.join(" "), readFileSync(output), undefined));
    }
    for (const [scheme, user, ...options] of ENCRYPTED) {
      await qpdfEncrypt(input, output, { user, owner: "owner" }, scheme, options);
      seeds.push(seedOf([scheme, ...options].join(" "), readFileSync(output), user));
    }
    return seeds;
  } finally {
    scratch.remove();
  }
}

/** PDFs of up to 250 kB in a folder or in those below it whose names begin with `pdf`. */
export function corpusSeeds(folder: string): readonly Seed[] {
  const folders = [
    folder,
    ...readdirSync(folder)
      .filter((name) => name.startsWith("pdf"))
      .map((name) => join(folder, name)),
  ];
  const passwords = knownPasswords(folder);
  return folders
    .filter((path) => statSync(path).isDirectory())
    .flatMap((path) =>
      readdirSync(path)
        .sort()
        .filter((name) => name.endsWith(".pdf"))
        .map((name) => join(path, name)),
    )
    .filter((path) => statSync(path).size <= SIZE_LIMIT && statSync(path).size > 0)
    .map((path) => {
      const name = path.slice(folder.length + 1);
      return seedOf(name, readFileSync(path), passwords.get(name));
    });
}

function knownPasswords(folder: string): ReadonlyMap<string, string> {
  const manifest = join(folder, "manifest.json");
  if (!existsSync(manifest)) return new Map();
  const entries: readonly { file: string; password?: string }[] = JSON.parse(readFileSync(manifest, "utf8"));
  return new Map(entries.flatMap(({ file, password }) => (password === undefined ? [] : [[file, password]])));
}

/** Takes a file apart, if it can be. */
export function seedOf(name: string, bytes: Uint8Array, password: string | undefined): Seed {
  return { name, bytes, password, model: parseModel(bytes) };
}

function seedOfModel(name: string, model: Model, password: string | undefined): Seed {
  return { name, bytes: writeModel(model), password, model };
}
