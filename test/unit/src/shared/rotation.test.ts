import { describe, expect, test } from "vitest";
import { addTurns, parseRotation, resolveRotation } from "../../../../src/shared/rotation.ts";
import { refusal } from "../../../support/refusal.ts";

function turnsOf(text: string | undefined, pageCount: number, primary?: number): readonly number[] {
  const turns = resolveRotation(text, pageCount, primary);
  return Array.from({ length: pageCount }, (_, index) => turns(index + 1));
}

describe("resolveRotation", () => {
  test.each([
    [undefined, [0, 0, 0, 0, 0]],
    ["90", [90, 90, 90, 90, 90]],
    ["-90", [270, 270, 270, 270, 270]],
    [" 180 ", [180, 180, 180, 180, 180]],
    ["90:1-2,4;-90:last", [90, 90, 0, 90, 270]],
    [" 180 : odd , x3 ; -90:2", [180, 270, 0, 0, 180]],
    ["90:all,x2", [90, 0, 90, 90, 90]],
  ])("%j", (text, expected) => {
    expect(turnsOf(text, 5)).toEqual(expected);
  });

  test("knows the primary image of a file of images", () => {
    expect(turnsOf("90:primary", 3, 2)).toEqual([0, 90, 0]);
  });

  test.each([
    ["90:1,6", 5, "the document has 5 pages"],
    ["90:1;180:6", 9, "the document has 5 pages"],
    ["90:1;180:primary", 9, "only files of images have a primary one"],
    ["90:1-3;180:2", 7, 'The field "rotate" names page 2 twice. Name each page once.'],
    ["90:1,1", 0, 'The field "rotate" names page 1 twice. Name each page once.'],
    ["90;180:last", 3, 'The field "rotate" names page 5 twice. Name each page once.'],
  ])("refuses %j in a document of 5 pages, at %i", (text, position, message) => {
    expect(() => resolveRotation(text, 5)).toThrow(
      refusal("invalid_page_selection", { position, page_count: 5 }, message),
    );
  });
});

describe("parseRotation", () => {
  test.each([
    "",
    "45",
    "0",
    "270",
    "+90",
    "left",
    "90;",
    "90:1;",
    ";90",
    "90:1;45:2",
    ":1",
    "90 180",
    "９０",
  ])("refuses the angle of %j", (text) => {
    expect(() => parseRotation(text, "rotate")).toThrow(
      refusal(
        "invalid_parameter",
        { parameter: "rotate" },
        'The field "rotate" must be 90, -90 or 180, or such angles with pages, as in 90:1-3,5;-90:last.',
      ),
    );
  });

  test.each([
    ["90:", 3, "90:→"],
    ["90:1;180: ;90:2", 10, "90:1;180: →;90:2"],
    ["90:1;180:1-0", 11, "90:1;180:1-→0"],
    ["90:1:2", 4, "90:1→:2"],
  ])("refuses the pages of %j, at %i of the whole text", (text, position, shown) => {
    expect(() => parseRotation(text)).toThrow(
      refusal(
        "invalid_page_selection",
        { position },
        `The page selection is wrong at the arrow in "${shown}"`,
      ),
    );
  });
});

test("the sum of rotations is less than a whole one", () => {
  expect([addTurns(270, 180), addTurns(-90, 90), addTurns(-270, 0), addTurns(180, 180)]).toEqual([
    90, 0, 90, 0,
  ]);
});
