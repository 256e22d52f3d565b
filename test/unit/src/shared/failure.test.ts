import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../../../../scripts/dependencies.mjs";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { aboutFile, internalError } from "../../../../src/shared/failure.ts";

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

test.each([
  [new TypeError("x is not a function"), { part: "a", cause: "TypeError: x is not a function" }],
  [Symbol("odd"), { part: "a", cause: "Symbol(odd)" }],
  [undefined, { part: "a" }],
])("an internal error has its cause as a text, case %#", (cause, details) => {
  expect(internalError("Try again.", cause, { part: "a" }).toWire()).toEqual({
    code: "internal_error",
    message: "Try again.",
    details,
  });
});

test("every internal error is made by one function, with a short and constant message", () => {
  const files = ["src", "workers"]
    .flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => path.endsWith(".ts"));
  const sources = files.map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));
  const makers = sources.filter(({ text }) => /new ServiceError\(\s*"internal_error"/.test(text));
  expect(makers.map(({ path }) => path)).toEqual(["src/shared/failure.ts"]);
  const calls = sources.flatMap(({ text }) => text.match(/(?<!function )internalError\(\s*[^,]*/g) ?? []);
  const isShort = (call: string) => /\(\s*(NOT_LOADED|"[^"]{10,100}")$/.test(call);
  expect(calls.filter((call) => !isShort(call))).toEqual([]);
  expect(calls.length).toBeGreaterThan(5);
});
