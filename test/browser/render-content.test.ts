import { describe, expect, test } from "vitest";
import { drawnPdf, FIRST_OWN, fill } from "../support/fixtures/drawn-pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { drawn, LIME, quartersOf, RED, WHITE } from "./drawn-pages.ts";
import { convert, pixel, shown } from "./pictures.ts";

describe("rendered content", () => {
  test("the paper is white", async () => {
    for (const to of ["png", "jpg", "webp"]) {
      const picture = await shown(await convert(drawnPdf([{ content: "" }]), to));
      expect(pixel(picture, 9, 9)).toEqual(WHITE);
    }
  });

  test("the paper has the given background color", async () => {
    const content = fill("1 0 0", 0, 0, 50, 60);
    const picture = await drawn({ content }, {}, { background: "rgb(0 102 204)" });
    expect([pixel(picture, 20, 30), pixel(picture, 70, 30)]).toEqual([RED, [0, 102, 204, 255]]);
    const clear = await drawn({ content }, {}, { background: "transparent" });
    expect([pixel(clear, 20, 30), pixel(clear, 70, 30)]).toEqual([RED, [0, 0, 0, 0]]);
    const wrong = drawn({ content }, {}, { background: "no color" });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("annotations and form fields with their backgrounds are drawn", async () => {
    const objects: PlainObject[] = [
      {
        num: FIRST_OWN,
        body: "<</Type/XObject/Subtype/Form/BBox[0 0 50 30]>>",
        stream: fill("1 0 0", 0, 0, 50, 30),
      },
      {
        num: FIRST_OWN + 1,
        body: `<</Type/Annot/Subtype/Square/F 4/Rect[0 0 50 30]/AP<</N ${FIRST_OWN} 0 R>>>>`,
      },
      {
        num: FIRST_OWN + 2,
        body: "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/F 4/Rect[50 30 100 60]/MK<</BG[0 1 0]>>/DA(/Helv 8 Tf 0 g)/V()>>",
      },
      // Hidden.
      {
        num: FIRST_OWN + 3,
        body: `<</Type/Annot/Subtype/Square/F 2/Rect[50 0 100 30]/AP<</N ${FIRST_OWN} 0 R>>>>`,
      },
    ];
    const annotations = [1, 2, 3].map((index) => `${FIRST_OWN + index} 0 R`).join(" ");
    const picture = await drawn(
      { content: "", entries: `/Annots[${annotations}]` },
      {
        objects,
        catalog: `/AcroForm<</Fields[${FIRST_OWN + 2} 0 R]/NeedAppearances true/DA(/Helv 8 Tf 0 g)/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`,
      },
    );
    expect(quartersOf(picture)).toEqual([WHITE, LIME, RED, WHITE]);
  });

  test("layers are drawn by the default configuration", async () => {
    const layered = (name: string, content: string) => `/OC/${name} BDC\n${content}EMC\n`;
    const [on, off] = [FIRST_OWN, FIRST_OWN + 1];
    const picture = await drawn(
      {
        content: layered("On", fill("1 0 0", 0, 0, 50, 60)) + layered("Off", fill("0 0 1", 50, 0, 50, 60)),
        resources: `/Properties<</On ${on} 0 R/Off ${off} 0 R>>`,
      },
      {
        objects: [
          { num: on, body: "<</Type/OCG/Name(on)>>" },
          { num: off, body: "<</Type/OCG/Name(off)>>" },
        ],
        catalog: `/OCProperties<</OCGs[${on} 0 R ${off} 0 R]/D<</OFF[${off} 0 R]>>>>`,
      },
    );
    expect([pixel(picture, 20, 30), pixel(picture, 70, 30)]).toEqual([RED, WHITE]);
  });

  test.each(["Stamp", "Highlight", "Widget/FT/Tx/T(name)"])(
    "a %s on a hidden layer is not drawn",
    async (kind) => {
      const [off, mark, first, second] = [0, 1, 2, 3].map((index) => FIRST_OWN + index);
      const annotation = (box: string, layer: string) =>
        `<</Type/Annot/Subtype/${kind}/F 4/Rect[${box}]/AP<</N ${mark} 0 R>>${layer}>>`;
      const picture = await drawn(
        { content: "", entries: `/Annots[${first} 0 R ${second} 0 R]` },
        {
          objects: [
            { num: FIRST_OWN, body: "<</Type/OCG/Name(off)>>" },
            {
              num: FIRST_OWN + 1,
              body: "<</Type/XObject/Subtype/Form/BBox[0 0 50 60]>>",
              stream: fill("1 0 0", 0, 0, 50, 60),
            },
            { num: FIRST_OWN + 2, body: annotation("0 0 50 60", `/OC ${off} 0 R`) },
            { num: FIRST_OWN + 3, body: annotation("50 0 100 60", "") },
          ],
          catalog: `/OCProperties<</OCGs[${off} 0 R]/D<</OFF[${off} 0 R]>>>>`,
        },
      );
      expect([pixel(picture, 25, 30), pixel(picture, 75, 30)]).toEqual([WHITE, RED]);
    },
  );

  test("transparency is blended", async () => {
    const [group, half] = [FIRST_OWN, FIRST_OWN + 1];
    const picture = await drawn(
      {
        content: `${fill("1 0 0", 0, 0, 50, 60)}/Half gs /Group Do`,
        resources: `/XObject<</Group ${group} 0 R>>/ExtGState<</Half ${half} 0 R>>`,
      },
      {
        objects: [
          {
            num: group,
            body: "<</Type/XObject/Subtype/Form/BBox[0 0 100 60]/Group<</S/Transparency/CS/DeviceRGB>>>>",
            // One over the other: in a group, the lower one does not shine through.
            stream: fill("0 1 0", 0, 0, 100, 60) + fill("0 0 1", 0, 0, 100, 60),
          },
          { num: half, body: "<</Type/ExtGState/ca .5>>" },
        ],
      },
    );
    const close = (value: number) => (Math.abs(value - 127) <= 1 ? 127 : value);
    expect(pixel(picture, 20, 30).map(close)).toEqual([127, 0, 127, 255]);
    expect(pixel(picture, 70, 30).map(close)).toEqual([127, 127, 255, 255]);
  });

  test("text in the standard 14 fonts is drawn", async () => {
    const fonts = [
      "Helvetica",
      "Times-Roman",
      "Courier-Bold",
      "Symbol",
      "ZapfDingbats",
      "ArialMT",
      "Calibri",
    ];
    for (const font of fonts) {
      const picture = await drawn({
        content: "BT /F1 60 Tf 5 10 Td (HMW) Tj ET",
        resources: `/Font<</F1<</Type/Font/Subtype/${font === "Calibri" ? "TrueType" : "Type1"}/BaseFont/${font}>>>>`,
      });
      const dark = picture.data.filter((value, at) => at % 4 === 0 && value < 128).length;
      expect(dark, font).toBeGreaterThan(300);
    }
  });
});
