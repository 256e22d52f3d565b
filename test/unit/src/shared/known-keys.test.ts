import { describe, expect, test } from "vitest";
import { CALL_FIELDS, type KeyPolicy, knownValues, OPTIONS } from "../../../../src/shared/known-keys.ts";
import { refusal } from "../../../support/refusal.ts";

const FORM: KeyPolicy = {
  noun: "field",
  others: "ignored",
  ownersOf: (key) => (key === "dpi" ? ["convert", "scan"] : []),
};
const KNOWN = ["by", "dot", "file", "pages", "quality", "password", "max_width", "max_height"];

describe("a form is refused for", () => {
  test.each([
    // One edit.
    ["fil2", "file"],
    ["files", "file"],
    ["mile", "file"],
    ["page", "pages"],
    ["pgaes", "pages"],
    ["Pages", "pages"],
    ["qualit", "quality"],
    ["max_heigth", "max_height"],
    // Two edits, for names of at least eight letters.
    ["passwd", "password"],
    ["pssaword", "password"],
    ["maxWidth", "max_width"],
  ])("%s, a misspelling of %s", (key, meant) => {
    expect(() => knownValues({ [key]: "" }, KNOWN, FORM)).toThrow(
      refusal("invalid_parameter", { parameter: key }, `"${key}" is not known. Did you mean "${meant}"?`),
    );
  });

  test("a field of other operations", () => {
    expect(() => knownValues({ dpi: "72" }, KNOWN, FORM)).toThrow(
      refusal("invalid_parameter", { parameter: "dpi" }, '"dpi" belongs to convert and scan. Leave it out.'),
    );
  });
});

test.each([
  // Two edits of a short name, three of a long one.
  "title",
  "qualitat",
  "pass",
  "passwords22",
  // Names of less than four letters.
  "fil",
  "bye",
  "dots",
  "to",
  "",
  "csrf_token",
  "submit",
])("a form may have the field %j", (key) => {
  expect(knownValues({ file: 1, [key]: 2 }, KNOWN, FORM)).toEqual(new Map([["file", 1]]));
});

describe("a call is refused for", () => {
  test.each([
    ["csrf_token", 'The option "csrf_token" is not known. Leave it out.'],
    ["permisions", 'The option "permisions" is not known. Did you mean "permissions"?'],
    ["baseURL", 'The option "baseURL" is not known. Did you mean "baseUrl"?'],
    ["toString", 'The option "toString" is not known.'],
    ["x".repeat(1000), `The option "${"x".repeat(80)}" is not known.`],
  ])("the key %.20s", (key, message) => {
    const check = () => knownValues({ [key]: null }, ["permissions", "baseUrl"], OPTIONS);
    expect(check).toThrow(refusal("invalid_parameter", { parameter: key.slice(0, 80) }, message));
  });

  test("no key that is undefined, inherited, hidden or a symbol", () => {
    const given = Object.create({ other: 1 }, { hidden: { value: 1 } });
    Object.assign(given, { file: 1, pages: undefined, other2: undefined, [Symbol("other")]: 1 });
    expect(knownValues(given, KNOWN, CALL_FIELDS)).toEqual(new Map([["file", 1]]));
    expect(knownValues(undefined, KNOWN, CALL_FIELDS).size).toBe(0);
  });
});
