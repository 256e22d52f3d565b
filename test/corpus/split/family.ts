import { join } from "node:path";
import { type CorpusFamily, type Row, rowOf } from "../family.ts";
import { featureTable, type TableLine } from "../feature-table.ts";
import { passwordOf } from "../manifest.ts";
import { examineFeatures, FEATURES, OTHER_PAGES, type SplitCase, UNUSED_RESOURCES } from "./cases.ts";
import { type BurstSizes, weighBurst } from "./sizes.ts";

const LINES: readonly TableLine[] = [
  ...FEATURES.map(({ name, fate }) => ({ operation: name, fate })),
  { operation: UNUSED_RESOURCES, fate: "dropped" },
  { operation: OTHER_PAGES, fate: "dropped" },
];

/**
 * What becomes of forms, outlines, tags and the rest when pages are split off: judged by what native qpdf reads in
 * the input and in the output, with `--peers` beside native qpdf's own and `@cantoo/pdf-lib`'s.
 */
export const splitFamily: CorpusFamily = {
  name: "split",
  tools: ["qpdf"],
  accepts: (entry) => (entry.qpdfPages ?? 0) > 0,

  async examine(entries, run) {
    const { directory, peers } = run.settings;
    const sizes: BurstSizes[] = [];
    const rows: Row[] = [];
    const onRow = (row: Row) => {
      rows.push(row);
      run.onRow(row);
    };
    await run.each(entries, async (entry, lane, scratch) => {
      const path = join(directory, entry.file);
      const splitCase: SplitCase = { entry, path, password: passwordOf(entry), scratch, onRow };
      const source = await examineFeatures(splitCase, lane.contestants(peers));
      const burst = await weighBurst(splitCase, source, lane.engine, peers);
      if (burst) sizes.push(burst);
    });
    if (sizes.length > 0) run.onRow(burstRow(sizes));
    console.log(featureTable(rows, LINES));
    if (peers) console.log(sizeLine(sizes));
  },
};

function total(sizes: readonly BurstSizes[], of: "pages" | "ours" | "native" | "bare"): number {
  return sizes.reduce((sum, burst) => sum + burst[of], 0);
}

function burstRow(sizes: readonly BurstSizes[]): Row {
  const [ours, native] = [total(sizes, "ours"), total(sizes, "native")];
  const why = ours <= native ? "" : `${ours} bytes, native qpdf's ${native}`;
  return rowOf({ subject: "ours", operation: "burst of all documents together", file: "(all)", why });
}

function sizeLine(sizes: readonly BurstSizes[]): string {
  const [pages, ours, native, bare] = (["pages", "ours", "native", "bare"] as const).map((of) =>
    total(sizes, of),
  );
  return `burst of ${sizes.length} documents, ${pages} pages: ours ${ours} bytes, qpdf --pages ${native}, qpdf --split-pages ${bare}`;
}
