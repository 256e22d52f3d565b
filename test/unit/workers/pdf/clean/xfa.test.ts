import { expect, test } from "vitest";
import { CLEANED } from "../../../../../src/shared/protocol.ts";
import { cleanBytes } from "../../../../support/engine.ts";
import { catalogOf, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";

const file = pdfOf([
  ...catalogOf("3 0 R", "/AcroForm<</Fields[]/XFA[(config)9 0 R(datasets)9 0 R]>>"),
  pageOf(3),
  { num: 9, body: "<<>>", stream: "<x>FINDME</x>" },
]);

test.each([
  ["scripts", false],
  ["metadata", false],
  ["attachments", false],
  ["comments", true],
])("the packets of an XFA form, if all but %s are kept, stay: %s", async (removed, stays) => {
  const keep = CLEANED.filter((category) => category !== removed);
  const clean = Buffer.from(await cleanBytes(file, { keep }));
  expect(clean.includes("FINDME")).toBe(stays);
});
