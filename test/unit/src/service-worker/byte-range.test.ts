import { expect, test } from "vitest";
import { byteRange } from "../../../../src/service-worker/byte-range.ts";

const SIZE = 100;

test.each<[string | null, ReturnType<typeof byteRange>]>([
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=90-", { first: 90, last: 99 }],
  ["bytes=90-1000", { first: 90, last: 99 }],
  ["bytes=-10", { first: 90, last: 99 }],
  ["bytes=-1000", { first: 0, last: 99 }],
  ["Bytes= 5-6 ", { first: 5, last: 6 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  [`bytes=${"9".repeat(400)}-`, "unsatisfiable"],
  // What is no such header is ignored, and the whole file is the answer.
  [null, undefined],
  ["bytes=-", undefined],
  ["bytes=9-5", undefined],
  ["bytes=0-1,5-6", undefined],
  ["bytes=a-b", undefined],
  ["pages=1-2", undefined],
])("parses %j", (header, range) => {
  expect(byteRange(header, SIZE)).toEqual(range);
});

test("an empty file has no range", () => {
  expect(["bytes=0-", "bytes=-1", "bytes=0-0"].map((header) => byteRange(header, 0))).toEqual(
    Array(3).fill("unsatisfiable"),
  );
});
