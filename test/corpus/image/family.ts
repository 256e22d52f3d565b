import { availableParallelism } from "node:os";
import { announceBrowser, type BrowserName } from "../../support/browsers/browser-session.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { examineImage } from "./cases.ts";
import { sampleOf } from "./sample.ts";
import { startImages, targetsOf } from "./subject.ts";

const SUITE = "the corpus's images";

/** Images: all conversions, compared with native libvips, libheif and poppler. */
export const imageFamily: CorpusFamily = {
  name: "images",
  accepts: (entry) => entry.nativeOpens !== undefined,

  async examine(entries, { directory, otherBrowsersSample, formats, reference }, onRow) {
    if (entries.length === 0) return;
    if (reference) {
      process.stderr.write(`SKIPPED: ${SUITE}: no native program stands in for our client\n`);
      return;
    }
    if (announceMissing(SUITE, ["vips", "mutool", "pdfinfo", "unzip"]).length > 0) return;
    const scratch = new Scratch();
    const examination = { directory, formats, scratch, onRow };
    try {
      if (announceBrowser("chromium", SUITE)) {
        await examineAll("chromium", availableParallelism(), entries, examination);
      }
      if (otherBrowsersSample === 0) return;
      const sample = sampleOf(entries, otherBrowsersSample);
      const others = (["firefox", "webkit"] as const).filter((browser) => announceBrowser(browser, SUITE));
      // One after the other: a second browser would slow down operations, which have a time limit.
      for (const browser of others) await examineAll(browser, 1, sample, examination);
    } finally {
      scratch.remove();
    }
  },
};

/** The settings for all files. */
interface Examination {
  readonly directory: string;
  readonly formats: number;
  readonly scratch: Scratch;
  readonly onRow: (row: Row) => void;
}

/** Examines files in several pages of a browser, which share one queue. */
async function examineAll(
  browser: BrowserName,
  lanes: number,
  entries: readonly ManifestEntry[],
  { formats, ...examination }: Examination,
): Promise<void> {
  const queue = entries.entries();
  const lane = async () => {
    const subject = await startImages(browser);
    try {
      for (let next = queue.next(); !next.done; next = queue.next()) {
        const [place, entry] = next.value;
        const targets = targetsOf(place, formats);
        await examineImage({ ...examination, entry, place, subject, targets });
      }
    } finally {
      await subject.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
