// As docs/recipes/bundlers.md says.
const { createClient, ServiceError } = require("stayput");

jest.mock("stayput", () => ({
  ...jest.requireActual("stayput"),
  createClient: () => ({
    protectPdf: async () => ({ success: true, download_url: "blob:test", file_name: "protected-a.pdf" }),
  }),
}));

test("a mock of the client replaces it", async () => {
  const result = await createClient().protectPdf({ file: new Blob(["%PDF-1.7\n"]), password: "a" });
  expect(result.file_name).toBe("protected-a.pdf");
  expect(new ServiceError("internal_error", "a")).toBeInstanceOf(Error);
});
