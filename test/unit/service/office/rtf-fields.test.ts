import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { disableFields } from "../../../../service/office/rtf-fields.ts";

/** Returns what becomes of an RTF. */
async function disabled(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.rtf");
  writeFileSync(path, text, "latin1");
  await disableFields(path);
  return readFileSync(path, "latin1");
}

const field = (instruction: string) => `{\\rtf1 {\\field{\\*\\fldinst${instruction}}{\\fldrslt old}}}`;

test.each([
  [" INCLUDEPICTURE file:///a.png"],
  ["{INC\\'4cUDEPICTURE file:///a.png}"],
  ["\\bin5 PAGE INCLUDEPICTURE file:///a.png"],
  ["\\uc5\\u32 PAGE INCLUDEPICTURE file:///a.png"],
  ["\\fPAGE INCLUDEPICTURE file:///a.png"],
  ["{\\*\\a PAGE }INCLUDEPICTURE file:///a.png"],
  [" PAGES"],
])("turns off a field that may read files: %s", async (instruction) => {
  expect(await disabled(field(instruction))).toBe(field(instruction).replace("\\fldinst", "\\*\\fldno"));
});

test.each([
  [" PAGE "],
  ["{\\rtlch\\fcs1 \\af0 \\ltrch\\fcs0 \\insrsid123  NUMPAGES }"],
  [' HYPERLINK "http://a.example"'],
])("keeps a field that reads none: %s", async (instruction) => {
  expect(await disabled(field(instruction))).toBe(field(instruction));
});

test.each([-8, -4, -1, 0, 1])("finds a field %d bytes from the end of a step", async (distance) => {
  const text = `${" ".repeat(1024 * 1024 + distance)}\\fldinst INCLUDEPICTURE ${" ".repeat(2_000)}\\fldinst PAGE `;
  expect(await disabled(text)).toBe(text.replace("\\fldinst", "\\*\\fldno"));
});
