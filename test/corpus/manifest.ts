import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A file of the corpus, and the results of native programs when it was collected. */
export interface ManifestEntry {
  /** Path below the corpus directory. */
  readonly file: string;
  readonly bytes: number;
  readonly encrypted: boolean;
  /** The password, when it is known and not empty. */
  readonly password: string | undefined;
  /** The verdict of qpdf. Undefined for other files than PDFs. */
  readonly qpdfCheck: "ok" | "warnings" | "error" | undefined;
  /** Undefined when qpdf could not open the file. */
  readonly qpdfPages: number | undefined;
  /** Whether native libvips or libheif opens the image. Undefined for other files. */
  readonly nativeOpens: boolean | undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function entryFrom(row: unknown, index: number): ManifestEntry {
  if (!isRecord(row) || typeof row.file !== "string") {
    throw new Error(`manifest.json: entry ${index} names no file`);
  }
  const { file, bytes, encrypted, password, qpdf_check: check, qpdf_pages: pages } = row;
  return {
    file: String(file),
    bytes: typeof bytes === "number" ? bytes : 0,
    encrypted: encrypted === true,
    password: typeof password === "string" ? password : undefined,
    qpdfCheck: check === "ok" || check === "warnings" || check === "error" ? check : undefined,
    qpdfPages: typeof pages === "number" ? pages : undefined,
    nativeOpens: typeof row.native_opens === "boolean" ? row.native_opens : undefined,
  };
}

/** The files in the `manifest.json` of a corpus directory, each once, in order. */
export async function readManifest(directory: string): Promise<readonly ManifestEntry[]> {
  const rows: unknown = JSON.parse(await readFile(join(directory, "manifest.json"), "utf8"));
  if (!Array.isArray(rows)) throw new Error("manifest.json is not a list");
  return [...new Map(rows.map(entryFrom).map((entry) => [entry.file, entry])).values()];
}

/** The password with which a file is opened. Undefined for a file that is not encrypted. */
export function passwordOf({ encrypted, password }: ManifestEntry): string | undefined {
  return encrypted ? (password ?? "") : undefined;
}
