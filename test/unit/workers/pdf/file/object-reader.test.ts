import { describe, expect, test } from "vitest";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { readIndirectObject } from "../../../../../workers/pdf/file/object-reader.ts";
import { WorkBudget } from "../../../../../workers/pdf/file/work-budget.ts";
import { latin1Bytes } from "../../../../../workers/pdf/syntax/characters.ts";
import { integerOf } from "../../../../../workers/pdf/syntax/objects.ts";

/** As much as is read at first: of an object of which nothing is known, and of one that is long. */
describe.each([
  { window: 1024, length: 5_000, isLong: false },
  { window: 4096, length: 70_000, isLong: true },
])("finds the start of stream data with a window that ends at byte $window", ({ window, length, isLong }) => {
  test.each(["\n", "\r\n", " \r\n", "\t \n"])("behind %j", (endOfLine) => {
    for (let beyond = -9; beyond <= 2; beyond++) {
      const [before, behind] = [`1 0 obj\n<</Length ${length}/Title (`, ")>>stream"];
      const title = "t".repeat(window + beyond - before.length - behind.length);
      const head = before + title + behind + endOfLine;
      const bytes = latin1Bytes(`${head}${"x".repeat(length)}\nendstream endobj\n${" ".repeat(20_000)}`);
      const expectedEnd = isLong ? head.length + length + 20 : undefined;
      const source = bufferSource(bytes);
      const budget = new WorkBudget(bytes.length);
      const object = readIndirectObject({ source, budget, resolveLength: integerOf }, 0, expectedEnd);
      expect(object).toMatchObject({
        value: { data: { start: head.length, end: head.length + length } },
      });
    }
  });
});
