const { createClient, ServiceError } = require("stayput");

const file = new Blob(["%PDF-1.7\n"]);

test.each([
  ["protectPdf", { file, password: "a" }],
  ["convert", { file, output_format: "png" }],
  ["inspect", { file }],
])("%s says that there is no browser", async (method, fields) => {
  const client = createClient();
  const error = await client[method](fields).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.code).toBe("internal_error");
  expect(error.details.cause).toMatch(/no Web Workers here|Blob\.arrayBuffer is missing/);
  expect(error.details.cause).toMatch(/use createMockClient of stayput\/testing/);
});
