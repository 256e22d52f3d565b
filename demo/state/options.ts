import { type Signal, signal } from "@preact/signals";
import {
  CLEANED,
  type Cleaned,
  type CleanParams,
  type CompressParams,
  type ConvertParams,
  PERMISSIONS,
  type Permission,
  type ProtectParams,
  type SplitParams,
} from "../../src/index.ts";
import type { MessageKey } from "../messages/index.ts";
import { isImageFormat, type TargetFormat } from "./formats.ts";
import { normalizePages } from "./page-selection.ts";
import { allowedPermissions, type Restriction } from "./permissions.ts";
import { convertibleKinds, targetFormat } from "./task.ts";
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

/** How small files become: by what they are for, or below a size. */
export type ShrinkWay = "mail" | "web" | "smallest" | "size";

/** The options of shrinking, as chosen and typed. */
export const shrink = {
  way: signal<ShrinkWay>("mail"),
  size: signal("2"),
};

/** The options of cleaning, as chosen. */
export const clean = {
  kept: signal<readonly Cleaned[]>([]),
  isFlat: signal(false),
};

/** The units of a size limit, in bytes. */
export const SIZE_UNITS = { KB: 1000, MB: 1_000_000 } as const;

/** The options of converting, as typed. */
export const convert = {
  /** From 0 to 100. Undefined: the default of the format. */
  quality: signal<number | undefined>(undefined),
  size: signal(""),
  unit: signal<keyof typeof SIZE_UNITS>("MB"),
  side: signal(""),
  dpi: signal("150"),
  keepsMetadata: signal(false),
};

/** The size of the pages that images get in a PDF: that of the image, or paper. */
export type PageSize = "fit" | "a4" | "letter";

/** The size of the pages of a PDF made of images. */
export const pageSize = signal<PageSize>("fit");

/** A field for a number. */
export interface NumberOption {
  readonly text: Signal<string>;
  readonly label: MessageKey;
  readonly hint?: MessageKey;
  /** Whether the page shows it for the present choice. The value of a hidden field is not used, so it has no problem. */
  readonly isShown: () => boolean;
  readonly isOptional?: boolean;
  /** Whether it takes whole numbers only. */
  readonly isWhole?: boolean;
  readonly most?: number;
}

const makesImages = () => isImageFormat(targetFormat.value);

/** The fields for numbers. The name of each begins with its task. */
export const NUMBER_OPTIONS = {
  "split-every": {
    text: split.every,
    label: "split.everyLabel",
    isShown: () => split.way.value === "every",
    isWhole: true,
  },
  "split-size": {
    text: split.size,
    label: "split.sizeLabel",
    hint: "split.sizeHint",
    isShown: () => split.way.value === "size",
  },
  "shrink-size": {
    text: shrink.size,
    label: "split.sizeLabel",
    isShown: () => shrink.way.value === "size",
  },
  "convert-size": { text: convert.size, label: "convert.size", isShown: makesImages, isOptional: true },
  "convert-side": {
    text: convert.side,
    label: "convert.side",
    isShown: makesImages,
    isOptional: true,
    isWhole: true,
  },
  "convert-dpi": {
    text: convert.dpi,
    label: "convert.dpi",
    isShown: () => makesImages() && convertibleKinds.value.has("pdf"),
    isOptional: true,
    isWhole: true,
    most: 2400,
  },
} as const satisfies Readonly<Record<string, NumberOption>>;

/** The id of a field for a number. */
export type NumberId = keyof typeof NUMBER_OPTIONS;

/** Returns the number of a field, `NaN` if it is none. Undefined for a hidden field, and for an optional one without text. */
export function numberOf(id: NumberId): number | undefined {
  const { text, isShown, isOptional, isWhole }: NumberOption = NUMBER_OPTIONS[id];
  if (!isShown() || (isOptional && text.value === "")) return undefined;
  return isWhole ? wholeNumberIn(text.value) : numberIn(text.value);
}

/** Returns the number of a field of a size in bytes. */
function bytesOf(id: NumberId, unit: keyof typeof SIZE_UNITS = "MB"): number {
  return Math.floor((numberOf(id) ?? Infinity) * SIZE_UNITS[unit]);
}

/** Returns the password of the owner. None while nothing is restricted, because its field is hidden. */
export function ownerPassword(): string {
  return protect.restriction.value === "none" ? "" : protect.ownerPassword.value;
}

