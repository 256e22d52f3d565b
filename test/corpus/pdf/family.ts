import { join } from "node:path";
import { announceBrowser } from "../../support/browsers/browser-session.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { type CorpusFamily, isPdf } from "../family.ts";
import { type ManifestEntry, passwordOf } from "../manifest.ts";
import { BrowserSubject } from "./browser-subject.ts";
import { examineFile } from "./cases.ts";
import { PdfReference } from "./reference.ts";
import { sampleOf } from "./sample.ts";
import { nodeSubject } from "./subject.ts";

const SUITE = "the corpus's PDFs";

/**
 * PDFs: protect, unlock, split and repair, compared with native qpdf's results for the same file. Protected
 * and unlocked again, a sound document has every object that it had, as native qpdf reads them.
 */
export const pdfFamily: CorpusFamily = {
  name: "PDF",
  tools: ["qpdf", "pdftotext", "unzip"],
  accepts: isPdf,

  async examine(entries, run) {
    const { directory, browserSample, otherBrowsersSample } = run.settings;
    const about = (entry: ManifestEntry, scratch: Scratch) => {
      const reference = new PdfReference(join(directory, entry.file), passwordOf(entry), scratch);
      return { entry, reference, scratch, onRow: run.onRow };
    };
    const hasChromium = browserSample > 0 && announceBrowser("chromium", SUITE);
    const inChromium = new Set(hasChromium ? sampleOf(entries, browserSample) : []);
    await run.each(entries, async (entry, lane, scratch) => {
      const examination = about(entry, scratch);
      await examineFile({ ...examination, subject: nodeSubject(lane.engine) });
      if (!inChromium.has(entry)) return;
      await examineFile({ ...examination, subject: new BrowserSubject(await lane.browser("chromium")) });
    });
    const few = sampleOf(entries, otherBrowsersSample);
    await run.eachInOtherBrowsers(few, SUITE, async (entry, browser, lane, scratch) =>
      examineFile({ ...about(entry, scratch), subject: new BrowserSubject(await lane.browser(browser)) }),
    );
  },
};
