import type { Inspection } from "../../src/index.ts";

type FormatId = Inspection["format"];

/** The kind of a file. It decides which tasks the file takes. */
export type FileKind = "pdf" | "image" | "office";

const IMAGES: ReadonlySet<FormatId> = new Set([
  "jpg",
  "png",
  "webp",
  "avif",
  "heic",
  "gif",
  "bmp",
  "tiff",
  "jxl",
]);

/** Returns the kind of a format. */
export function kindOf(format: FormatId): FileKind {
  if (format === "pdf") return "pdf";
  return IMAGES.has(format) ? "image" : "office";
}

/** Whether most browsers show images of a format. */
export function isShownByBrowsers(format: FormatId | undefined): boolean {
  return format !== "heic" && format !== "tiff" && format !== "jxl";
}

/** Whether files of a kind can become a format. `hasService` is whether there is a service for office files. */
export function canBecome(kind: FileKind, format: TargetFormat, hasService: boolean): boolean {
  const isOffice = OFFICE_FORMATS.some((one) => one === format);
  if (kind === "office" || isOffice) return hasService && format !== "txt";
  return format === "pdf" ? kind === "image" : format !== "txt" || kind === "pdf";
}

/** The formats that the service for office files makes. */
export const OFFICE_FORMATS = ["docx", "xlsx", "pptx", "odt", "ods", "odp"] as const;

/** The formats that `convert` makes of an image or a page. */
export const IMAGE_FORMATS = ["jpg", "png", "webp", "avif"] as const;

/** Whether a format is one of those. */
export function isImageFormat(format: unknown): format is (typeof IMAGE_FORMATS)[number] {
  return IMAGE_FORMATS.some((one) => one === format);
}

/** The formats that the user can choose. */
export const TARGET_FORMATS = [...IMAGE_FORMATS, "pdf", "txt", ...OFFICE_FORMATS] as const;

export type TargetFormat = (typeof TARGET_FORMATS)[number];

const NAMES: Readonly<Partial<Record<FormatId, string>>> = {
  // In German, too.
  txt: "Text",
  webp: "WebP",
  jxl: "JPEG XL",
  docx: "Word",
  doc: "Word",
  xlsx: "Excel",
  xls: "Excel",
  pptx: "PowerPoint",
  ppt: "PowerPoint",
};

/** Returns the name of a format as people know it. */
export function formatName(format: FormatId | TargetFormat): string {
  return NAMES[format] ?? format.toUpperCase();
}

/** The value of `accept` for the file dialog. */
export const ACCEPTED_TYPES = [
  "application/pdf,.pdf,image/*,.heic,.heif,.avif,.tif,.tiff,.jxl",
  ".doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp,.rtf",
].join();

/** Formats a number of bytes: `1.2 MB`. The number and its unit stay in one line. */
export function readableSize(bytes: number, language: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  })
    .format(bytes / 1000 ** power)
    .replace(" ", "\u00a0");
}

/** Returns a share as a whole percentage. It is 100 % only when all is done. */
export function percentage(done: number, total: number, language: string): string {
  const share = Math.floor((100 * Math.min(done, total)) / total) / 100;
  return new Intl.NumberFormat(language, { style: "percent" }).format(share);
}

/** Formats by which share a size differs from the one before: `48%`. Empty if the change is under 0.5%. */
export function sizeShare(before: number, after: number, language: string): string {
  return sizeChange(before, after, language).replace(/^[+\u2212]/, "");
}

/** Formats how much smaller or larger a size is: `−38 %`. Empty if the change is under 0.5%. */
export function sizeChange(before: number, after: number, language: string): string {
  const change = after / before - 1;
  if (!Number.isFinite(change) || Math.abs(change) < 0.005) return "";
  return new Intl.NumberFormat(language, {
    style: "percent",
    signDisplay: "always",
    maximumFractionDigits: 0,
  })
    .format(change)
    .replace("-", "\u2212");
}
