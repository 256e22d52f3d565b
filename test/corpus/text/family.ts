import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionAnswer } from "../../support/browsers/browser-session.ts";
import { runTool, type Scratch } from "../../support/native-tools.ts";
import { wordShares } from "../../support/word-shares.ts";
import { type CorpusFamily, isPdf, type Row, rowOf } from "../family.ts";
import { disasterOf } from "../faults.ts";
import { type ManifestEntry, passwordOf } from "../manifest.ts";
import type { RenderJob, RenderSubject } from "../render/subject.ts";
import { takeSample } from "../sample.ts";
import { EXPLAINED } from "./explained.ts";

const MOST_PAGES = 20;
/** The share of words that two programs must have in common to agree on a page. */
const AGREED = 0.9;

/** The text of most files takes a second. A bomb takes many minutes, and nothing is compared then. */
const NATIVE_LIMIT_MS = 30_000;

/** PDFs again: the words of their first pages, compared with those that poppler and MuPDF read. */
export const textFamily: CorpusFamily = {
  name: "text",
  tools: ["pdftotext", "mutool"],
  needsChromium: true,
  accepts: isPdf,

  async examine(entries, run) {
    const { directory, sample } = run.settings;
    await run.each(takeSample(entries, sample, "files"), async (entry, lane, scratch) => {
      run.onRow(await examineText(await lane.browser("chromium"), entry, directory, scratch));
    });
  },
};

async function examineText(
  subject: RenderSubject,
  entry: ManifestEntry,
  directory: string,
  scratch: Scratch,
): Promise<Row> {
  const input = join(directory, entry.file);
  const password = passwordOf(entry);
  const output = scratch.path("text.txt");
  const job: RenderJob = {
    dpi: 72,
    mostPages: MOST_PAGES,
    format: "txt",
    ...(password !== undefined && { password }),
  };
  const [answer, natives] = await Promise.all([
    subject.run(job, input, output),
    nativeTexts(input, password),
  ]);
  const text = answer.kind === "file" ? await readFile(output, "utf8") : "";
  const unlike = natives && unlikePages(text, natives);
  const row = (operation: string, why: string) =>
    rowOf({
      ...{ subject: subject.name, operation: `text, ${operation}`, file: entry.file, why },
      disaster: disasterOf(answer),
      milliseconds: answer.kind === "file" ? answer.milliseconds : 0,
    });
  if (unlike === undefined) return row("where natives differ", "");
  if (unlike.length > 0 && EXPLAINED.has(entry.file)) return row("unlike both natives and explained", "");
  const why = unlike.length === 0 ? "" : `${reasonOf(answer)}page ${unlike.join(", ")}`;
  return row("where both natives agree", why);
}

/**
 * Returns the numbers of the pages with other words than both natives read.
 *
 * @returns nothing when the natives agree on no page
 */
function unlikePages(text: string, [poppler, mupdf]: readonly [string, string]): number[] | undefined {
  const shares = [wordShares(text, poppler), wordShares(text, mupdf)];
  const agreed = wordShares(poppler, mupdf).flatMap((share, index) => (share >= AGREED ? [index] : []));
  if (agreed.length === 0) return undefined;
  const isLike = (index: number) => shares.some((share) => (share[index] ?? 0) >= AGREED);
  return agreed.filter((index) => !isLike(index)).map((index) => index + 1);
}

/** What poppler and MuPDF read. Nothing when one of them cannot open the file. */
async function nativeTexts(
  input: string,
  password: string | undefined,
): Promise<readonly [string, string] | undefined> {
  const opening = (option: string) => (password === undefined ? [] : [option, password]);
  const runs = await Promise.all([
    runTool(
      "pdftotext",
      ["-enc", "UTF-8", "-l", `${MOST_PAGES}`, ...opening("-upw"), input, "-"],
      NATIVE_LIMIT_MS,
    ),
    runTool(
      "mutool",
      ["draw", "-q", "-F", "txt", ...opening("-p"), input, `1-${MOST_PAGES}`],
      NATIVE_LIMIT_MS,
    ),
  ]);
  const [poppler = "", mupdf = ""] = runs.map(({ stdout }) => stdout.toString("utf8"));
  return runs.some(({ code }) => code !== 0) ? undefined : [poppler, mupdf];
}

function reasonOf(answer: SessionAnswer): string {
  if (answer.kind === "file") return "";
  return `${answer.kind === "typed error" ? answer.code : answer.kind}: ${answer.message}, `;
}
