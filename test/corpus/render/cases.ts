import { join } from "node:path";
import type { SessionAnswer } from "../../support/browsers/browser-session.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type Row, rowOf } from "../family.ts";
import { disasterOf } from "../faults.ts";
import { type ManifestEntry, passwordOf } from "../manifest.ts";
import { comparePage, type PageComparison } from "./compare-pages.ts";
import { drawnPages } from "./drawn-pages.ts";
import { EXPLAINED } from "./explained.ts";
import { NATIVES, nativePage } from "./native-pages.ts";
import { type GrayPicture, ssim } from "./ssim.ts";
import type { RenderJob, RenderSubject } from "./subject.ts";

const DPI = 72;
const MOST_PAGES = 3;
/** What a file's pages become, by the number of its letters: each about as often, and always the same. */
const FORMATS = ["png", "jpg"] as const;
/** How like one of the natives a page has to be. */
const LIKE_A_NATIVE = 0.9;
/** How like each other two browsers' pages have to be. */
const LIKE_ANOTHER_BROWSER = 0.99;

/** One PDF in front of one subject. */
export interface RenderExamination {
  readonly directory: string;
  readonly entry: ManifestEntry;
  readonly subject: RenderSubject;
  readonly scratch: Scratch;
  readonly onRow: (row: Row) => void;
}

/** What became of a PDF: its pages, or why there are none. */
type Drawing =
  | { readonly kind: "pages"; readonly pages: readonly GrayPicture[]; readonly milliseconds: number }
  | { readonly kind: "none"; readonly answer: Exclude<SessionAnswer, { kind: "file" }> };

/** Draws a PDF's first pages, and compares each with what native programs draw. */
export async function examinePages(examination: RenderExamination): Promise<void> {
  const { directory, entry, scratch } = examination;
  const input = join(directory, entry.file);
  const drawing = await draw(examination);
  if (drawing.kind === "none") {
    // The client refuses a selection as a whole, so native programs must draw all pages of it.
    const counts = await Promise.all(
      NATIVES.map((native) =>
        nativePage(native, input, entry.qpdfPages ?? 1, passwordOf(entry), { dpi: DPI }, scratch),
      ),
    );
    const drawn = counts.filter((page) => page !== undefined).length;
    row(examination, drawing, `draw, ${countOf(drawn)}`, drawn < NATIVES.length ? "" : whyNone(drawing));
    return;
  }
  const comparisons: PageComparison[] = [];
  for (const [index, page] of drawing.pages.entries()) {
    comparisons.push(await comparePage(page, input, index + 1, passwordOf(entry), DPI, scratch));
  }
  const compared = comparisons.filter(({ drawnBy }) => drawnBy.length > 0);
  const unlike = compared.filter(({ likeness }) => likeness < LIKE_A_NATIVE);
  const natives = Math.min(...comparisons.map(({ drawnBy }) => drawnBy.length));
  if (unlike.length > 0 && EXPLAINED.has(entry.file)) {
    row(examination, drawing, "draw, unlike both natives and explained", "");
    return;
  }
  row(examination, drawing, `draw, ${countOf(natives)}`, unlike.map(({ detail }) => detail).join("; "));
}

/** Draws a PDF's first pages in two browsers, which must not differ. */
export async function compareBrowsers(examination: RenderExamination, other: RenderSubject): Promise<void> {
  const one = await draw({ ...examination, subject: other });
  const drawing = await draw(examination);
  const operation = `draw, as ${other.name} does`;
  if (one.kind === "none" || drawing.kind === "none") {
    const codes = [one, drawing].map((side) => (side.kind === "none" ? codeOf(side.answer) : "drawn"));
    row(examination, drawing, operation, codes[0] === codes[1] ? "" : codes.join(" and "));
    return;
  }
  const worst = Math.min(
    ...drawing.pages.map((page, index) => {
      const counterpart = one.pages[index];
      return counterpart === undefined ? 0 : ssim(page, counterpart);
    }),
  );
  row(examination, drawing, operation, worst > LIKE_ANOTHER_BROWSER ? "" : `alike by ${worst.toFixed(4)}`);
}

async function draw({ directory, entry, subject, scratch }: RenderExamination): Promise<Drawing> {
  const output = scratch.path("drawn");
  const password = passwordOf(entry);
  const format = FORMATS[entry.file.length % FORMATS.length] ?? "png";
  const job: RenderJob = {
    dpi: DPI,
    mostPages: MOST_PAGES,
    format,
    ...(password !== undefined && { password }),
  };
  try {
    const answer = await subject.run(job, join(directory, entry.file), output);
    if (answer.kind !== "file") return { kind: "none", answer };
    const pages = await drawnPages(output, answer.fileName, scratch);
    return { kind: "pages", pages, milliseconds: answer.milliseconds };
  } catch (error) {
    if (!(error instanceof OracleFailure)) throw error;
    return { kind: "none", answer: { kind: "untyped error", message: error.message } };
  }
}

function row({ entry, subject, onRow }: RenderExamination, drawing: Drawing, operation: string, why: string) {
  const outcome =
    drawing.kind === "none"
      ? { disaster: disasterOf(drawing.answer) }
      : { milliseconds: drawing.milliseconds };
  onRow(rowOf({ subject: subject.name, operation, file: entry.file, why, ...outcome }));
}

function countOf(natives: number): string {
  return ["as no native does", "as one native does", "as both natives do"][natives] ?? "";
}

function whyNone({ answer }: Extract<Drawing, { kind: "none" }>): string {
  return `${codeOf(answer)}: ${answer.message}`;
}

function codeOf(answer: Extract<Drawing, { kind: "none" }>["answer"]): string {
  return answer.kind === "typed error" ? answer.code : answer.kind;
}
