import { resolveObjectURL } from "node:buffer";
import { expect, test } from "vitest";
import { Downloads } from "../../../src/downloads.ts";
import { isStored } from "../../../src/shared/read-blob.ts";

test("a result has exactly the service's three keys, and its URL leads to the file", async () => {
  const result = new Downloads().createResult(new Blob(["content"]), "split-report.zip");
  expect(result).toEqual({
    success: true,
    download_url: expect.stringMatching(/^blob:/),
    file_name: "split-report.zip",
  });
  expect(await resolveObjectURL(result.download_url)?.text()).toBe("content");
});

test("release ends one URL, releaseAll the rest", () => {
  const downloads = new Downloads();
  const [first, second, third] = ["1", "2", "3"].map((text) =>
    downloads.createResult(new Blob([text]), text),
  );
  if (!first || !second || !third) throw new Error("three were offered");
  downloads.release(second);
  expect(resolveObjectURL(first.download_url)).toBeDefined();
  expect(resolveObjectURL(second.download_url)).toBeUndefined();
  downloads.release(second);
  downloads.releaseAll();
  expect(resolveObjectURL(first.download_url)).toBeUndefined();
  expect(resolveObjectURL(third.download_url)).toBeUndefined();
  // Nor does it hold the files any longer.
  expect(downloads.take(third)).toBeUndefined();
});

test("a file of a result has its name and type, and outlives the result", async () => {
  const downloads = new Downloads();
  const result = downloads.createResult(new Blob(["content"], { type: "application/pdf" }), "a.pdf");
  const file = downloads.fileOf(result);
  expect(file).toMatchObject({ name: "a.pdf", type: "application/pdf" });
  downloads.release(result);
  expect(await file.text()).toBe("content");
  expect(() => downloads.fileOf(result)).toThrow(expect.objectContaining({ code: "invalid_parameter" }));
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

test("a file is stored when its last byte can be read", async () => {
  class LostFile extends Blob {
    override slice(): Blob {
      return new LostFile();
    }
    override arrayBuffer(): Promise<ArrayBuffer> {
      return Promise.reject(new DOMException("lost", "NotReadableError"));
    }
  }
  expect(await isStored(new Blob(["content"]))).toBe(true);
  expect(await isStored(new LostFile(["content"]))).toBe(false);
  expect(await isStored(new Blob([]))).toBe(false);
});
