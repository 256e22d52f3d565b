import { expect, test } from "vitest";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { aboutFile } from "../../../../src/shared/failure.ts";

const BEYOND = new ServiceError("invalid_page_selection", "The document has 3 pages.", { page_count: 3 });

test("an error about a file keeps its code and its details, and names the file and its place", () => {
  const error = aboutFile("report", 2, BEYOND);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.toWire()).toEqual({
    code: "invalid_page_selection",
    message: "report: The document has 3 pages.",
    details: { page_count: 3, file_index: 2 },
  });
});

test("an error about a file cuts the name of the file after 80 characters", () => {
  const { message } = aboutFile("x".repeat(81), 0, BEYOND);
  expect(message).toBe(`${"x".repeat(80)}: The document has 3 pages.`);
});
