import { PERMISSIONS, type Permission } from "../../src/index.ts";

/** Limits of a protected file that is opened without its owner password. */
export type Restriction = "none" | "no-print" | "no-changes" | "custom";

/** Returns the permissions that a restriction leaves. `custom` are those that the user has ticked. */
export function allowedPermissions(
  restriction: Restriction,
  custom: readonly Permission[],
): readonly Permission[] {
  const without = (...names: Permission[]) => PERMISSIONS.filter((name) => !names.includes(name));
  switch (restriction) {
    case "none":
      return PERMISSIONS;
    case "no-print":
      return without("print", "print_low");
    case "no-changes":
      return without("modify", "copy", "annotate", "fill_forms", "assemble");
    case "custom":
      return custom;
  }
}

/**
 * Returns the permissions after one box is ticked or cleared. `print` includes `print_low`, and `annotate` includes
 * `fill_forms` (ISO 32000-2, Table 22), so the boxes show what the file will allow.
 */
export function togglePermission(
  allowed: readonly Permission[],
  name: Permission,
  isAllowed: boolean,
): readonly Permission[] {
  const next = new Set(allowed);
  if (isAllowed) {
    next.add(name);
    if (name === "print") next.add("print_low");
    if (name === "annotate") next.add("fill_forms");
  } else {
    next.delete(name);
    // Without "print", printing in low quality is allowed only when it is ticked again.
    if (name === "print") next.delete("print_low");
    if (name === "print_low") next.delete("print");
    if (name === "fill_forms") next.delete("annotate");
  }
  return PERMISSIONS.filter((one) => next.has(one));
}
