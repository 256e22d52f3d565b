import { expect, test } from "vitest";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { jobFailure } from "../../../../workers/io/read-failure.ts";
import { ChangedBlob } from "../../../support/readable-blob.ts";

const bytes = new TextEncoder().encode("%PDF-1.7");
const kept = { engine: "pdf/repair", file: new Blob([bytes]) } as const;
const changed = { engine: "pdf/repair", file: new ChangedBlob(bytes) } as const;
const CHANGED = { code: "damaged_file", message: expect.stringContaining("changed, moved or removed") };

test.each([
  new DOMException("could not be read", "NotReadableError"),
  new DOMException("not found", "NotFoundError"),
  new DOMException("The operation was aborted.", "AbortError"),
  new TypeError("no bytes"),
])("a job that fails with %s over an input that cannot be read any more says so", async (thrown) => {
  expect(await jobFailure(thrown, changed)).toMatchObject(CHANGED);
  expect(await jobFailure(thrown, kept)).toMatchObject({ code: "internal_error" });
});

test("keeps an error that is not about the input", async () => {
  const error = new ServiceError("internal_error", "The browser has not finished.");
  expect(await jobFailure(error, changed)).toBe(error);
  const thrown = new RangeError("Array buffer allocation failed");
  expect(await jobFailure(thrown, changed)).toMatchObject({ code: "out_of_memory" });
});
