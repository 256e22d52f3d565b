import { expect, test } from "vitest";
import { allowedPermissions, togglePermission } from "../../../../demo/state/permissions.ts";
import { PERMISSIONS } from "../../../../src/index.ts";

test("forbids both ways of printing when printing is cleared", () => {
  const allowed = togglePermission(PERMISSIONS, "print", false);
  expect(allowed).not.toContain("print");
  expect(allowed).not.toContain("print_low");
});

test("allows printing in low quality when it is ticked again", () => {
  const allowed = togglePermission(togglePermission(PERMISSIONS, "print", false), "print_low", true);
  expect(allowed).toContain("print_low");
  expect(allowed).not.toContain("print");
});

test("clears the whole with its part", () => {
  expect(togglePermission(PERMISSIONS, "print_low", false)).not.toContain("print");
  expect(togglePermission(PERMISSIONS, "fill_forms", false)).not.toContain("annotate");
});

test("ticks the part with its whole", () => {
  expect(togglePermission([], "print", true)).toEqual(["print", "print_low"]);
  expect(togglePermission([], "annotate", true)).toEqual(["annotate", "fill_forms"]);
});

test("keeps filling in forms when commenting is cleared", () => {
  expect(togglePermission(PERMISSIONS, "annotate", false)).toContain("fill_forms");
});

test.each([
  ["none", [...PERMISSIONS]],
  ["no-print", ["modify", "copy", "annotate", "fill_forms", "assemble"]],
  ["no-changes", ["print", "print_low"]],
  ["custom", ["copy"]],
] as const)("allows with %s: %j", (restriction, allowed) => {
  expect(allowedPermissions(restriction, ["copy"])).toEqual(allowed);
});
