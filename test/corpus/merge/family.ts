import type { CorpusFamily, Row } from "../family.ts";
import { featureTable, type TableLine } from "../feature-table.ts";
import { takeSample } from "../sample.ts";
import {
  CHECKED,
  COLLISIONS,
  COUNTED,
  ENTRIES,
  examineMerge,
  OTHER_PAGES,
  operationOf,
  RETURNED,
} from "./cases.ts";
import { TEXT } from "./explained.ts";
import { MERGE_FEATURES } from "./features.ts";
import { type Known, knownOf, planMerges } from "./plan.ts";

const LINES: readonly TableLine[] = [
  ...[CHECKED, COUNTED, TEXT].map((name) => ({ name, fate: "kept" as const })),
  ...MERGE_FEATURES,
  { name: OTHER_PAGES, fate: "dropped" as const },
  ...[ENTRIES, COLLISIONS, RETURNED].map((name) => ({ name, fate: "kept" as const })),
].map(({ name, fate }) => ({ operation: operationOf(name), fate }));

/**
 * What becomes of pages, forms, outlines, tags and the rest when documents are merged: judged by what native qpdf and
 * poppler read in the inputs and in the output, with `--peers` beside native qpdf's own and `@cantoo/pdf-lib`'s.
 */
export const mergeFamily: CorpusFamily = {
  name: "merge",
  tools: ["qpdf", "pdftotext"],
  accepts: (entry) => (entry.qpdfPages ?? 0) > 0,

  async examine(entries, run) {
    const { directory, peers, sample } = run.settings;
    const known: Known[] = [];
    await run.each(entries, async (entry) => {
      const found = await knownOf(entry, directory);
      if (found) known.push(found);
    });
    const merges = planMerges(known, directory);
    console.log(`${merges.length} merges of ${known.length} documents`);
    const rows: Row[] = [];
    const onRow = (row: Row) => {
      rows.push(row);
      run.onRow(row);
    };
    await run.each(takeSample(merges, sample, "merges"), (members, lane, scratch) =>
      examineMerge({ members, scratch, onRow }, lane.contestants(peers), lane.engine),
    );
    console.log(featureTable(rows, LINES));
  },
};
