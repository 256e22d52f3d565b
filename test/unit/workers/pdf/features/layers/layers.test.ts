import { describe, expect, it } from "vitest";
import { catalogOf, pageOf, pdfOf } from "../../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../../support/made-texts.ts";

/** A page whose content is on a membership dictionary (OCMD) of one or two layers. */
const documentOf = (membership: string) =>
  pdfOf([
    ...catalogOf("3 0 R", "/OCProperties<</OCGs[5 0 R 6 0 R]/D<</Order[5 0 R 6 0 R]>>>>"),
    pageOf(3, "/Resources<</Properties<</M 4 0 R>>>>/Contents 7 0 R"),
    { num: 4, body: `<</Type/OCMD${membership}>>` },
    { num: 5, body: "<</Type/OCG/Name(Walls)>>" },
    { num: 6, body: "<</Type/OCG/Name(Pipes)>>" },
    { num: 7, body: "<<>>", stream: "/OC /M BDC 0 0 9 9 re f EMC" },
  ]);

describe("a layer that pages reach through a membership dictionary only", () => {
  it.each(["/OCGs 5 0 R", "/OCGs[5 0 R]"])("keeps its name when it is the only one: %s", async (entry) => {
    const [text = ""] = await splitTexts(documentOf(entry), "1");
    expect(text).toContain("(Walls)");
    expect(text).toMatch(/\/Order ?\[/);
    expect(text).not.toContain("(Pipes)");
  });

  it("loses its name when the dictionary has several", async () => {
    const [text = ""] = await splitTexts(documentOf("/OCGs[5 0 R 6 0 R]"), "1");
    expect(text).not.toContain("(Walls)");
    expect(text).not.toContain("(Pipes)");
    expect(text.match(/\/Type ?\/OCG\b/g)).toHaveLength(2);
  });
});
