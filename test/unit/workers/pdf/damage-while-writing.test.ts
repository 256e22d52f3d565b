import { describe, expect, it } from "vitest";
import { repairBytes, splitBytes } from "../../../support/engine.ts";
import { damagedOnTheWay } from "../../../support/fixtures/damaged-pdf.ts";
import { textOf } from "../../../support/made-texts.ts";

describe("damage in the content of the second page", () => {
  const input = damagedOnTheWay();

  it.each(["1", "2,1", "1,2", "1-2"])("does not change the first page: %s", async (pages) => {
    const files = await splitBytes(input, { pages });
    expect(files.map(({ name }) => name)).toEqual(pages.split(",").map((item) => `file-${item}.pdf`));
    const first = files.find(({ name }) => name.startsWith("file-1"));
    const text = textOf(first?.bytes ?? new Uint8Array());
    // Nothing tells of the damage until the second page is written.
    expect(text.includes("Helvetica")).toBe(pages !== "1");
    expect(text.includes("(note)")).toBe(pages !== "1");
  });

  it("does not change the first page of a repaired document", async () => {
    const text = textOf(await repairBytes(input, { pages: "1-2" }));
    expect(text).toContain("Helvetica");
    expect(text).toContain("(note)");
    expect(text.match(/%PDF-/g)).toHaveLength(1);
  });
});
