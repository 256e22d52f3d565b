import { expect, test } from "vitest";
import { uniquelyNamed } from "../../../../demo/state/unique-names.ts";

test("numbers files of the same name, ignoring case", () => {
  const files = ["a.jpg", "A.jpg", "a (2).jpg", "b"].map((name) => new File([], name));
  expect(uniquelyNamed(files).map(({ name }) => name)).toEqual(["a.jpg", "A (2).jpg", "a (2) (2).jpg", "b"]);
});
