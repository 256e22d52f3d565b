import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Scratch } from "../../support/native-tools.ts";
import type { ClientSession } from "../client-session.ts";
import { type CorpusFamily, isPdf, type Row, rowOf } from "../family.ts";
import { disasterOf, isFault } from "../faults.ts";
import { type ManifestEntry, passwordOf } from "../manifest.ts";
import { nativePage } from "../render/native-pages.ts";
import { ssim } from "../render/ssim.ts";
import { takeSample } from "../sample.ts";
import { EXPLAINED } from "./explained.ts";
import { changedParts, type LockedFile } from "./same-document.ts";

const MOST_PAGES = 3;
const DPI = 72;
/** How like the page before each page has to be. */
const LIKE_BEFORE = 0.97;

/** PDFs again: compressed by the client, and compared with what they were by native programs. */
export const compressFamily: CorpusFamily = {
  name: "compress",
  tools: ["pdftotext", "pdfinfo", "pdfdetach", "pdftoppm", "qpdf"],
  needsChromium: true,
  accepts: isPdf,

  async examine(entries, run) {
    const { directory, sample } = run.settings;
    await run.each(takeSample(entries, sample, "files"), async (entry, lane, scratch) => {
      for (const row of await compressed(await lane.browser("chromium"), entry, directory, scratch))
        run.onRow(row);
    });
  },
};

async function compressed(
  subject: ClientSession,
  entry: ManifestEntry,
  directory: string,
  scratch: Scratch,
): Promise<readonly Row[]> {
  const { file } = entry;
  const password = passwordOf(entry);
  const before: LockedFile = { path: join(directory, file), password };
  const after: LockedFile = { path: scratch.path("compressed.pdf") };
  const answer = await subject.run(
    { kind: "compress", ...(password !== undefined && { password }) },
    before.path,
    after.path,
  );
  const row = (operation: string, why: string) => {
    const isExplained = why !== "" && EXPLAINED.has(file);
    return rowOf({
      ...{ subject: subject.name, file, disaster: disasterOf(answer), why: isExplained ? "" : why },
      operation: isExplained ? "compress, otherwise and explained" : `compress, ${operation}`,
      milliseconds: answer.kind === "file" ? answer.milliseconds : 0,
    });
  };
  if (answer.kind !== "file") {
    const isRefused = answer.kind === "typed error" && !isFault(answer.code);
    const isSound =
      entry.qpdfCheck === "ok" && answer.kind === "typed error" && answer.code === "damaged_file";
    return [row("refused", isRefused && !isSound ? "" : `${answer.kind}: ${answer.message}`)];
  }
  const [old, made] = [await stat(before.path), await stat(after.path)];
  const changed = await changedParts(before, after);
  return [
    row("not larger", made.size <= old.size ? "" : `${made.size} bytes of ${old.size}`),
    row("the same document", changed.join(", ")),
    row(
      "the same pages",
      await unlikePages(before, after, Math.min(entry.qpdfPages ?? 0, MOST_PAGES), scratch),
    ),
  ];
}

/** Returns the pages that are drawn otherwise than before. Those that poppler did not draw before are not compared. */
async function unlikePages(
  before: LockedFile,
  after: LockedFile,
  pages: number,
  scratch: Scratch,
): Promise<string> {
  const unlike: string[] = [];
  for (let page = 1; page <= pages; page++) {
    const draw = ({ path, password }: LockedFile) =>
      nativePage("pdftoppm", path, page, password, { dpi: DPI }, scratch);
    const [old, made] = [await draw(before), await draw(after)];
    const likeness = old && (made ? ssim(old, made) : 0);
    if (likeness !== undefined && likeness < LIKE_BEFORE) unlike.push(`page ${page} ${likeness.toFixed(3)}`);
  }
  return unlike.join(", ");
}
