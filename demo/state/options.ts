import { signal } from "@preact/signals";
import {
  type ConvertParams,
  PERMISSIONS,
  type Permission,
  type ProtectParams,
  type SplitParams,
} from "../../src/index.ts";
import { IMAGE_FORMATS, type TargetFormat } from "./formats.ts";
import type { PageSize } from "./merge-parts.ts";
import { normalizePages } from "./page-selection.ts";
import { allowedPermissions, type Restriction } from "./permissions.ts";
import { targetFormat } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** The options of protecting, as typed and ticked. */
export const protect = {
  password: signal(""),
  repeated: signal(""),
  isShown: signal(false),
  restriction: signal<Restriction>("none"),
  allowed: signal<readonly Permission[]>(PERMISSIONS),
  ownerPassword: signal(""),
};

/**
 * How documents are split. With `together`, the selected pages become one file. With `pages`, each item of the selection
 * becomes one. All other ways need no selection.
 */
export type SplitWay = "together" | "pages" | "every" | "outline" | "size";

/** The options of splitting, as typed. */
export const split = {
  way: signal<SplitWay>("together"),
  /** Whether one selection is for all documents. Otherwise each has its own. */
  isShared: signal(false),
  /** The selection for all documents. */
  shared: signal(""),
  every: signal("2"),
  size: signal("10"),
};

/** The units of a size limit, in bytes. */
export const SIZE_UNITS = { KB: 1000, MB: 1_000_000 } as const;

const DEFAULT_DPI = "150";

/** The options of converting, as typed. */
export const convert = {
  /** From 0 to 100. Undefined: the default of the format. */
  quality: signal<number | undefined>(undefined),
  size: signal(""),
  unit: signal<keyof typeof SIZE_UNITS>("MB"),
  side: signal(""),
  dpi: signal(DEFAULT_DPI),
  keepsMetadata: signal(false),
};

/** The size of the pages of a PDF made of images. */
export const pageSize = signal<PageSize>("fit");

/** Returns the fields of `protectPdf` for the chosen options. */
export function protectFields(): Omit<ProtectParams, "file"> {
  const { password, ownerPassword, restriction, allowed } = protect;
  return {
    password: password.value,
    ...(ownerPassword.value !== "" && { owner_password: ownerPassword.value }),
    permissions: allowedPermissions(restriction.value, allowed.value),
  };
}

/** The fields of `convert` that make one PDF of some pages. */
interface OnePdfParams extends ConvertParams {
  readonly output_format: "pdf";
}

/** Returns the fields of `splitPdf` for the chosen way, or those of `convert` if the pages become one PDF. */
export function splitFields({ file, pages }: TrayFile): SplitParams | OnePdfParams {
  const selection = normalizePages(split.isShared.value ? split.shared.value : pages.value);
  switch (split.way.value) {
    case "together":
      return { file, output_format: "pdf", pages: selection };
    case "pages":
      return { file, pages: selection };
    case "every":
      return { file, every: wholeNumberIn(split.every.value) };
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

/** Whether an option of converting that the page hides at first has another value than at first. */
export function hasMoreOptions(): boolean {
  const { size, side, dpi, keepsMetadata } = convert;
  return size.value !== "" || side.value !== "" || dpi.value !== DEFAULT_DPI || keepsMetadata.value;
}

/** The fields of `convert` besides the file. */
export interface ConvertFields extends Omit<ConvertParams, "file"> {
  readonly output_format: TargetFormat;
}

/** Returns the fields of `convert` for the chosen options. */
export function convertFields(): ConvertFields {
  const format = targetFormat.value;
  const { quality, size, unit, side, dpi, keepsMetadata } = convert;
  const isImage = IMAGE_FORMATS.some((one) => one === format);
  const maxSide = wholeNumberIn(side.value);
  return {
    output_format: format,
    ...(isLossy(format) && quality.value !== undefined && { quality: quality.value / 100 }),
    ...(isImage &&
      size.value !== "" && { max_bytes: Math.floor(numberIn(size.value) * SIZE_UNITS[unit.value]) }),
    ...(isImage && side.value !== "" && { max_width: maxSide, max_height: maxSide }),
    ...(isImage && dpi.value !== "" && { dpi: wholeNumberIn(dpi.value) }),
    ...(keepsMetadata.value && { keep_metadata: true }),
  };
}

/** Reads a number as people write it, with a comma or a point. `NaN` for any other text. */
export function numberIn(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
}

/** Reads a whole number of digits alone, because `2.000` is 2 for some people and 2,000 for others. `NaN` for any other text. */
export function wholeNumberIn(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}
