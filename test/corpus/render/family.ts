import { type CorpusFamily, isPdf } from "../family.ts";
import { spread, takeSample } from "../sample.ts";
import { compareBrowsers, examinePages } from "./cases.ts";

/** PDFs again: their first pages as pictures, compared with how poppler and MuPDF draw them. */
export const renderFamily: CorpusFamily = {
  name: "pages",
  tools: ["vips", "mutool", "pdftoppm", "unzip"],
  needsChromium: true,
  accepts: (entry) => entry.file.startsWith("pdf/") && isPdf(entry),

  async examine(all, run) {
    const { directory, sample, otherBrowsersSample } = run.settings;
    const entries = takeSample(all, sample, "files");
    const common = { directory, onRow: run.onRow };
    await run.each(entries, async (entry, lane, scratch) =>
      examinePages({ ...common, entry, scratch, subject: await lane.browser("chromium") }),
    );
    const few = spread(entries, otherBrowsersSample);
    await run.eachInOtherBrowsers(few, "the corpus's pages", async (entry, browser, lane, scratch) =>
      compareBrowsers(
        { ...common, entry, scratch, subject: await lane.browser(browser) },
        await lane.browser("chromium"),
      ),
    );
  },
};
