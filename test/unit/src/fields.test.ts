import { describe, expect, test } from "vitest";
import { files, listOf, readFields, required, text } from "../../../src/fields.ts";
import { refusal } from "../../support/refusal.ts";

const a = new File(["a"], "a.png");
const b = new File(["b"], "b.png");
const fields = { file: required(files) };

describe("a field with one or more files", () => {
  test("is a list, in order", () => {
    expect(readFields(fields, { file: a }).file).toEqual([a]);
    expect(readFields(fields, { file: [b, a, b] }).file).toEqual([b, a, b]);
  });

  test.each([
    ["an empty list", []],
    ["a text", "a.png"],
    ["a list with a text", [a, "b.png"]],
    ["a list with nothing", [a, null]],
  ])("refuses %s", (_, file) => {
    expect(() => readFields(fields, { file })).toThrow(refusal("invalid_parameter", { parameter: "file" }));
  });

  test("takes 10,000 files, and refuses more", () => {
    const many = new Array<File>(10_000).fill(a);
    expect(readFields(fields, { file: many }).file).toHaveLength(10_000);
    expect(() => readFields(fields, { file: [...many, a] })).toThrow(
      refusal("invalid_parameter", undefined, 'The field "file" must be a list of at most 10000 entries.'),
    );
  });
});

describe("a repeated field", () => {
  test("keeps the order, and takes a single value as a list", () => {
    expect(listOf(text)(["b", "", "a"], "password")).toEqual(["b", "", "a"]);
    expect(listOf(text)("b", "password")).toEqual(["b"]);
  });
});
