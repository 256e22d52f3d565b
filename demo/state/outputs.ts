import { type Signal, signal } from "@preact/signals";
import { IMAGE_FORMATS } from "./formats.ts";
import { nameParts, withName } from "./names.ts";
import { freeThumbnails } from "./thumbnails.ts";
import { type TrayFile, trayFileOf } from "./tray.ts";

/** A file that a job has made. */
export interface Output {
  /** The file to save. Its name is the one that the user has given it. */
  readonly file: Signal<File>;
  readonly isSaved: Signal<boolean>;
}

/** What an output is, as far as its type says. */
export type OutputKind = "pdf" | "image" | "other";

/** The outputs as files that the page can show. */
const previews = new WeakMap<Output, TrayFile>();

/** Returns an output that is not saved yet. */
export function outputOf(file: File): Output {
  return { file: signal(file), isSaved: signal(false) };
}

/** Returns what an output is. */
export function outputKind({ file }: Output): OutputKind {
  const { type } = file.value;
  if (type === "application/pdf") return "pdf";
  return type.startsWith("image/") ? "image" : "other";
}

/** Characters that no name of a file has on all systems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names have none of them.
const FORBIDDEN = /[\u0000-\u001f\\/:*?"<>|]/g;

/** Gives an output another name before its extension. A name without any letter is none. */
export function renameOutput({ file, isSaved }: Output, typed: string): void {
  const [stem, extension] = nameParts(file.value.name);
  const wanted = typed.replace(FORBIDDEN, "").trim();
  if (wanted === "" || wanted === stem) return;
  file.value = withName(file.value, wanted + extension);
  isSaved.value = false;
}

/** Returns an output as a file that the page can show. */
export function previewOf(output: Output): TrayFile {
  const known = previews.get(output);
  if (known !== undefined) return known;
  const file = output.file.peek();
  const preview = trayFileOf(file);
  const format = IMAGE_FORMATS.find((one) => file.type === (one === "jpg" ? "image/jpeg" : `image/${one}`));
  // The type says all that a picture of it needs.
  if (format !== undefined) preview.inspection.value = { format, size: file.size };
  previews.set(output, preview);
  return preview;
}

/** Frees what shows an output. */
export function forgetPreview(output: Output): void {
  const preview = previews.get(output);
  if (preview !== undefined) freeThumbnails(preview);
  previews.delete(output);
}
