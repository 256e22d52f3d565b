import { describe, expect, it } from "vitest";
import { tableEntry } from "../../../../../workers/pdf/file/table-entry.ts";
import { latin1Bytes } from "../../../../../workers/pdf/syntax/characters.ts";
import { Lexer } from "../../../../../workers/pdf/syntax/lexer.ts";

/** The entries of a table, and what stands behind them. */
function entriesOf(text: string, count: number) {
  const lexer = new Lexer(latin1Bytes(text));
  return [...Array.from({ length: count }, () => tableEntry(lexer)), lexer.next()];
}

const used = { offset: 15, gen: 2, live: true };
const free = { offset: 0, gen: 65535, live: false };

describe("tableEntry", () => {
  it.each([
    ["as the standard has it", "0000000015 00002 n \n0000000000 65535 f \n"],
    ["with two characters at the end of line", "0000000015 00002 n\r\n0000000000 65535 f\r\n"],
    ["with one", "0000000015 00002 n\n0000000000 65535 f\n"],
    ["with short numbers", "15 2 n\n0 65535 f\n"],
    ["with much space", "0000000015  00002   n\n\n  0000000000 65535 f  \n\n"],
    ["behind white space", "\r\n 0000000015 00002 n \n\n0000000000 65535 f \n"],
    ["with comments", "0000000015 00002 n % used\n0000000000 65535 f % free\n"],
  ])("reads entries %s", (_, entries) => {
    expect(entriesOf(`${entries}7 1`, 2)).toEqual([used, free, 7]);
  });

  it.each(["0000000015 00002 x \n", "00000000x5 00002 n \n", "trailer << /Size 1 >>", ""])(
    "gives nothing for %j",
    (text) => {
      expect(tableEntry(new Lexer(latin1Bytes(text)))).toBeUndefined();
    },
  );
});
