import { expect, test } from "vitest";
import {
  addStep,
  forgetUpTo,
  lastRemoval,
  type UndoStep,
  undo,
  undone,
} from "../../../../demo/state/undo.ts";

const log: string[] = [];

function step(name: string, removed?: number): UndoStep {
  return {
    undo: () => log.push(`undo ${name}`),
    discard: () => log.push(`discard ${name}`),
    message: "undone.order",
    ...(removed !== undefined && { removed }),
  };
}

test("undoes the last step first, and none twice", () => {
  addStep(step("one"));
  addStep(step("two"));
  expect([undo(), undo(), undo()]).toEqual([true, true, false]);
  expect(log.splice(0)).toEqual(["undo two", "undo one"]);
});

test("undoes a removal of before, and leaves the steps after it", () => {
  const removal = step("removal", 2);
  addStep(removal);
  addStep(step("later"));
  expect(lastRemoval.value).toBe(removal);
  expect(undo(removal)).toBe(true);
  expect(lastRemoval.value).toBeUndefined();
  expect(undo(removal)).toBe(false);
  undo();
  expect(log.splice(0)).toEqual(["undo removal", "undo later"]);
});

test("makes a step final with all before it", () => {
  addStep(step("before"));
  const removal = step("removal", 1);
  addStep(removal);
  addStep(step("after"));
  forgetUpTo(removal);
  expect(log.splice(0)).toEqual(["discard before", "discard removal"]);
  expect([undo(), undo()]).toEqual([true, false]);
  expect(log.splice(0)).toEqual(["undo after"]);
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
