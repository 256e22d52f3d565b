import { resolveObjectURL } from "node:buffer";
import { expect, test } from "vitest";
import { Downloads } from "../../../src/downloads.ts";
import { refusal } from "../../support/refusal.ts";

test("a file of a result has its name and type, and outlives the result", async () => {
  const downloads = new Downloads();
  const result = downloads.createResult(new Blob(["content"], { type: "application/pdf" }), "a.pdf");
  const file = downloads.fileOf(result);
  expect(file).toMatchObject({ name: "a.pdf", type: "application/pdf" });
  downloads.release(result);
  expect(await file.text()).toBe("content");
  expect(() => downloads.fileOf(result)).toThrow(refusal("invalid_parameter"));
});

test("take revokes a URL of this client and returns its file", async () => {
  const downloads = new Downloads();
  const result = downloads.createResult(new Blob(["content"]), "a.pdf");
  expect(await downloads.take(result)?.text()).toBe("content");
  expect(resolveObjectURL(result.download_url)).toBeUndefined();
  expect(downloads.take(result)).toBeUndefined();
  expect(downloads.take({ ...result, download_url: "https://service.example/1" })).toBeUndefined();
});

test("release ignores a URL of another client", () => {
  const url = URL.createObjectURL(new Blob(["other"]));
  new Downloads().release({ download_url: url });
  expect(resolveObjectURL(url)).toBeDefined();
  URL.revokeObjectURL(url);
});
