import type { FormatId } from "./formats.ts";

const OOXML = "application/vnd.openxmlformats-officedocument.";
const ODF = "application/vnd.oasis.opendocument.";

/**
 * The MIME type of each format. Separate from the table of formats: a page loads it with the first job only.
 */
export const MIME_TYPES = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  heic: "image/heic",
  gif: "image/gif",
  bmp: "image/bmp",
  docx: `${OOXML}wordprocessingml.document`,
  xlsx: `${OOXML}spreadsheetml.sheet`,
  pptx: `${OOXML}presentationml.presentation`,
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  odt: `${ODF}text`,
  ods: `${ODF}spreadsheet`,
  odp: `${ODF}presentation`,
  rtf: "application/rtf",
  pdf: "application/pdf",
} as const satisfies Readonly<Record<FormatId, string>>;
