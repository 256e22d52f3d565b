import type { CorpusFamily } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { examineImage, type ImageExamination } from "./cases.ts";
import { sampleOf } from "./sample.ts";
import { targetsOf } from "./subject.ts";

const SUITE = "the corpus's images";

/** Images: all conversions, compared with native libvips, libheif and poppler. */
export const imageFamily: CorpusFamily = {
  name: "images",
  tools: ["vips", "mutool", "pdfinfo", "unzip"],
  needsChromium: true,
  accepts: (entry) => entry.nativeOpens !== undefined,

  async examine(entries, run) {
    const { directory, otherBrowsersSample, formats } = run.settings;
    const examine = (
      [place, entry]: readonly [number, ManifestEntry],
      more: Pick<ImageExamination, "subject" | "scratch">,
    ) =>
      examineImage({
        ...more,
        ...{ directory, entry, place, targets: targetsOf(place, formats), onRow: run.onRow },
      });
    await run.each(entries.entries(), async (item, lane, scratch) =>
      examine(item, { subject: await lane.browser("chromium"), scratch }),
    );
    const few = otherBrowsersSample === 0 ? [] : sampleOf(entries, otherBrowsersSample);
    await run.eachInOtherBrowsers([...few.entries()], SUITE, async (item, browser, lane, scratch) =>
      examine(item, { subject: await lane.browser(browser), scratch }),
    );
  },
};
