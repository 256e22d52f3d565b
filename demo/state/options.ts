import { computed, signal } from "@preact/signals";
import { type ConvertParams, PERMISSIONS, type Permission, type SplitParams } from "../../src/index.ts";
import { IMAGE_FORMATS, type TargetFormat } from "./formats.ts";
import { normalizePages } from "./page-text.ts";
import { fileKind, taskFiles } from "./task.ts";

/** What a protected file allows without its owner password. */
export type Restriction = "none" | "no-print" | "no-changes" | "custom";

/** The options of protecting, as typed and ticked. */
export const protect = {
  password: signal(""),
  repeated: signal(""),
  isShown: signal(false),
  restriction: signal<Restriction>("none"),
  allowed: signal<readonly Permission[]>(PERMISSIONS),
  ownerPassword: signal(""),
};

/** How a document is split. */
export type SplitWay = "pages" | "every" | "outline" | "size";

/** The options of splitting, as typed. */
export const split = {
  way: signal<SplitWay>("pages"),
  pages: signal(""),
  every: signal("10"),
  size: signal("10"),
};

/** The unit of a largest size, in bytes. */
export const SIZE_UNITS = { KB: 1000, MB: 1_000_000 } as const;

/** The options of converting, as typed. */
export const convert = {
  format: signal<TargetFormat | undefined>(undefined),
  /** From 0 to 100. Absent: what suits the format. */
  quality: signal<number | undefined>(undefined),
  size: signal(""),
  unit: signal<keyof typeof SIZE_UNITS>("MB"),
  side: signal(""),
  dpi: signal("150"),
  keepsMetadata: signal(false),
};

/** The size of the pages of a PDF made of images. */
export const pageSize = signal<"fit" | "a4" | "letter">("fit");

/** The format to convert to: the choice of the user, or what suits the files. */
export const targetFormat = computed<TargetFormat>(() => {
  const { value } = convert.format;
  if (value !== undefined) return value;
  return taskFiles.value.every((file) => fileKind(file) === "office") ? "pdf" : "jpg";
});

/** Returns what the chosen restriction allows. */
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

/** Returns the fields of `splitPdf` for the chosen way. */
export function splitFields(file: File): SplitParams {
  switch (split.way.value) {
    case "pages":
      return { file, pages: normalizePages(split.pages.value) };
    case "every":
      return { file, every: Number(split.every.value) };
    case "outline":
      return { file, by: "outline" };
    case "size":
      return { file, max_bytes: Math.floor(numberIn(split.size.value) * SIZE_UNITS.MB) };
  }
}

/** Whether the quality applies to a format. */
export function isLossy(format: TargetFormat): boolean {
  return format === "jpg" || format === "webp" || format === "avif";
}

/** Returns the fields of `convert` besides the file. */
export function convertFields(): Omit<ConvertParams, "file"> {
  const format = targetFormat.value;
  const { quality, size, unit, side, dpi, keepsMetadata } = convert;
  const isImage = IMAGE_FORMATS.some((one) => one === format);
  const maxSide = Number(side.value);
  return {
    output_format: format,
    ...(isLossy(format) && quality.value !== undefined && { quality: quality.value / 100 }),
    ...(isImage &&
      size.value !== "" && { max_bytes: Math.floor(numberIn(size.value) * SIZE_UNITS[unit.value]) }),
    ...(isImage && side.value !== "" && { max_width: maxSide, max_height: maxSide }),
    ...(isImage && dpi.value !== "" && { dpi: Number(dpi.value) }),
    ...(keepsMetadata.value && { keep_metadata: true }),
  };
}

/** Reads a number as people write it, with a comma or a point. `NaN` for any other text. */
export function numberIn(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
}
