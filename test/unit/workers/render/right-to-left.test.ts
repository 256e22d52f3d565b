import { describe, expect, test } from "vitest";
import { RightToLeft } from "../../../../workers/render/right-to-left.ts";

/** Returns the text of characters that stand side by side, to the right or to the left. */
function ordered(text: string, step: 1 | -1, isTurned = false): string {
  let result = "";
  const order = new RightToLeft(
    isTurned ? (box) => ({ ...box, left: -box.right, right: -box.left }) : (box) => box,
    (character) => {
      result += character.text;
    },
  );
  for (const [index, character] of [...text].entries()) {
    const box = { left: step * index, right: step * index + 1, top: 1, bottom: 0 };
    order.add({ text: character, isUnknown: false, box: character === " " ? undefined : box });
  }
  order.end();
  return result;
}

describe("RightToLeft", () => {
  test("turns lines round whose first character is at the left", () => {
    expect(ordered("one וה דגבא two", 1)).toBe("one אבגד הו two");
    expect(ordered("אבגד הו", -1)).toBe("אבגד הו");
  });

  test("goes by the page as it is drawn", () => {
    expect(ordered("אבגד הו", 1, true)).toBe("אבגד הו");
  });

  test("keeps marks behind their letter", () => {
    expect(ordered("ב\u05b4א", 1)).toBe("א\u05b4ב");
  });

  test("keeps lines of any length in bounded memory", () => {
    const long = "א".repeat(30_000);
    expect(ordered(`${long}ב`, 1)).toHaveLength(30_001);
  });
});
