import { describe, expect, test } from "vitest";
import {
  type DrawnCharacter,
  follows,
  gapBetween,
  repeats,
} from "../../../../workers/render/adjacent-characters.ts";

/** A character of 6 by 12 in a font of 10, at a place along and across a line of any direction. */
function drawn(along: number, across = 0, degrees = 0, size = 10): DrawnCharacter {
  const [x, y] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const at = (right: number, up: number) => [right * x - up * y, right * y + up * x] as const;
  const corners = [0, 6].flatMap((right) => [-2, 10].map((up) => at(along + right, across + up)));
  const [xs, ys] = [corners.map(([left]) => left), corners.map(([, up]) => up)];
  return {
    box: { left: Math.min(...xs), top: Math.max(...ys), right: Math.max(...xs), bottom: Math.min(...ys) },
    placement: { direction: [x, y], origin: at(along, across), size },
  };
}

describe("follows", () => {
  test.each([0, 3, 30, 90, 120, 180, 270])(
    "takes what stands beside as one word at %i degrees",
    (degrees) => {
      const before = drawn(50, 20, degrees);
      expect(follows(before, drawn(56.5, 20, degrees))).toBe(true);
      expect(follows(before, drawn(58, 20, degrees))).toBe(false);
      expect(follows(before, drawn(56, 40, degrees))).toBe(false);
      expect(follows(before, drawn(40, 20, degrees))).toBe(false);
    },
  );

  test("takes a superscript as one word, and not the line above", () => {
    expect(follows(drawn(50), drawn(56, 4, 0, 7))).toBe(true);
    expect(follows(drawn(50), drawn(56, 12))).toBe(false);
  });

  test("does not take another direction as one word, and none at 45 degrees", () => {
    expect(
      follows(drawn(50), { ...drawn(56), placement: { ...drawn(56).placement, direction: [0, 1] } }),
    ).toBe(false);
    expect(follows(drawn(50, 0, 45), drawn(56, 0, 45))).toBe(false);
  });
});

describe("gapBetween", () => {
  const { box } = drawn(50, 50);

  test("is a line end between what is far apart above or below", () => {
    expect(gapBetween(box, drawn(50, 20).box)).toBe("\r\n");
    expect(gapBetween(box, drawn(56, 80).box)).toBe("\r\n");
  });

  test("is a space between what is far apart on a line", () => {
    expect(gapBetween(box, drawn(70, 50).box)).toBe(" ");
    expect(gapBetween(box, drawn(20, 50).box)).toBe(" ");
  });

  test("is nothing between characters of a word, of any direction", () => {
    for (const degrees of [0, 30, 90, 180]) {
      expect(gapBetween(drawn(50, 0, degrees).box, drawn(58, 0, degrees).box)).toBe("");
    }
  });
});

describe("repeats", () => {
  test("is what is drawn over the same, a little aside", () => {
    const { box } = drawn(50);
    expect(repeats(box, drawn(50.4, 0.2).box)).toBe(true);
    expect(repeats(box, drawn(53).box)).toBe(false);
    expect(repeats(box, drawn(50, 12).box)).toBe(false);
  });
});
