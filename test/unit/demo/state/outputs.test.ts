import { expect, test, vi } from "vitest";
import { outputKind, outputOf, previewOf, renameOutput } from "../../../../demo/state/outputs.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

const output = (name = "report.pdf", type = "application/pdf") =>
  outputOf(new File(["%PDF"], name, { type }));

test.each([
  ["annual report", "annual report.pdf"],
  ["  a/b: c?  ", "ab c.pdf"],
  ["2026.draft", "2026.draft.pdf"],
  ["", "report.pdf"],
  [" / ", "report.pdf"],
])("gives an output that is renamed %j the name %j", (typed, name) => {
  const one = output();
  renameOutput(one, typed);
  expect([one.file.value.name, one.file.value.type]).toEqual([name, "application/pdf"]);
});

test("an output with another name is not saved", () => {
  const one = output();
  one.isSaved.value = true;
  renameOutput(one, "report");
  expect(one.isSaved.value).toBe(true);
  renameOutput(one, "other");
  expect(one.isSaved.value).toBe(false);
});

test("tells documents, pictures and other files apart", () => {
  const types = ["application/pdf", "image/jpeg", "text/plain"];
  expect(types.map((type) => outputKind(output("a", type)))).toEqual(["pdf", "image", "other"]);
});

test("knows the format of a picture without looking at it", () => {
  const picture = output("a.jpg", "image/jpeg");
  expect(previewOf(picture).inspection.value).toEqual({ format: "jpg", size: 4 });
  expect(previewOf(picture)).toBe(previewOf(picture));
  expect(previewOf(output()).inspection.value).toBeUndefined();
});
