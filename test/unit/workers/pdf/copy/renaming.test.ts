import { expect, test } from "vitest";
import { mergeBytes } from "../../../../support/engine.ts";
import { catalogOf, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { objectTexts } from "../../../../support/made-texts.ts";

/** A form of one field in a font. */
const formIn = (font: string) =>
  pdfOf([
    ...catalogOf("3 0 R", "/AcroForm<</Fields[4 0 R]/DR<</Font<</F#20A 5 0 R>>>>>>"),
    pageOf(3, "/Annots[4 0 R]"),
    { num: 4, body: "<</Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(a)/DA(1 g/F#20A 9 Tf 0 g)>>" },
    { num: 5, body: `<</Type/Font/Subtype/Type1/BaseFont/${font}>>` },
  ]);

test("fields name their fonts by the new names, also if those have escapes", async () => {
  const merged = await mergeBytes([{ bytes: formIn("Helvetica") }, { bytes: formIn("Courier") }]);
  const texts = [...objectTexts(merged).values()].join("\n");
  expect(texts.match(/\/DA \(.*?\)/g)).toEqual(["/DA (1 g/F#20A 9 Tf 0 g)", "/DA (1 g/F#20A_2 9 Tf 0 g)"]);
  expect(texts).toMatch(/\/Font <<\/F#20A_2 \d+ 0 R\/F#20A \d+ 0 R>>/);
});
