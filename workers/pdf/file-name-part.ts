import { firstClusters } from "../../src/shared/entry-name.ts";

/** The most UTF-16 code units of a part. */
const LONGEST_PART = 80;
/** No more of a text is read. A longer one is cut anyway. */
const READ = 16 * LONGEST_PART;

/** Characters that Windows does not allow in file names, and those of other systems. */
const RESERVED = /[<>:"/\\|?*]/g;
/** Characters that cannot be stored or seen: lone surrogates, noncharacters, and controls that change the direction of a text. */
const UNSAFE =
  /[\p{Cs}\p{Noncharacter_Code_Point}]|(?![\u200c-\u200d\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu;
const SPACE = /[\p{Cc}\s]+/gu;

/**
 * Returns a text as a part of a file name that is safe on Windows, macOS and Linux, in Unicode normalization form C. It
 * may be empty. The part must not begin the file name: it may be the name of a device, such as `CON`.
 *
 * @param mostBytes the room for the part, in bytes of UTF-8
 */
export function fileNamePart(text: string, mostBytes: number): string {
  const clean = text.slice(0, READ).replace(UNSAFE, "").replace(SPACE, " ").replace(RESERVED, "_").trim();
  const part = firstClusters(clean.normalize("NFC"), { bytes: mostBytes, codeUnits: LONGEST_PART });
  // Windows removes them at the end of names.
  return part.replace(/[ .]+$/, "");
}
