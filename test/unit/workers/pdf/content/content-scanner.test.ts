import { describe, expect, it } from "vitest";
import { contentUse } from "../../../../../workers/pdf/content/content-scanner.ts";

const useOf = (content: string) => contentUse(() => [new TextEncoder().encode(content)]);

describe("contentUse", () => {
  it.each(["/F 12 Tf (a) Tj", "/F 12Tf (a) Tj", "/F -1.5Tf(a)Tj", "/F .5Tf[(a)]TJ", '/F 12Tf 1 1(a)"'])(
    "records text in the font that Tf selects: %s",
    (content) => {
      const use = useOf(content);
      expect([...use.codesOf("F").codes()]).toEqual([0x61]);
      expect(use.inheritedFont).toBeUndefined();
      expect(use.names.get("Font")).toEqual(new Set(["F"]));
    },
  );

  it("reads a pattern name before an operator that a number touches", () => {
    expect(useOf("/P 0.5scn").names).toEqual(new Map([["Pattern", new Set(["P"])]]));
  });

  it("counts the operand of an unknown operator for every kind of resource", () => {
    expect(useOf("/F 12Tg").names.size).toBe(7);
  });
});
