import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { OPERATION_PATHS } from "../../../src/http/path.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { ERROR_STATUS } from "../../../src/shared/errors.ts";
import {
  type Answer,
  breaches,
  CONTRACT,
  faultsOfContract,
  type OperationName,
  operationOfContract,
} from "../../support/conformance/contract.ts";

const NAMES = Object.keys(OPERATIONS) as OperationName[];
const JSON_TYPE = { "content-type": "application/json" };

test("openapi.yaml is valid OpenAPI", async () => {
  expect(await faultsOfContract()).toEqual([]);
});

describe.each(NAMES)("%s in openapi.yaml", (name) => {
  const { path, operation } = operationOfContract(name);
  const row = OPERATIONS[name];

  test("has the path and the fields of the operation", () => {
    const { schema } = operation.requestBody.content["multipart/form-data"];
    expect(path).toBe(OPERATION_PATHS[name]);
    expect(Object.keys(schema.properties).toSorted()).toEqual(Object.keys(row.fields).toSorted());
    const required = Object.entries(row.fields).filter(([, field]) => field.required);
    expect([...schema.required].toSorted()).toEqual(required.map(([field]) => field).toSorted());
  });

  test("has all error codes, each with its status", () => {
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      const error = { code, message: "Wrong.", details: { parameter: "file", position: 1 } };
      const answer = failure(status, error);
      expect(breaches(name, answer), code).toEqual([]);
      const otherStatus = status === 400 ? 500 : 400;
      expect(breaches(name, { ...answer, status: otherStatus }), code).not.toEqual([]);
    }
  });
});

test("openapi.yaml has no other error codes", () => {
  const text = JSON.stringify(CONTRACT.components.responses);
  const lists = [...text.matchAll(/"code":\{"enum":(\[[^\]]*\])/g)].map(([, list = ""]) => list);
  const codes: string[] = lists.flatMap((list) => JSON.parse(list));
  expect(codes.toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
});

test("docs/reference/errors.md has all error codes, each with its status", () => {
  const rows = readFileSync(`${ROOT}docs/reference/errors.md`, "utf8").matchAll(/^\| `(\w+)` +\| (\d+) /gm);
  const codes = [...rows].map(([, code = "", status]) => [code, Number(status)]);
  expect(Object.fromEntries(codes)).toEqual(ERROR_STATUS);
});

describe("an answer is invalid", () => {
  const result = {
    success: true,
    download_url: "https://service.example/download/1/a.pdf",
    file_name: "a.pdf",
  };
  const done: Answer = { status: 200, headers: JSON_TYPE, body: result };

  test("except when it matches the schema", () => {
    expect(breaches("splitPdf", done)).toEqual([]);
    const local = { ...result, download_url: "blob:https://app.example/0b0e" };
    expect(breaches("splitPdf", { ...done, body: local })).toEqual([]);
  });

  test.each<[string, Answer]>([
    ["a key more", { ...done, body: { ...result, size: 1 } }],
    ["a key less", { ...done, body: { success: true, file_name: "a.pdf" } }],
    ["no success", { ...done, body: { ...result, success: false } }],
    ["no URL", { ...done, body: { ...result, download_url: "a.pdf" } }],
    ["no name", { ...done, body: { ...result, file_name: "" } }],
    ["text", { ...done, body: "done" }],
    ["another type", { ...done, headers: { "content-type": "text/html" } }],
    ["another status", { ...done, status: 201 }],
    ["an error of success", failure(422, { code: "damaged_file", message: "a", details: {} }, true)],
    ["no message", failure(422, { code: "damaged_file", message: "", details: {} })],
    ["no details", failure(422, { code: "damaged_file", message: "a" })],
    ["deep details", failure(422, { code: "damaged_file", message: "a", details: { a: {} } })],
    ["no parameter", failure(400, { code: "missing_parameter", message: "a", details: {} })],
    [
      "no position",
      failure(400, { code: "invalid_page_selection", message: "a", details: { parameter: "a" } }),
    ],
    ["no methods", failure(405, { code: "method_not_allowed", message: "a", details: {} }, false, {})],
  ])("by %s", (_, answer) => {
    expect(breaches("splitPdf", answer)).not.toEqual([]);
  });
});

function failure(
  status: number,
  error: object,
  success = false,
  headers: object = { allow: "POST" },
): Answer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: { success, error } };
}
