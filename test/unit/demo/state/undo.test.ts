import { expect, test } from "vitest";
import { addStep, lastRemoval, makeFinal, type UndoStep, undo, undone } from "../../../../demo/state/undo.ts";

const log: string[] = [];

const [REPORT, LETTER] = [{}, {}];

function step(name: string, files: readonly object[] = [REPORT], isRemoval = false): UndoStep {
  return {
    files,
    isRemoval,
    undo: () => log.push(`undo ${name}`),
    discard: () => log.push(`discard ${name}`),
    message: "undone.order",
  };
}

test("undoes the last step first, and none twice", () => {
  addStep(step("one"));
  addStep(step("two"));
  expect([undo(), undo(), undo()]).toEqual([true, true, false]);
  expect(log.splice(0)).toEqual(["undo two", "undo one"]);
});

test("undoes a removal of before, and leaves the steps after it", () => {
  const removal = step("removal", [REPORT], true);
  addStep(removal);
  addStep(step("later"));
  expect(lastRemoval.value).toBe(removal);
  expect(undo(removal)).toBe(true);
  expect(lastRemoval.value).toBeUndefined();
  expect(undo(removal)).toBe(false);
  undo();
  expect(log.splice(0)).toEqual(["undo removal", "undo later"]);
});

test("makes a removal final with those before it, and steps that are only about the removed files", () => {
  const removed = {};
  addStep(step("of both", [removed, LETTER]));
  addStep(step("of one", [removed]));
  addStep(step("of none"));
  addStep(step("first removal", [removed], true));
  const removal = step("removal", [{}], true);
  addStep(removal);
  addStep(step("after"));
  makeFinal(removal);
  expect(log.splice(0)).toEqual(["discard of one", "discard first removal", "discard removal"]);
  expect([undo(), undo(), undo(), undo()]).toEqual([true, true, true, false]);
  expect(log.splice(0)).toEqual(["undo after", "undo of none", "undo of both"]);
});

test("discards the oldest steps of more than 200", () => {
  for (let index = 0; index <= 200; index++) addStep(step(`${index}`));
  expect(log.splice(0)).toEqual(["discard 0"]);
  while (undo());
  expect(log.splice(0).length).toBe(200);
});

test("says what was undone until the next step", () => {
  const one = step("one");
  addStep(one);
  undo();
  expect(undone.value).toBe(one);
  addStep(step("two"));
  expect(undone.value).toBeUndefined();
  undo();
});
