import { expect, test } from "vitest";
import { allowedPermissions, togglePermission } from "../../../../demo/state/permissions.ts";
import { PERMISSIONS } from "../../../../src/index.ts";

// "print" includes "print_low", and "annotate" includes "fill_forms".
test.each([
  ["print", "modify copy annotate fill_forms assemble"],
  ["print_low", "modify copy annotate fill_forms assemble"],
  ["fill_forms", "print print_low modify copy assemble"],
  ["annotate", "print print_low modify copy fill_forms assemble"],
] as const)("leaves, when %s is cleared: %s", (name, left) => {
  expect(togglePermission(PERMISSIONS, name, false).join(" ")).toBe(left);
});

test.each([
  ["print", "print print_low"],
  ["print_low", "print_low"],
  ["annotate", "annotate fill_forms"],
] as const)("allows, when %s is ticked: %s", (name, allowed) => {
  expect(togglePermission([], name, true).join(" ")).toBe(allowed);
});

test.each([
  ["none", [...PERMISSIONS]],
  ["no-print", ["modify", "copy", "annotate", "fill_forms", "assemble"]],
  ["no-changes", ["print", "print_low"]],
  ["custom", ["copy"]],
] as const)("allows with %s: %j", (restriction, allowed) => {
  expect(allowedPermissions(restriction, ["copy"])).toEqual(allowed);
});
