import { availableParallelism } from "node:os";
import { announceBrowser } from "../../support/browsers/browser-session.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { spread, takeSample } from "../sample.ts";
import { compareBrowsers, examinePages, type RenderExamination } from "./cases.ts";
import { startRendering } from "./subject.ts";

const SUITE = "the corpus's pages";

/** PDFs again: their first pages as pictures, compared with how poppler and MuPDF draw them. */
export const renderFamily: CorpusFamily = {
  name: "pages",
  accepts: (entry) => entry.file.startsWith("pdf/") && entry.file.toLowerCase().endsWith(".pdf"),

  async examine(all, { directory, sample, otherBrowsersSample, reference }, onRow) {
    const entries = takeSample(all, sample, "files");
    if (entries.length === 0) return;
    if (reference) {
      process.stderr.write(`SKIPPED: ${SUITE}: no native program stands in for our client\n`);
      return;
    }
    if (announceMissing(SUITE, ["vips", "mutool", "pdftoppm", "unzip"]).length > 0) return;
    if (!announceBrowser("chromium", SUITE)) return;
    const scratch = new Scratch();
    const common = { directory, scratch, onRow };
    try {
      const queue = entries.values();
      await Promise.all(Array.from({ length: availableParallelism() }, () => examineQueue(queue, common)));
      if (otherBrowsersSample === 0) return;
      const others = (["firefox", "webkit"] as const).filter((browser) => announceBrowser(browser, SUITE));
      const few = spread(entries, otherBrowsersSample);
      await Promise.all(others.map((browser) => compareAll(browser, few, common)));
    } finally {
      scratch.remove();
    }
  },
};

/** Compares the pages that a browser draws with those of Chromium. */
async function compareAll(
  browser: "firefox" | "webkit",
  entries: readonly ManifestEntry[],
  common: Omit<RenderExamination, "entry" | "subject">,
): Promise<void> {
  const subject = await startRendering(browser);
  const chromium = await startRendering("chromium");
  try {
    for (const entry of entries) await compareBrowsers({ ...common, entry, subject }, chromium);
  } finally {
    await subject.close();
    await chromium.close();
  }
}

/** Takes files off the queue, which other lanes share, until it is empty. */
async function examineQueue(
  queue: Iterator<ManifestEntry>,
  common: Omit<RenderExamination, "entry" | "subject">,
): Promise<void> {
  const subject = await startRendering("chromium");
  try {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      await examinePages({ ...common, entry: next.value, subject });
    }
  } finally {
    await subject.close();
  }
}
