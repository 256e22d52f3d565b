// As docs/recipes/testing.md says.
const { ServiceError } = require("stayput");
const { client } = require("./client");

jest.mock("./client", () => ({ client: require("stayput/testing").createMockClient() }));

test("a mock takes the place of the client", async () => {
  const fields = { file: new File(["%PDF-1.7\n"], "a.pdf"), password: "a" };
  const result = await client.protectPdf(fields);
  expect(result.file_name).toBe("protected-a.pdf");
  client.answer("protectPdf", new ServiceError("already_encrypted", "Protected already."));
  await expect(client.protectPdf(fields)).rejects.toBeInstanceOf(ServiceError);
  await expect(client.protectPdf({ file: fields.file })).rejects.toBeInstanceOf(ServiceError);
  expect(client.calls).toHaveLength(3);
});
