import { availableParallelism } from "node:os";
import { join } from "node:path";
import { announceBrowser } from "../../support/browsers/browser-session.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { BrowserSubject } from "./browser-subject.ts";
import { examineFile } from "./cases.ts";
import { NativeSubject } from "./native-subject.ts";
import { NodeSubject } from "./node-subject.ts";
import { PdfReference } from "./reference.ts";
import { sampleOf } from "./sample.ts";
import type { PdfSubject } from "./subject.ts";

/** PDFs: protect, unlock, split and rewrite, compared with native qpdf's results for the same file. */
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
      if (settings.reference) return;
      const samples = {
        chromium: settings.browserSample,
        firefox: settings.otherBrowsersSample,
        webkit: settings.otherBrowsersSample,
      } as const;
      for (const browser of ["chromium", "firefox", "webkit"] as const) {
        if (samples[browser] === 0 || !announceBrowser(browser, "the corpus's PDFs")) continue;
        const sample = sampleOf(entries, samples[browser]);
        await examineAll(await BrowserSubject.start(browser), sample.values());
      }
    } finally {
      scratch.remove();
    }
  },
};

/** Examines the files of the queue, which other lanes share, until it is empty. */
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
