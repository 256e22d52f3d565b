import { expect, test } from "vitest";
import { DEFAULTS } from "../../../service/http/service-options.ts";
import { SERVE_OPTIONS, serviceOptionsOf } from "../../../service/serve-options.ts";

test("options of the command set the options of the service, in its units", () => {
  expect(serviceOptionsOf({})).toEqual({});
  const values = Object.fromEntries(Object.keys(SERVE_OPTIONS).map((name) => [name, "7"]));
  expect(serviceOptionsOf({ ...values, results: "folder", "public-url": "https://files.example" })).toEqual({
    results: "folder",
    publicUrl: "https://files.example",
    uploadLimit: 7_000_000,
    uploadTimeLimit: 7_000,
    concurrency: 7,
    waiting: 7,
    threads: 7,
    heapLimit: 7,
    timeLimit: 7_000,
    keepFor: 420_000,
  });
});

test("the help says the usual values", () => {
  expect(SERVE_OPTIONS["upload-limit"].about).toBe("the most megabytes of a request (250 when absent)");
  expect(SERVE_OPTIONS.keep.about).toContain(`(${DEFAULTS.keepFor / 60_000} when absent)`);
});
