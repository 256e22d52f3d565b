import { describe, expect, it } from "vitest";
import { inspectPdf } from "../../../../../workers/pdf/inspect.ts";
import { mergeBytes } from "../../../../support/engine.ts";
import {
  DESTINATION_TABLES,
  documentOfNames,
  REFERENCE_TYPES,
} from "../../../../support/fixtures/named-destinations.ts";
import { catalogOf, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { objectTexts, splitTexts } from "../../../../support/made-texts.ts";
import { contextOf } from "../../../../support/memory-context.ts";

/** The names in the entries `Dest` and `D` of links and actions, as strings or names. */
const referencesIn = (text: string) =>
  [...text.matchAll(/\/(?:Dest|D) ?(\/[\w#]+|\([^)]*\))/g)].map(([, name]) => name);

const CASES = DESTINATION_TABLES.flatMap((table) => REFERENCE_TYPES.map((type) => [table, type] as const));

describe.each(CASES)("a destination in the %s that a %s refers to", (table, type) => {
  const input = documentOfNames("chapter", table, type);
  const reference = table === "dictionary" ? "/chapter" : "(chapter)";

  it("is found by an inspection", async () => {
    const { value } = await inspectPdf(contextOf(input), { outline: true });
    expect(value.outline).toEqual([{ title: "entry", page: 2, level: 1 }]);
  });

  it("is kept with its page in a split, and references are of the type of its table", async () => {
    const [whole = ""] = await splitTexts(input, "1-2");
    expect(referencesIn(whole)).toEqual([reference, reference, reference]);
    expect(whole).toMatch(/[(/]chapter\)? ?\[4 0 R ?\/Fit\]/);
    const [first] = await splitTexts(input, "1");
    expect(first).not.toContain("chapter");
  });

  it("is in the name tree after a merge", async () => {
    const other = documentOfNames("chapter", "dictionary", "name");
    const objects = [...objectTexts(await mergeBytes([{ bytes: input }, { bytes: other }])).values()];
    const names = objects.flatMap(referencesIn);
    expect(names.slice().sort()).toEqual([...Array(3).fill("(chapter#2)"), ...Array(3).fill("(chapter)")]);
    const catalog = objects.find((object) => object.includes("/Type /Catalog"));
    expect(catalog).toMatch(/\/Names \[\(chapter\) ?\[\d+ 0 R ?\/Fit\] ?\(chapter#2\) ?\[\d+ 0 R ?\/Fit\]\]/);
  });
});

it("takes the destination of the name tree when both tables have a name", async () => {
  const input = pdfOf([
    ...catalogOf(
      "3 0 R 4 0 R",
      "/Dests<</name[4 0 R/FitB]>>/Names<</Dests<</Names[(name)[3 0 R/Fit]]>>>>/Outlines 5 0 R",
    ),
    pageOf(3),
    pageOf(4),
    { num: 5, body: "<</First 6 0 R/Last 6 0 R/Count 1>>" },
    { num: 6, body: "<</Title(entry)/Parent 5 0 R/Dest/name>>" },
  ]);
  const { value } = await inspectPdf(contextOf(input), { outline: true });
  expect(value.outline).toEqual([{ title: "entry", page: 1, level: 1 }]);
  const [text] = await splitTexts(input, "1-2");
  expect(text).toContain("/Fit]");
  expect(text).not.toContain("/FitB");
});
