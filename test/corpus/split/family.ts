import { availableParallelism } from "node:os";
import { join } from "node:path";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { examineFeatures, FEATURES, OTHER_PAGES, type SplitCase, UNUSED_RESOURCES } from "./cases.ts";
import { NativeQpdf, OurEngine, PdfLib } from "./contestant.ts";
import { type BurstSizes, weighBurst } from "./sizes.ts";

const BURST = "burst of all documents together";
const CONTESTANTS = ["ours", "qpdf", "pdf-lib"] as const;

/**
 * What becomes of forms, outlines, tags and the rest when pages are split off: judged by what native qpdf reads in
 * the input and in the output, ours beside native qpdf's own and `@cantoo/pdf-lib`'s.
 */
export const splitFamily: CorpusFamily = {
  name: "split",
  accepts: (entry) => (entry.qpdfPages ?? 0) > 0,

  async examine(entries, settings, onRow) {
    if (settings.reference || announceMissing("what a split keeps", ["qpdf"]).length > 0) return;
    const queue = entries.values();
    const sizes: BurstSizes[] = [];
    const rows: Row[] = [];
    const tell = (row: Row) => {
      rows.push(row);
      onRow(row);
    };
    const lanes = Array.from({ length: availableParallelism() }, () =>
      examineQueue(queue, settings.directory, sizes, tell),
    );
    await Promise.all(lanes);
    if (sizes.length > 0) onRow(burstRow(sizes));
    console.log(featureTable(rows));
    if (sizes.length > 0) console.log(sizeLine(sizes));
  },
};

/** Takes files off the queue, which other lanes share, until it is empty. */
async function examineQueue(
  queue: Iterator<ManifestEntry>,
  directory: string,
  sizes: BurstSizes[],
  onRow: (row: Row) => void,
): Promise<void> {
  const engine = new OurEngine();
  const contestants = [engine, new NativeQpdf(), new PdfLib()];
  try {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const scratch = new Scratch();
      const entry = next.value;
      const password = entry.encrypted ? (entry.password ?? "") : undefined;
      const path = join(directory, entry.file);
      const splitCase: SplitCase = { entry, path, password, scratch, onRow };
      try {
        await examineFeatures(splitCase, contestants);
        const burst = await weighBurst(splitCase, engine);
        if (burst) sizes.push(burst);
      } finally {
        scratch.remove();
      }
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.close()));
  }
}

const total = (sizes: readonly BurstSizes[], of: "pages" | "ours" | "native" | "bare") =>
  sizes.reduce((sum, burst) => sum + burst[of], 0);

function burstRow(sizes: readonly BurstSizes[]): Row {
  const [ours, native] = [total(sizes, "ours"), total(sizes, "native")];
  const passed = ours <= native;
  const why = passed ? "" : `${ours} bytes, native qpdf's ${native}`;
  return {
    subject: "ours",
    operation: BURST,
    file: "(all)",
    passed,
    why,
    disaster: undefined,
    milliseconds: 0,
  };
}

/** For each feature and each contestant: treated as it should be / documents that have it. */
export function featureTable(rows: readonly Row[]): string {
  const names = [...FEATURES.map(({ name }) => name), UNUSED_RESOURCES, OTHER_PAGES];
  const fates = new Map(FEATURES.map(({ name, fate }) => [name, fate]));
  const lines = names.flatMap((name) => {
    const cells = CONTESTANTS.map((subject) => {
      const own = rows.filter((row) => row.subject === subject && row.operation === name);
      return own.length === 0 ? undefined : `${own.filter((row) => row.passed).length} / ${own.length}`;
    });
    if (cells.every((cell) => cell === undefined)) return [];
    return [[name, fates.get(name) ?? "dropped", ...cells.map((cell) => cell ?? "")]];
  });
  const table = [["feature", "to be", ...CONTESTANTS], ...lines];
  const width = (index: number) => Math.max(...table.map((line) => line[index]?.length ?? 0));
  return table
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(width(index)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function sizeLine(sizes: readonly BurstSizes[]): string {
  const [pages, ours, native, bare] = (["pages", "ours", "native", "bare"] as const).map((of) =>
    total(sizes, of),
  );
  return `burst of ${sizes.length} documents, ${pages} pages: ours ${ours} bytes, qpdf --pages ${native}, qpdf --split-pages ${bare}`;
}
