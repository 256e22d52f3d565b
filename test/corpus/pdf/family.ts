import { availableParallelism } from "node:os";
import { join } from "node:path";
import { findChromium } from "../../../scripts/machine.mjs";
import { announceMissing, Scratch } from "../../native/tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { examineFile } from "./cases.ts";
import { ChromiumSubject } from "./chromium-subject.ts";
import { NativeSubject } from "./native-subject.ts";
import { NodeSubject } from "./node-subject.ts";
import { PdfReference } from "./reference.ts";
import { sampleOf } from "./sample.ts";
import type { PdfSubject } from "./subject.ts";

/** PDFs: protect, unlock, split and rewrite, compared with what native qpdf makes of the same file. */
export const pdfFamily: CorpusFamily = {
  name: "PDF",
  accepts: (entry) => entry.qpdfCheck !== undefined || entry.file.toLowerCase().endsWith(".pdf"),

  async examine(entries, settings, onRow) {
    if (announceMissing("the corpus's PDFs", ["qpdf", "pdftotext", "pdftoppm", "unzip"]).length > 0) return;
    const scratch = new Scratch();
    const references = new Map(
      entries.map((entry) => {
        const password = entry.encrypted ? (entry.password ?? "") : undefined;
        const path = join(settings.directory, entry.file);
        return [entry, new PdfReference(path, password, scratch, settings.pictures)] as const;
      }),
    );
    const examineAll = (subject: PdfSubject, queue: Iterator<ManifestEntry>) =>
      examineQueue(subject, queue, references, scratch, onRow);
    try {
      const queue = entries.values();
      const lanes = Array.from({ length: availableParallelism() }, () =>
        examineAll(settings.reference ? new NativeSubject() : new NodeSubject(), queue),
      );
      await Promise.all(lanes);
      if (settings.reference || settings.browserSample === 0) return;
      if (findChromium() === undefined) {
        process.stderr.write("SKIPPED: the corpus in a browser: no Chromium on this machine\n");
        return;
      }
      const sample = sampleOf(entries, settings.browserSample);
      await examineAll(await ChromiumSubject.start(), sample.values());
    } finally {
      scratch.remove();
    }
  },
};

/** Takes files off the queue, which other lanes may share, until it is empty. */
async function examineQueue(
  subject: PdfSubject,
  queue: Iterator<ManifestEntry>,
  references: ReadonlyMap<ManifestEntry, PdfReference>,
  scratch: Scratch,
  onRow: (row: Row) => void,
): Promise<void> {
  try {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const entry = next.value;
      const reference = references.get(entry);
      if (reference !== undefined) await examineFile({ entry, reference, subject, scratch, onRow });
    }
  } finally {
    await subject.close();
  }
}
