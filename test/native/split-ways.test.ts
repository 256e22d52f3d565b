import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ManifestEntry, readManifest } from "../corpus/manifest.ts";
import { type NamedBytes, splitBytes } from "../support/engine.ts";
import { makeOutlinedPdf } from "../support/fixtures/outlined-pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { type NativeEntry, popplerPages, qpdfCheck, qpdfOutline } from "../support/oracles.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";

const CORPUS = fileURLToPath(new URL("../../../shared/corpus/", import.meta.url));

const missing = announceMissing("splits by outline and by size", ["qpdf", "pdftotext"]);
const hasCorpus = existsSync(CORPUS);
if (!hasCorpus) process.stderr.write("SKIPPED: splits of real files: there is no ../shared/corpus\n");

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** The files as native programs read them: name, qpdf's verdict, and the text of each page. */
async function describeFiles(files: readonly NamedBytes[]) {
  return Promise.all(
    files.map(async ({ name, bytes }) => {
      const path = onDisk(scratch, bytes);
      const { verdict, pageCount } = await qpdfCheck(path);
      return { name, verdict, pageCount, texts: (await popplerPages(path)).map((text) => text.trim()) };
    }),
  );
}

const sound = (name: string, pages: readonly number[]) => ({
  name,
  verdict: "ok",
  pageCount: pages.length,
  texts: pages.map((page) => `page ${page}`),
});

describe.skipIf(missing.length > 0)("a made document", () => {
  const input = makeOutlinedPdf(7, [
    ["(Second)", 5],
    ["<FEFF6700521D>", 2],
    ["(and/or)", 5],
  ]);

  test("is split by its outline", async () => {
    expect(await describeFiles(await splitBytes(input, { by: { kind: "outline" } }))).toEqual([
      sound("file-0.pdf", [1]),
      sound("file-1-最初.pdf", [2, 3, 4]),
      sound("file-2-Second.pdf", [5]),
      sound("file-3-and_or.pdf", [5, 6, 7]),
    ]);
  });

  test("is split without the excluded pages", async () => {
    expect(
      await describeFiles(await splitBytes(input, { by: { kind: "pages", pages: "7-3,x5,all,x2-6" } })),
    ).toEqual([sound("file-7-3-x5.pdf", [7, 6, 4, 3]), sound("file-1.pdf", [1]), sound("file-7.pdf", [7])]);
  });

  test("is split every three pages", async () => {
    expect(await describeFiles(await splitBytes(input, { by: { kind: "every", count: 3 } }))).toEqual([
      sound("file-1-3.pdf", [1, 2, 3]),
      sound("file-4-6.pdf", [4, 5, 6]),
      sound("file-7.pdf", [7]),
    ]);
  });
});

/** The first and the last page of the file of each top-level entry, and its title, by what native qpdf reads. */
function expectedFiles(entries: readonly NativeEntry[], pageCount: number) {
  const pageOf = ({ destpageposfrom1: page, kids }: NativeEntry): number | undefined =>
    page ?? kids.map(pageOf).find((found) => found !== undefined);
  const starts = entries
    .map((entry) => ({ title: entry.title, first: pageOf(entry) ?? 0 }))
    .filter(({ first }) => first > 0)
    .sort((one, other) => one.first - other.first);
  const files = starts.map((start, index) => {
    const last = (starts[index + 1]?.first ?? pageCount + 1) - 1;
    return { ...start, last: Math.max(start.first, last) };
  });
  const [start] = files;
  return start && start.first > 1 ? [{ title: "", first: 1, last: start.first - 1 }, ...files] : files;
}

