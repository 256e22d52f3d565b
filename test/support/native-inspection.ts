import type { Inspection, OutlineEntry, Permission, ShownSize } from "../../src/shared/protocol.ts";
import { runTool } from "./native-tools.ts";
import { mustRun, OracleFailure } from "./oracles.ts";

/** What native programs find in a PDF. */
export interface NativeInspection {
  readonly pages: number;
  /** Of the first 100 pages. */
  readonly page_sizes: readonly ShownSize[];
  readonly encrypted: boolean;
  readonly permissions: readonly Permission[] | undefined;
  readonly title: string | undefined;
  readonly has_outline: boolean;
  readonly outline: readonly OutlineEntry[];
  readonly has_form: boolean;
}

/** The parts of `qpdf --json` that are read. */
interface QpdfReport {
  readonly encrypt: {
    readonly encrypted: boolean;
    readonly capabilities: Readonly<Record<string, boolean>>;
  };
  readonly outlines: readonly QpdfOutline[];
  readonly pages: readonly { readonly object: string; readonly pageposfrom1: number }[];
  readonly acroform: { readonly fields: readonly unknown[] };
}

interface QpdfOutline {
  readonly title: string;
  readonly dest: unknown;
  readonly destpageposfrom1: number | null;
  readonly kids: readonly QpdfOutline[];
}

const CAPABILITIES: Readonly<Record<Permission, string>> = {
  print: "printhigh",
  print_low: "printlow",
  modify: "modifyother",
  copy: "extract",
  annotate: "modifyannotations",
  fill_forms: "modifyforms",
  assemble: "modifyassembly",
};

/**
 * Inspects a PDF with `qpdf`, `pdfinfo` and `mutool`.
 *
 * @throws {OracleFailure} when one of them cannot
 */
export async function inspectNatively(path: string, password = ""): Promise<NativeInspection> {
  const keys = ["encrypt", "outlines", "pages", "acroform"].map((key) => `--json-key=${key}`);
  const run = await runTool("qpdf", [`--password=${password}`, "--json", ...keys, path]);
  if (run.code !== 0 && run.code !== 3) throw new OracleFailure(run.stderr);
  const { encrypt, outlines, pages, acroform }: QpdfReport = JSON.parse(run.stdout.toString("utf8"));
  const allowed = (Object.keys(CAPABILITIES) as Permission[]).filter(
    (name) => encrypt.capabilities[CAPABILITIES[name]],
  );
  const info = await pdfinfo(path, password);
  return {
    pages: Number(info.get("Pages")),
    page_sizes: sizesIn(info, await userUnits(path, password)),
    encrypted: encrypt.encrypted,
    permissions: encrypt.encrypted ? allowed : undefined,
    title: info.get("Title") || undefined,
    has_outline: outlines.length > 0,
    outline: entriesOf(outlines, new Map(pages.map(({ object, pageposfrom1 }) => [object, pageposfrom1])), 1),
    has_form: acroform.fields.length > 0 || info.get("Form") === "XFA",
  };
}

/** The entries that lead to pages, and those above them. */
function entriesOf(
  outlines: readonly QpdfOutline[],
  pages: ReadonlyMap<string, number>,
  level: number,
): readonly OutlineEntry[] {
  return outlines.flatMap(({ title, dest, destpageposfrom1, kids }) => {
    const below = entriesOf(kids, pages, level + 1);
    const page = destpageposfrom1 ?? pages.get(targetOf(dest)) ?? below[0]?.page;
    return page === undefined ? [] : [{ title: title.trim(), page, level }, ...below];
  });
}

/** The page object of a destination that is a dictionary, such as `21 0 R`. qpdf does not look into it. */
function targetOf(dest: unknown): string {
  const inside = typeof dest === "object" && dest !== null && "/D" in dest ? dest["/D"] : undefined;
  return Array.isArray(inside) ? String(inside[0]) : "";
}

/** The lines of pdfinfo, by their names. */
async function pdfinfo(path: string, password: string): Promise<ReadonlyMap<string, string>> {
  const options = ["-upw", password, "-opw", password, "-f", "1", "-l", "100"];
  const text = (
    await mustRun("pdfinfo", [...(password === "" ? options.slice(4) : options), path])
  ).toString();
  return new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).replace(/\s+/g, " "), line.slice(colon + 1).trim()];
    }),
  );
}

/** The `UserUnit` of pages by their number, if it is not 1. pdfinfo ignores it. */
async function userUnits(path: string, password: string): Promise<ReadonlyMap<number, number>> {
  const { stdout } = await runTool("mutool", ["pages", "-p", password, path, "1-100"]);
  const pages = stdout.toString().split("<page ");
  return new Map(
    pages.flatMap((page) => {
      const [, number, unit] = /^pagenum="(\d+)".*<UserUnit v="([\d.]+)"/s.exec(page) ?? [];
      return number === undefined ? [] : [[Number(number), Number(unit)] as const];
    }),
  );
}

function sizesIn(info: ReadonlyMap<string, string>, units: ReadonlyMap<number, number>): ShownSize[] {
  const sizes: ShownSize[] = [];
  for (let page = 1; ; page++) {
    const size = /^([\d.e+]+) x ([\d.e+]+) pts/.exec(info.get(`Page ${page} size`) ?? "");
    if (size === null) return sizes;
    const unit = units.get(page) ?? 1;
    const [width, height] = [Number(size[1]) * unit, Number(size[2]) * unit];
    const isTurned = Number(info.get(`Page ${page} rot`)) % 180 !== 0;
    sizes.push(isTurned ? { width: height, height: width } : { width, height });
  }
}

/** Returns the first difference in a few words; empty when there is none. pdfinfo prints six digits. */
export function differenceOf(
  found: Inspection,
  { page_sizes: sizes, ...expected }: NativeInspection,
): string {
  for (const [name, value] of Object.entries(expected)) {
    const own = JSON.stringify(Object.entries(found).find(([key]) => key === name)?.[1]);
    if (own !== JSON.stringify(value)) return `${name} is ${own}, not ${JSON.stringify(value)}`;
  }
  for (const [index, { width, height }] of sizes.entries()) {
    const own = found.page_sizes?.[index];
    const isEqual = own !== undefined && isClose(own.width, width) && isClose(own.height, height);
    if (!isEqual) return `page ${index + 1} is ${JSON.stringify(own)}, not ${width} x ${height}`;
  }
  return "";
}

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(0.01, other * 1e-5);
}
