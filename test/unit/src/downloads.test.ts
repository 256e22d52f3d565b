import { resolveObjectURL } from "node:buffer";
import { expect, test, vi } from "vitest";
import { Downloads } from "../../../src/downloads.ts";
import { requestGc } from "../../../src/shared/request-gc.ts";
import { refusal } from "../../support/refusal.ts";

vi.mock("../../../src/shared/request-gc.ts", { spy: true });

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

test.each(["release", "releaseAll"] as const)("%s asks the browser to free 512 MB of results", (how) => {
  vi.mocked(requestGc).mockClear();
  const downloads = new Downloads();
  const release = () => {
    const half = Object.defineProperty(new Blob(), "size", { value: 256 * 1024 * 1024 });
    const result = downloads.createResult(half, "a.pdf");
    if (how === "release") downloads.release(result);
    else downloads.releaseAll();
  };
  release();
  expect(requestGc).not.toHaveBeenCalled();
  release();
  expect(requestGc).toHaveBeenCalledOnce();
});
