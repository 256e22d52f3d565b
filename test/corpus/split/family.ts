import { availableParallelism } from "node:os";
import { join } from "node:path";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import { featureTable, type TableLine } from "../feature-table.ts";
import type { ManifestEntry } from "../manifest.ts";
import { examineFeatures, FEATURES, OTHER_PAGES, type SplitCase, UNUSED_RESOURCES } from "./cases.ts";
import { NativeQpdf, OurEngine, PdfLib } from "./contestant.ts";
import { type BurstSizes, weighBurst } from "./sizes.ts";

const BURST = "burst of all documents together";
const LINES: readonly TableLine[] = [
  ...FEATURES.map(({ name, fate }) => ({ operation: name, fate })),
  { operation: UNUSED_RESOURCES, fate: "dropped" },
  { operation: OTHER_PAGES, fate: "dropped" },
];

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
    console.log(featureTable(rows, LINES));
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

function sizeLine(sizes: readonly BurstSizes[]): string {
  const [pages, ours, native, bare] = (["pages", "ours", "native", "bare"] as const).map((of) =>
    total(sizes, of),
  );
  return `burst of ${sizes.length} documents, ${pages} pages: ours ${ours} bytes, qpdf --pages ${native}, qpdf --split-pages ${bare}`;
}
