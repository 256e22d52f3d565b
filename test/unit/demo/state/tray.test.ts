import { beforeEach, expect, test } from "vitest";
import {
  addFiles,
  duplicates,
  moveFile,
  type TrayFile,
  takeOut,
  trayFiles,
} from "../../../../demo/state/tray.ts";
import { undo } from "../../../../demo/state/undo.ts";

let rows: readonly TrayFile[];

beforeEach(() => {
  trayFiles.value = [];
  rows = addFiles(["a", "b", "c"].map((name) => new File([name], name, { lastModified: 1 })));
});

const names = () => trayFiles.value.map(({ file }) => file.name).join("");

function row(index: number): TrayFile {
  const found = rows[index];
  if (found === undefined) throw new Error(`No row ${index}`);
  return found;
}

test("moves a file, at most to the ends", () => {
  moveFile(row(2), 0);
  expect(names()).toBe("cab");
  moveFile(row(2), 9);
  expect(names()).toBe("abc");
  moveFile(row(0), -1);
  expect(names()).toBe("abc");
});

test("brings removed files back to their places", () => {
  const putBack = takeOut([row(0), row(1)]);
  expect(names()).toBe("c");
  addFiles([new File(["d"], "d")]);
  putBack();
  expect(names()).toBe("abcd");
});

test("moves a file back, after all steps of a drag", () => {
  moveFile(row(2), 1);
  moveFile(row(2), 0);
  moveFile(row(0), 2);
  expect(names()).toBe("cba");
  undo();
  expect(names()).toBe("cab");
  undo();
  expect(names()).toBe("abc");
});

test("finds a file that is chosen twice, and no other version of it", () => {
  addFiles([new File(["b"], "b", { lastModified: 2 })]);
  expect(duplicates.value.size).toBe(0);
  const [again] = addFiles([new File(["b"], "b", { lastModified: 1 })]);
  expect([...duplicates.value]).toEqual([again]);
  expect(trayFiles.value.map(({ file }) => file.name)).toEqual(["a", "b", "c", "b (2)", "b (3)"]);
});
