import { describe, expect, it } from "vitest";
import { listOf, number, oneOf, POSITIVE, wholeNumber } from "../../../scripts/options.mjs";

describe("an option accepts", () => {
  it.each([
    { takes: number(0, 1), right: ["0", "0.01", "1"], wrong: ["", " ", "1.01", "-1", "one", "NaN"] },
    { takes: POSITIVE, right: ["0.5", "90"], wrong: ["", "0", "-1", "Infinity", "x"] },
    { takes: wholeNumber(1), right: ["1", "4000"], wrong: ["", "0", "1.5", "4000 runs", "1e999"] },
    { takes: wholeNumber(0, 65535), right: ["0", "65535"], wrong: ["65536", "-1"] },
    { takes: oneOf(["native", "node"]), right: ["node"], wrong: ["", "nod", "native,node"] },
    { takes: listOf(oneOf(["a", "b"])), right: ["a", "b,a"], wrong: ["", "a,", "a;b"] },
  ])("$takes.words", ({ takes, right, wrong }) => {
    expect(right.filter(takes.accepts)).toEqual(right);
    expect(wrong.filter(takes.accepts)).toEqual([]);
  });
});
