import { availableParallelism } from "node:os";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import { featureTable, type TableLine } from "../feature-table.ts";
import { takeSample } from "../sample.ts";
import { OurEngine } from "../split/contestant.ts";
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
import { OurMerger, PdfLibMerger, QpdfMerger } from "./contestant.ts";
import { TEXT } from "./explained.ts";
import { MERGE_FEATURES } from "./features.ts";
import type { Member } from "./member.ts";
import { type Known, knownOf, planMerges } from "./plan.ts";

const LINES: readonly TableLine[] = [
  ...[CHECKED, COUNTED, TEXT].map((name) => ({ name, fate: "kept" as const })),
  ...MERGE_FEATURES,
  { name: OTHER_PAGES, fate: "dropped" as const },
  ...[ENTRIES, COLLISIONS, RETURNED].map((name) => ({ name, fate: "kept" as const })),
].map(({ name, fate }) => ({ operation: operationOf(name), fate }));

/**
 * What becomes of pages, forms, outlines, tags and the rest when documents are merged: judged by what native qpdf and
 * poppler read in the inputs and in the output, ours beside native qpdf's own and `@cantoo/pdf-lib`'s.
 */
export const mergeFamily: CorpusFamily = {
  name: "merge",
  accepts: (entry) => (entry.qpdfPages ?? 0) > 0,

  async examine(entries, settings, onRow) {
    if (settings.reference || announceMissing("what a merge keeps", ["qpdf", "pdftotext"]).length > 0) return;
    const known: Known[] = [];
    await inLanes(entries, async (entry) => {
      const found = await knownOf(entry, settings.directory);
      if (found) known.push(found);
    });
    const merges = planMerges(known, settings.directory);
    console.log(`${merges.length} merges of ${known.length} documents`);
    const rows: Row[] = [];
    const queue = takeSample(merges, settings.sample, "merges").values();
    const lanes = Array.from({ length: availableParallelism() }, () =>
      examineQueue(queue, (row) => {
        rows.push(row);
        onRow(row);
      }),
    );
    await Promise.all(lanes);
    console.log(featureTable(rows, LINES));
  },
};

/** Works on as many items at once as there are cores. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** Takes merges off the queue, which other lanes share, until it is empty. */
async function examineQueue(queue: Iterator<readonly Member[]>, onRow: (row: Row) => void): Promise<void> {
  const splitter = new OurEngine();
  const mergers = [new OurMerger(), new QpdfMerger(), new PdfLibMerger()];
  try {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const scratch = new Scratch();
      try {
        await examineMerge({ members: next.value, scratch, onRow }, mergers, splitter);
      } finally {
        scratch.remove();
      }
    }
  } finally {
    for (const merger of mergers) merger.close();
    await splitter.close();
  }
}
