import { signal } from "@preact/signals";
import { CLEANED, type Cleaned, type CleanParams, ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { needsPassword } from "./task.ts";
import { passwordField, type TrayFile } from "./tray.ts";

/** The options of cleaning, as chosen. */
export const clean = {
  kept: signal<readonly Cleaned[]>([]),
  isFlat: signal(false),
};

/** Returns the fields of `cleanPdf` for the chosen options. */
export function cleanFields({ file }: TrayFile): CleanParams {
  const kept = clean.kept.value;
  return {
    file,
    ...(kept.length > 0 && { keep: kept }),
    ...(clean.isFlat.value && { flatten: true }),
  };
}

/** Keeps something in the file, or removes it. */
export function toggleKept(one: Cleaned, isKept: boolean): void {
  clean.kept.value = CLEANED.filter((each) => (each === one ? isKept : clean.kept.value.includes(each)));
}

/** The files that are read, or were. */
const started = new WeakSet<TrayFile>();

/** Reads what is hidden in a file. What cannot be read is not known: cleaning reports the errors of the file. */
export async function readHidden(file: TrayFile): Promise<void> {
  if (needsPassword(file) || started.has(file)) return;
  started.add(file);
  try {
    const params = { file: file.file, hidden: true, ...passwordField(file.password.peek()) };
    const { hidden } = await client.inspect(params);
    const known = file.inspection.peek();
    if (known !== undefined && hidden !== undefined) file.inspection.value = { ...known, hidden };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}
