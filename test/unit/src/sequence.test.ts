import { describe, expect, test } from "vitest";
import { checkSequence, sequence } from "../../../src/sequence.ts";
import { refusal } from "../../support/refusal.ts";

describe("a sequence of pages", () => {
  test("is a list, or its JSON", () => {
    const entries = [
      { file: 1, page: 3, rotate: -90 },
      { file: 0, page: 1 },
    ];
    const read = [
      { file: 1, page: 3, rotate: -90 },
      { file: 0, page: 1, rotate: 0 },
    ];
    expect(sequence(entries, "sequence")).toEqual(read);
    expect(sequence(JSON.stringify(entries), "sequence")).toEqual(read);
  });

  test.each<[unknown, string]>([
    ["", "must be a list"],
    ["1,2", "must be a list"],
    ['{"file":0,"page":1}', "must be a list"],
    [7, "must be a list"],
    ["[]", "must name at least one page"],
    [Array(100_001).fill({ file: 0, page: 1 }), "at most 100000 entries"],
    [[{ file: 0, page: 1 }, 3], "list of objects such as { file: 0, page: 3 }. Correct sequence[1]"],
    [[null], "Correct sequence[0]"],
    [[{ file: -1, page: 1 }], "at least 0 as sequence[0].file"],
    [[{ page: 1 }], "at least 0 as sequence[0].file"],
    [[{ file: "0", page: 1 }], "at least 0 as sequence[0].file"],
    [[{ file: 0, page: 0 }], "at least 1 as sequence[0].page"],
    [[{ file: 0, page: 1.5 }], "at least 1 as sequence[0].page"],
    [[{ file: 0, page: 1, rotate: 45 }], "0, 90, -90 or 180 as sequence[0].rotate"],
    [[{ file: 0, page: 1, rotate: "90" }], "0, 90, -90 or 180 as sequence[0].rotate"],
  ])("is refused if it is %j", (given, part) => {
    expect(() => sequence(given, "sequence")).toThrow(
      refusal("invalid_parameter", { parameter: "sequence" }, part),
    );
  });

  test("is refused with a misspelled key", () => {
    const given = [{ file: 0, page: 1, rotat: 90 }];
    expect(() => sequence(given, "sequence")).toThrow(
      refusal("invalid_parameter", { parameter: "rotat" }, 'Did you mean "rotate"?'),
    );
  });

  test("names every file, and no other", () => {
    const entries = [{ file: 2, page: 1 }];
    const wrong = (count: number, part: string) =>
      expect(() => checkSequence(entries, count)).toThrow(
        refusal("invalid_parameter", { parameter: "sequence" }, part),
      );
    wrong(2, 'entry 0: its "file" is 2, and the last of the files is 1');
    wrong(3, "names no page of file 0");
    expect(() => checkSequence([...entries, { file: 0, page: 1 }, { file: 1, page: 1 }], 3)).not.toThrow();
  });
});
