import { expect, test, vi } from "vitest";
import { codeOf } from "../../support/code-of.ts";
import { file, setUp } from "../../support/fake-client.ts";

vi.mock("../../../src/pool/pool.ts", () => {
  throw new Error("status 404");
});

test("only calls that need a worker fail if the code of the pool cannot be loaded", async () => {
  const { client } = setUp();
  expect(await codeOf(() => client.splitPdf({ file, pages: "1,,2" }))).toBe("invalid_page_selection");
  expect(await codeOf(() => client.convert({ file, output_format: "docx" }))).toBe("remote_not_configured");
  expect(await codeOf(() => client.splitPdf({ file, pages: "1" }))).toBe("internal_error");
});
