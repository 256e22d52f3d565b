import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { announceBrowser, type SessionAnswer } from "../../support/browsers/browser-session.ts";
import { announceMissing, runTool, Scratch } from "../../support/native-tools.ts";
import { wordShares } from "../../support/word-shares.ts";
import type { CorpusFamily, Row } from "../family.ts";
import { disasterOf } from "../faults.ts";
import type { ManifestEntry } from "../manifest.ts";
import { type RenderSubject, startRendering } from "../render/subject.ts";
import { takeSample } from "../sample.ts";
import { EXPLAINED } from "./explained.ts";

const SUITE = "the corpus's text";
const MOST_PAGES = 20;
/** The share of words that two programs must have in common to agree on a page. */
const AGREED = 0.9;

/** PDFs again: the words of their first pages, compared with those that poppler and MuPDF read. */
export const textFamily: CorpusFamily = {
  name: "text",
  accepts: (entry) => entry.file.toLowerCase().endsWith(".pdf"),

  async examine(entries, { directory, sample, reference }, onRow) {
    if (reference) {
      process.stderr.write(`SKIPPED: ${SUITE}: no native program stands in for our client\n`);
      return;
    }
    if (announceMissing(SUITE, ["pdftotext", "mutool"]).length > 0) return;
    if (!announceBrowser("chromium", SUITE)) return;
    const scratch = new Scratch();
    try {
      const queue = takeSample(entries, sample, "files").values();
      const lanes = Array.from({ length: availableParallelism() }, async () => {
        const subject = await startRendering("chromium");
        try {
          for (const entry of queue) onRow(await examineText(subject, entry, directory, scratch));
        } finally {
          await subject.close();
        }
      });
      await Promise.all(lanes);
    } finally {
      scratch.remove();
    }
  },
};

async function examineText(
  subject: RenderSubject,
  entry: ManifestEntry,
  directory: string,
  scratch: Scratch,
): Promise<Row> {
  const input = join(directory, entry.file);
  const password = entry.encrypted ? (entry.password ?? "") : undefined;
  const output = scratch.path("text.txt");
  const job = {
    dpi: 72,
    mostPages: MOST_PAGES,
    format: "txt",
    ...(password !== undefined && { password }),
  } as const;
  const answer = await subject.run(job, input, output);
  const text = answer.kind === "file" ? readFileSync(output, "utf8") : "";
  rmSync(output, { force: true });
  const natives = await nativeTexts(input, password);
  const unlike = natives === undefined ? undefined : unlikePages(text, natives);
  const common = {
    subject: subject.name,
    file: entry.file,
    disaster: answer.kind === "file" ? undefined : disasterOf(answer),
    milliseconds: answer.kind === "file" ? answer.milliseconds : 0,
  };
  if (unlike === undefined)
    return { ...common, operation: "text, where natives differ", passed: true, why: "" };
  if (unlike.length > 0 && EXPLAINED.has(entry.file))
    return { ...common, operation: "text, unlike both natives and explained", passed: true, why: "" };
  const why = unlike.length === 0 ? "" : `${reasonOf(answer)}page ${unlike.join(", ")}`;
  return { ...common, operation: "text, where both natives agree", passed: why === "", why };
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
  const [user, open] =
    password === undefined
      ? [[], []]
      : [
          ["-upw", password],
          ["-p", password],
        ];
  const runs = await Promise.all([
    runTool("pdftotext", ["-enc", "UTF-8", "-l", `${MOST_PAGES}`, ...user, input, "-"]),
    runTool("mutool", ["draw", "-q", "-F", "txt", ...open, input, `1-${MOST_PAGES}`]),
  ]);
  const [poppler = "", mupdf = ""] = runs.map(({ stdout }) => stdout.toString("utf8"));
  return runs.some(({ code }) => code !== 0) ? undefined : [poppler, mupdf];
}

function reasonOf(answer: SessionAnswer): string {
  if (answer.kind === "file") return "";
  return `${answer.kind === "typed error" ? answer.code : answer.kind}: ${answer.message}, `;
}
