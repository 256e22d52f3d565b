import { describe, expect, test } from "vitest";
import { isColor, valuesOfColor, valuesOnWhite } from "../../workers/image/browser/css-color.ts";

describe("the values of a color", () => {
  test.each([
    ["white", [255, 255, 255, 255]],
    ["#336699", [51, 102, 153, 255]],
    ["transparent", [0, 0, 0, 0]],
    ["rgb(10 20 30 / 0.4)", [10, 20, 30, 102]],
    ["hsl(120 50% 50%)", [64, 191, 64, 255]],
    ["color(srgb 0.2 0.4 0.6)", [51, 102, 153, 255]],
    ["color(srgb none 1.5 -1 / 50%)", [0, 255, 0, 128]],
    ["oklch(0.7 0.1 200)", [64, 177, 183, 255]],
    ["lab(50 20 20)", [158, 105, 86, 255]],
  ])("are parsed without a canvas: %s", (text, values) => {
    expect(isColor(text)).toBe(true);
    const found = valuesOfColor(text) ?? [];
    expect(found).toHaveLength(4);
    for (const [index, value] of values.entries())
      expect(Math.abs(value - (found[index] ?? -1e9))).toBeLessThanOrEqual(1);
  });

  test("are opaque when blended on white", () => {
    expect(valuesOnWhite("rgb(0 0 0 / 0.2)")).toEqual([204, 204, 204, 255]);
    expect(valuesOnWhite("transparent")).toEqual([255, 255, 255, 255]);
    expect(valuesOnWhite("#336699")).toEqual([51, 102, 153, 255]);
  });

  test("are undefined for a text that is not a color", () => {
    expect(isColor("no color")).toBe(false);
    expect(valuesOfColor("no color")).toBeUndefined();
    expect(valuesOnWhite("red, red")).toBeUndefined();
  });
});
