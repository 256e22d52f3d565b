import { availableParallelism } from "node:os";
import { announceBrowser, type BrowserName } from "../../browsers/browser-seat.ts";
import { announceMissing, Scratch } from "../../native/tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { examineImage } from "./cases.ts";
import { sampleOf } from "./sample.ts";
import { ImageSubject } from "./subject.ts";

const SUITE = "the corpus's images";

/** Images: every conversion of each, compared with how native libvips, libheif and poppler see input and output. */
export const imageFamily: CorpusFamily = {
  name: "images",
  accepts: (entry) => entry.nativeOpens !== undefined,

  async examine(entries, { directory, otherBrowsersSample, reference }, onRow) {
    if (entries.length === 0) return;
    if (reference) {
      process.stderr.write(`SKIPPED: ${SUITE}: no native program stands in for our client\n`);
      return;
    }
    if (announceMissing(SUITE, ["vips", "mutool", "pdfinfo", "unzip"]).length > 0) return;
    const scratch = new Scratch();
    try {
      if (announceBrowser("chromium", SUITE)) {
        await examineAll("chromium", availableParallelism(), entries, directory, scratch, onRow);
      }
      if (otherBrowsersSample === 0) return;
      for (const browser of ["firefox", "webkit"] as const) {
        const sample = sampleOf(entries, otherBrowsersSample);
        if (announceBrowser(browser, SUITE)) {
          await examineAll(browser, 1, sample, directory, scratch, onRow);
        }
      }
    } finally {
      scratch.remove();
    }
  },
};

/** Several pages of a browser take files off one queue until it is empty. */
async function examineAll(
  browser: BrowserName,
  lanes: number,
  entries: readonly ManifestEntry[],
  directory: string,
  scratch: Scratch,
  onRow: (row: Row) => void,
): Promise<void> {
  const queue = entries.entries();
  const lane = async () => {
    const subject = await ImageSubject.start(browser);
    try {
      for (let next = queue.next(); !next.done; next = queue.next()) {
        const [place, entry] = next.value;
        await examineImage({ directory, entry, place, subject, scratch, onRow });
      }
    } finally {
      await subject.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
