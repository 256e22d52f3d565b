import { open } from "node:fs/promises";

/** How many bytes are searched at once, and how many more are read for fields that begin near the end. */
const STEP = 1024 * 1024;
const FIELD_BYTES = 1024;
/** The same length, for a group that no reader knows and all leave out. The field then shows its last result. */
const UNKNOWN = "\\*\\fldno";

/** Control words that only format. Others could hide what follows: `\bin4 PAGE` is no text. */
const FORMATTING = String.raw`\\(?:rtlch|ltrch|hich|loch|dbch|fcs|af|afs|ab|ai|alang|f|fs|b|i|ul|cf|cs|kerning|noproof|lang|langnp|langfe|langfenp|insrsid|charrsid)(?:-?\d+)?(?![a-z])`;
/** Instructions that read no file. */
const HARMLESS = "PAGE|NUMPAGES|SECTIONPAGES|PAGEREF|REF|HYPERLINK|TOC|SEQ|DATE|TIME|FORMTEXT|FORMCHECKBOX";
const ACTIVE_FIELD = new RegExp(
  String.raw`\\fldinst(?!(?:[\s{}]|${FORMATTING})*(?:${HARMLESS})[\s{}\\])`,
  "gi",
);

/**
 * Turns off fields of an RTF that may read files (`INCLUDEPICTURE`), in place. LibreOffice checks such links in other
 * formats, but not in RTF (7.4).
 *
 * @throws the error of the file system
 */
export async function disableFields(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const buffer = Buffer.alloc(STEP + FIELD_BYTES);
    for (let at = 0; ; at += STEP) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      const fields = [...buffer.toString("latin1", 0, bytesRead).matchAll(ACTIVE_FIELD)];
      for (const { index } of fields) if (index < STEP) buffer.write(UNKNOWN, index, "latin1");
      if (fields.length > 0) await file.write(buffer, 0, Math.min(bytesRead, STEP + UNKNOWN.length), at);
    }
  } finally {
    await file.close();
  }
}
