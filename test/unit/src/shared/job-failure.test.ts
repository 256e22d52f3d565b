import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { isOutOfMemory, serviceErrorFrom } from "../../../../src/shared/job-failure.ts";

const job = {
  engine: "pdf/protect",
  file: new Blob([]),
  password: "hunter2",
  ownerPassword: "correct horse",
} as const;

test("keeps a ServiceError", () => {
  const error = new ServiceError("damaged_file", "The file is damaged.");
  expect(serviceErrorFrom(error, job)).toBe(error);
});

describe("a browser's error for lack of memory is out_of_memory", () => {
  test.each([
    new RangeError("Array buffer allocation failed"),
    new RangeError("Invalid typed array length: 8589934592"),
    new RangeError("Invalid string length"),
    new RangeError("Out of memory"),
    new Error("out of memory"),
    new RangeError("allocation size overflow"),
    new WebAssembly.RuntimeError("Out of memory: Cannot allocate Wasm memory for new instance"),
    new WebAssembly.RuntimeError("Aborted(OOM). Build with -sASSERTIONS for more info."),
    new WebAssembly.RuntimeError("abort(OOM)"),
    new RangeError("WebAssembly.Memory.grow(): Maximum memory size exceeded"),
    "Uncaught RangeError: Array buffer allocation failed",
  ])("%s", (thrown) => {
    expect(serviceErrorFrom(thrown, job).code).toBe("out_of_memory");
  });
});

test.each([
  new TypeError("Failed to fetch dynamically imported module: https://app.example/classroom/libheif.js"),
  new TypeError("error loading dynamically imported module: chrome-extension://id/zoom/pdfium.js"),
  "Uncaught (in promise) TypeError: no such file (http://127.0.0.1/OOM/memory.js)",
  new TypeError("no room for it: zoom out"),
  new WebAssembly.RuntimeError("memory access out of bounds"),
  new WebAssembly.RuntimeError("Out of bounds memory access (evaluating 'a')"),
])("%s is not out_of_memory", (thrown) => {
  expect(isOutOfMemory(thrown)).toBe(false);
  expect(serviceErrorFrom(thrown, job)).toMatchObject({ code: "internal_error" });
});

test("the password of an input of a merge is not quoted", () => {
  const input = { file: new Blob([]), name: "a", format: "pdf", password: "hunter2" } as const;
  const merge = { engine: "pdf/merge", file: input.file, inputs: [input] } as const;
  expect(JSON.stringify(serviceErrorFrom(new Error("hunter2"), merge).toWire())).not.toContain("hunter2");
});

describe("another error is internal_error, with its text in details.cause,", () => {
  test.each([
    [new TypeError("x is not a function"), "TypeError: x is not a function"],
    [new RangeError("Maximum call stack size exceeded"), "Maximum call stack"],
    ["crashed", "crashed"],
    [undefined, "undefined"],
    [Object.assign(Object.create(null), { toString: () => "odd" }), "odd"],
  ])("%s", (thrown, said) => {
    expect(serviceErrorFrom(thrown, job)).toMatchObject({
      code: "internal_error",
      message: "Something went wrong with this file. Try again.",
      details: { cause: expect.stringContaining(said) },
    });
  });

  test("without the password", () => {
    for (const thrown of [new Error("bad key for hunter2"), "correct horse?"]) {
      expect(serviceErrorFrom(thrown, job).details).toEqual({});
    }
    expect(serviceErrorFrom("anything", { ...job, password: "" }).details).toEqual({ cause: "anything" });
  });
});