describe.skipIf(missing.length > 0 || !hasCorpus)("real files", () => {
  let entries: readonly ManifestEntry[] = [];
  beforeAll(async () => {
    const all = await readManifest(CORPUS);
    entries = all.filter(({ qpdfCheck: verdict }) => verdict === "ok" || verdict === "warnings");
  });

  /** The text of each page, or undefined when poppler cannot open the file or sees other pages than qpdf. */
  async function textsOf({ qpdfPages, password }: ManifestEntry, path: string) {
    const texts = await popplerPages(path, password).catch(() => undefined);
    return texts?.length === qpdfPages ? texts : undefined;
  }

  /** Returns what is wrong with a file of a split; empty when nothing is. */
  async function faultOf(file: NamedBytes, pages: readonly number[], texts: readonly string[] | undefined) {
    const path = onDisk(scratch, file.bytes);
    const { verdict, pageCount, complaint } = await qpdfCheck(path);
    if (verdict === "error" || pageCount !== pages.length) return `${pageCount} pages: ${complaint}`;
    const wanted = texts && pages.map((page) => texts[page - 1]);
    if (wanted && (await popplerPages(path)).join("\f") !== wanted.join("\f")) return "other text";
    return "";
  }

  const sequence = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);

  test("with an outline are split by it as native qpdf reads it", async () => {
    const faults: string[] = [];
    let judged = 0;
    for (const entry of entries) {
      const path = join(CORPUS, entry.file);
      const outline = await qpdfOutline(path, entry.password ?? "").catch(() => []);
      const expected = expectedFiles(outline, entry.qpdfPages ?? 0);
      if (expected.length === 0) continue;
      judged++;
      const files = await splitBytes(fromDisk(path), { by: { kind: "outline" }, password: entry.password });
      const tell = (fault: string) => faults.push(`${entry.file}: ${fault}`);
      if (files.length !== expected.length) {
        tell(`${files.length} files instead of ${expected.length}`);
        continue;
      }
      const texts = await textsOf(entry, path);
      for (const [index, { title, first, last }] of expected.entries()) {
        const file = files[index];
        if (file === undefined) continue;
        const fault = await faultOf(file, sequence(first, last), texts);
        if (fault) tell(`${file.name}: ${fault}`);
        const isPlain = /^[\w ]{1,80}$/.test(title) && title.trim() === title;
        if (isPlain && !file.name.endsWith(`-${title}.pdf`)) tell(`${title} is called ${file.name}`);
        if (!/^file-\d+(-[^<>:"/\\|?*\p{Cc}]*[^<>:"/\\|?*\p{Cc}. ])?\.pdf$/u.test(file.name))
          tell(`${file.name} is not safe`);
      }
    }
    expect(faults).toEqual([]);
    expect(judged).toBeGreaterThan(80);
  });

  test("are split by size into as many pages as fit, and no more", async () => {
    // One file claims to have ten billion pages.
    const isSound = ({ qpdfCheck: verdict, qpdfPages = 0 }: ManifestEntry) =>
      verdict === "ok" && qpdfPages > 1 && qpdfPages < 1000;
    const several = entries.filter(isSound);
    expect(several.length).toBeGreaterThan(50);
    const faults: string[] = [];
    for (const entry of several) {
      const path = join(CORPUS, entry.file);
      const input = fromDisk(path);
      const { password, qpdfPages: pageCount = 0 } = entry;
      const maxBytes = Math.ceil(input.length / 3);
      const files = await splitBytes(input, { by: { kind: "size", maxBytes }, password });
      const texts = await textsOf(entry, path);
      const tell = (fault: string) => faults.push(`${entry.file}: ${fault}`);
      let next = 1;
      for (const file of files) {
        const [, first = "", last = first] = /^file-(\d+)(?:-(\d+))?\.pdf$/.exec(file.name) ?? [];
        const pages = sequence(Number(first), Number(last));
        if (pages[0] !== next) tell(`${file.name} does not begin with page ${next}`);
        next += pages.length;
        if (file.bytes.length > maxBytes && pages.length > 1) tell(`${file.name} is too large`);
        const fault = await faultOf(file, pages, texts);
        if (fault) tell(`${file.name}: ${fault}`);
        if (next > pageCount) continue;
        const [longer] = await splitBytes(input, { pages: `${first}-${next}`, password });
        if ((longer?.bytes.length ?? 0) <= maxBytes) tell(`${file.name} has room for page ${next}`);
      }
      if (next !== pageCount + 1) tell(`ends before page ${next}`);
    }
    expect(faults).toEqual([]);
  });
});
