import { afterAll, describe, expect, test } from "vitest";
import { mergeBytes, repairBytes, splitBytes } from "../support/engine.ts";
import { KINDS, LAYOUTS, NAMES, namedThingsPdf } from "../support/fixtures/named-things-pdf.ts";
import { popplerDrawsAll } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("what pages draw by names that are keys of PDF", ["pdftoppm"]);

describe.skipIf(missing.length > 0)("a page draws, as poppler reads it", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  /** The pages of a document that have names, drawn. */
  const named = async (pdf: Uint8Array) => {
    const pages = await popplerDrawsAll(onDisk(scratch, pdf));
    expect(pages).toHaveLength(NAMES.length + 2);
    return pages.slice(1, -1);
  };
  /** The names whose pages differ. */
  const differing = (before: readonly Uint8Array[], after: readonly Uint8Array[]) =>
    NAMES.filter((_, index) => !Buffer.from(before[index] ?? []).equals(after[index] ?? new Uint8Array()));

  describe.each(LAYOUTS)("%s,", (layout) => {
    test.concurrent.each(Object.entries(KINDS))("%s of any name as before", async (_, kind) => {
      const red = namedThingsPdf(kind, { layout, rgb: "1 0 0" });
      const blue = namedThingsPdf(kind, { layout, rgb: "0 0 1" });
      const [inRed, inBlue] = [await named(red), await named(blue)];
      const nameless = await named(namedThingsPdf(kind, { layout, rgb: "1 0 0", lacksNames: true }));
      expect(differing(inRed, nameless)).toEqual([...NAMES]);
      expect(differing(inRed, inBlue)).toEqual([...NAMES]);

      const [split] = await splitBytes(red, { pages: `2-${NAMES.length + 1}` });
      const merged = await popplerDrawsAll(
        onDisk(scratch, await mergeBytes([{ bytes: red }, { bytes: blue }])),
      );
      const second = merged.length / 2;
      expect({
        split: differing(inRed, await popplerDrawsAll(onDisk(scratch, split?.bytes ?? new Uint8Array()))),
        firstOfMerge: differing(inRed, merged.slice(1, second - 1)),
        secondOfMerge: differing(inBlue, merged.slice(second + 1, -1)),
        repair: differing(inRed, await named(await repairBytes(red))),
      }).toEqual({ split: [], firstOfMerge: [], secondOfMerge: [], repair: [] });
    });
  });
});
