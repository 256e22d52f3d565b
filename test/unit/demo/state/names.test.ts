import { expect, test } from "vitest";
import { uniquelyNamed } from "../../../../demo/state/names.ts";

test("numbers files of the same name, ignoring case", () => {
  const files = ["a.jpg", "A.jpg", "a (2).jpg", "b"].map((name) => new File([], name));
  expect(uniquelyNamed(files).map(({ name }) => name)).toEqual(["a.jpg", "A (2).jpg", "a (2) (2).jpg", "b"]);
});

test("keeps away from names that are taken already", () => {
  const files = ["a.jpg", "b.jpg"].map((name) => new File([], name));
  expect(uniquelyNamed(files, ["A.JPG"]).map(({ name }) => name)).toEqual(["a (2).jpg", "b.jpg"]);
});
