import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WorkBudget } from "../../../../../workers/pdf/file/work-budget.ts";
import { repairBytes, splitBytes } from "../../../../support/engine.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";

const MB = 1024 * 1024;

describe("WorkBudget", () => {
  it("refuses objects after 48 MB and 12 times the file", () => {
    const budget = new WorkBudget(MB);
    budget.charge("byte", 60 * MB);
    expect(() => budget.charge("byte")).toThrow(/objects overlap/);
  });

  it("charges a unit of each kind", () => {
    const budget = new WorkBudget(0);
    budget.charge("entry", 6 * MB - 21);
    // 8, and the memory: 160.
    budget.charge("part");
    expect(() => budget.charge("writtenByte")).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });

  it("refuses page content with a message of its own", () => {
    const budget = new WorkBudget(0);
    budget.content.charge("byte", (64 + 48 / 4) * MB);
    expect(() => budget.content.charge("byte")).toThrow(/pages unpack to so much content/);
  });

  it("charges memory for the first reading of parts only", () => {
    const parts = 280_000;
    const budget = new WorkBudget(0);
    budget.repeated.charge("part", parts);
    budget.charge("part", parts);
    expect(() => budget.charge("part", parts)).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });

  it("starts again for a rebuilt document", () => {
    const budget = new WorkBudget(0);
    budget.charge("byte", 48 * MB);
    budget.renew();
    budget.charge("byte", 48 * MB);
    expect(() => budget.charge("byte")).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });
});

describe("lists of kids are charged each time they are read", () => {
  /** A length that no other list has. */
  const KIDS = 977;
  const NODES = [10, 11, 12, 13];
  const references = (numbers: readonly number[]) => numbers.map((num) => `${num} 0 R`).join(" ");
  const placesOf = (num: number) => references(new Array<number>(KIDS).fill(num));

  /** Counts the charges of a kind for a list of that length. */
  function charges() {
    const charge = vi.spyOn(WorkBudget.prototype, "charge");
    onTestFinished(() => charge.mockRestore());
    return (kind: "entry") =>
      charge.mock.calls.filter(([one, count]) => one === kind && count === KIDS).length;
  }

  /** A page tree of four nodes. */
  const nodesWith = (kids: string, rest: readonly PlainObject[]) =>
    pdfOf([
      ...catalogOf(references(NODES)),
      ...NODES.map((num) => ({ num, body: `<</Type/Pages/Parent 2 0 R/Count ${KIDS}/Kids ${kids}>>` })),
      pageOf(3),
      ...rest,
    ]);

  /** Three pages with one field that has a widget on each, and kids that do not exist. */
  const fieldWith = (kids: string, rest: readonly PlainObject[]) =>
    pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[9 0 R]>>>>" },
      { num: 2, body: "<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>" },
      ...[3, 4, 5].map((num) => pageOf(num, `/Annots[${num + 3} 0 R]`)),
      ...[6, 7, 8].map((num) => ({ num, body: "<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 9 0 R>>" })),
      { num: 9, body: `<</FT/Tx/T(t)/Kids ${kids}>>` },
      ...rest,
    ]);
  const widgets = `6 0 R 7 0 R 8 0 R ${references(new Array<number>(KIDS - 3).fill(99))}`;

  it.each([
    ["directly", `[${placesOf(3)}]`, []],
    ["in an object that nodes share", "20 0 R", [{ num: 20, body: `[${placesOf(3)}]` }]],
  ])("of the page tree %s", async (_, kids, rest) => {
    const counted = charges();
    await repairBytes(nodesWith(kids, rest));
    expect(counted("entry")).toBeGreaterThanOrEqual(NODES.length);
  });

  it.each([
    ["directly", `[${widgets}]`, []],
    ["in an object", "20 0 R", [{ num: 20, body: `[${widgets}]` }]],
  ])("of a form field %s, for each output", async (_, kids, rest) => {
    const counted = charges();
    const files = await splitBytes(fieldWith(kids, rest), { pages: "1,2,3" });
    expect(files).toHaveLength(3);
    // Once for the form, once for each output.
    expect(counted("entry")).toBeGreaterThanOrEqual(4);
  });

  it.each([
    ["directly", `[${placesOf(21)}]`, []],
    ["in an object", "20 0 R", [{ num: 20, body: `[${placesOf(21)}]` }]],
  ])("of a name tree %s", async (_, kids, rest) => {
    const counted = charges();
    const leaf = { num: 21, body: "<</Limits[(a)(z)]/Names[(a)[3 0 R/Fit]]>>" };
    const catalog = catalogOf("3 0 R", `/Names<</Dests<</Kids ${kids}>>>>`);
    await splitBytes(pdfOf([...catalog, pageOf(3), leaf, ...rest]), { pages: "1" });
    expect(counted("entry")).toBeGreaterThanOrEqual(1);
  });
});
