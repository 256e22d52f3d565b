import { expect, test } from "vitest";
import { attempt, notice } from "../../../../demo/state/notice.ts";
import { ServiceError } from "../../../../src/index.ts";

test.each([
  ["the browser", new DOMException("The disk is full", "QuotaExceededError")],
  ["the client", new ServiceError("damaged_file", "The file has changed.")],
])("says that %s has refused an action", async (_, refusal) => {
  await attempt(Promise.reject(refusal), "notice.noReceipt");
  expect(notice.value).toEqual({ message: "notice.noReceipt" });
  await attempt(Promise.resolve(), "notice.noReceipt");
  expect(notice.value).toBeUndefined();
});

test("does not hide a fault of the page", async () => {
  await expect(attempt(Promise.reject(new TypeError("x")), "notice.noReceipt")).rejects.toThrow(TypeError);
});