/** Returns the fields of `protectPdf` for the chosen options. */
export function protectFields(): Omit<ProtectParams, "file"> {
  const owner_password = ownerPassword();
  return {
    password: protect.password.value,
    ...(owner_password !== "" && { owner_password }),
    permissions: allowedPermissions(protect.restriction.value, protect.allowed.value),
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
      return { file, every: numberOf("split-every") ?? Number.NaN };
    case "outline":
      return { file, by: "outline" };
    case "size":
      return { file, max_bytes: bytesOf("split-size") };
  }
}

/** The most bytes of a file for e-mail. */
const MAIL_BYTES = 10 * SIZE_UNITS.MB;

/** What each way means for documents and for pictures. */
const SHRUNK = {
  web: { pdf: { dpi: 150, quality: 0.75 }, image: { side: 1920, quality: 0.75 } },
  smallest: { pdf: { dpi: 72, quality: 0.4 }, image: { side: 1280, quality: 0.5 } },
} as const;

/** Formats in which a picture stays when it shrinks. Any other picture becomes a WebP if it may be transparent, or a JPG. */
const STAYS = ["jpg", "webp", "avif"] as const;
const MAY_BE_TRANSPARENT = ["png", "gif", "tiff", "jxl"] as const;

/** Returns the fields of `compressPdf` for a document, or those of `convert` for a picture. */
export function shrinkFields({ file, inspection }: TrayFile): CompressParams | ConvertParams {
  const way = shrink.way.value;
  const preset = way === "web" || way === "smallest" ? SHRUNK[way] : undefined;
  const limit = way === "size" ? bytesOf("shrink-size") : MAIL_BYTES;
  const format = inspection.value?.format;
  if (format === "pdf") return { file, ...(preset?.pdf ?? { max_bytes: limit }) };
  const { side, quality } = preset?.image ?? {};
  const other = MAY_BE_TRANSPARENT.some((one) => one === format) ? "webp" : "jpg";
  return {
    file,
    output_format: STAYS.find((one) => one === format) ?? other,
    // Never larger than it is.
    max_bytes: Math.min(file.size, preset ? Infinity : limit),
    ...(side !== undefined && { quality, max_width: side, max_height: side }),
  };
}

/** Returns the fields of `cleanPdf` for the chosen options. */
export function cleanFields({ file }: TrayFile): CleanParams {
  const keep = clean.kept.value;
  return { file, ...(keep.length > 0 && { keep }), ...(clean.isFlat.value && { flatten: true }) };
}

/** Keeps something in the file, or removes it. */
export function toggleKept(one: Cleaned, isKept: boolean): void {
  clean.kept.value = CLEANED.filter((each) => (each === one ? isKept : clean.kept.value.includes(each)));
}

/** Whether the quality applies to a format. */
export function isLossy(format: TargetFormat): boolean {
  return format === "jpg" || format === "webp" || format === "avif";
}

/** Whether an option of converting that the page hides at first has another value than at first. */
export function hasMoreOptions(): boolean {
  const { size, side, dpi, keepsMetadata } = convert;
  return size.value !== "" || side.value !== "" || dpi.value !== "150" || keepsMetadata.value;
}

/** The fields of `convert` besides the file. */
export interface ConvertFields extends Omit<ConvertParams, "file"> {
  readonly output_format: TargetFormat;
}

/** Returns the fields of `convert` for the chosen options. */
export function convertFields(): ConvertFields {
  const format = targetFormat.value;
  const { quality, unit, keepsMetadata } = convert;
  const side = numberOf("convert-side");
  const dpi = numberOf("convert-dpi");
  return {
    output_format: format,
    ...(isLossy(format) && quality.value !== undefined && { quality: quality.value / 100 }),
    ...(numberOf("convert-size") !== undefined && { max_bytes: bytesOf("convert-size", unit.value) }),
    ...(side !== undefined && { max_width: side, max_height: side }),
    ...(dpi !== undefined && { dpi }),
    ...(keepsMetadata.value && { keep_metadata: true }),
  };
}

/**
 * Reads a number as people write it, with a comma or a point. `NaN` for any other text, and for `2.000` and `2,000`, which are 2
 * for some people and 2,000 for others.
 */
function numberIn(text: string): number {
  const plain = text.trim().replace(",", ".");
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) && !/^[1-9]\d{0,2}\.\d{3}$/.test(plain)
    ? Number(plain)
    : Number.NaN;
}

/** Reads a whole number of digits alone, for the same reason. `NaN` for any other text. */
function wholeNumberIn(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}
