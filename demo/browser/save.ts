import { client } from "../state/client.ts";
import { uniquelyNamed } from "../state/names.ts";
import type { Output } from "../state/outputs.ts";
import { currentOutputs, currentResults, type Result } from "../state/results.ts";
import { isTouch } from "./window.ts";

/** The dialogs of the File System Access API, which some browsers have. */
interface Pickers {
  readonly showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  readonly showDirectoryPicker?: (options: { mode: "readwrite" }) => Promise<FileSystemDirectoryHandle>;
}

const pickers: Pickers & Window = window;

/** An archive of at least so many bytes goes straight to the disk, where the browser can do that. */
const STREAMED_FROM = 200_000_000;

const URL_LIFETIME_MS = 60_000;

/** Whether the files can be given to another app, as phones do. */
export function canShare(files: readonly File[]): boolean {
  return typeof navigator.canShare === "function" && isTouch() && navigator.canShare({ files: [...files] });
}

/** Saves the results of the task that its present options make: one file as itself, several as a zip. */
export async function saveAll(): Promise<void> {
  const outputs = currentOutputs.value;
  const files = filesToSave(outputs);
  const [only] = files;
  if (only === undefined) return;
  if (files.length === 1) download(only, only.name);
  else if (!(await saveZip(files, archiveName()))) return;
  markSaved(outputs);
}

/** Gives these results to another app. */
export async function shareAll(): Promise<void> {
  const outputs = currentOutputs.value;
  const files = [...filesToSave(outputs)];
  const isShared = await chosen(() => navigator.share({ files }).then(() => true));
  if (isShared) markSaved(outputs);
}

/** Saves one file. */
export function saveOutput(output: Output): void {
  const file = output.file.value;
  download(file, file.name);
  markSaved([output]);
}

/** Saves the receipt of a result with one file, as JSON. */
export async function saveReceipt({ state: { result, outputs } }: Result): Promise<void> {
  const receipt = await client.receipt(result);
  const name = outputs[0]?.file.value.name ?? result.file_name;
  download(
    new Blob([JSON.stringify(receipt, null, 2)], { type: "application/json" }),
    `${name}.receipt.json`,
  );
}

/** Saves each of these results as a new file of a folder that the user chooses. */
export async function saveToFolder(): Promise<void> {
  const folder = await chosen(() => pickers.showDirectoryPicker?.({ mode: "readwrite" }));
  if (folder === undefined) return;
  const outputs = currentOutputs.value;
  // No file of the folder is overwritten: it may be the one that the result was made of.
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  for (const [index, file] of filesToSave(outputs, names).entries()) {
    await writeInto(folder, file);
    markSaved(outputs.slice(index, index + 1));
  }
}

function filesToSave(outputs: readonly Output[], others: readonly string[] = []): readonly File[] {
  return uniquelyNamed(
    outputs.map(({ file }) => file.value),
    others,
  );
}

/** Returns the name of the zip: that of the only split, or that of the app. */
function archiveName(): string {
  const [only, ...others] = currentResults.value;
  return only !== undefined && others.length === 0 ? only.state.archiveName : "stayput.zip";
}

function markSaved(outputs: readonly Output[]): void {
  for (const { isSaved } of outputs) isSaved.value = true;
}

/** Writes a file into a folder as a whole, or leaves nothing of it there. */
async function writeInto(folder: FileSystemDirectoryHandle, file: File): Promise<void> {
  const handle = await folder.getFileHandle(file.name, { create: true });
  try {
    await file.stream().pipeTo(await handle.createWritable());
  } catch (error) {
    await folder.removeEntry(file.name);
    throw error;
  }
}

/** Whether the browser lets the user choose a folder. */
export function canSaveToFolder(): boolean {
  return pickers.showDirectoryPicker !== undefined;
}

async function saveZip(files: readonly File[], name: string): Promise<boolean> {
  const { downloadZip } = await import("client-zip");
  const zip = () => downloadZip(files.map((input) => ({ input, name: input.name })));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size < STREAMED_FROM || pickers.showSaveFilePicker === undefined) {
    download(await zip().blob(), name);
    return true;
  }
  const handle = await chosen(() => pickers.showSaveFilePicker?.({ suggestedName: name }));
  if (handle === undefined) return false;
  await zip().body?.pipeTo(await handle.createWritable());
  return true;
}

/** Offers a file as a download, as a link does. */
function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), URL_LIFETIME_MS);
}

/** Returns what the user chooses in a dialog of the browser, or nothing when the user closes it. */
async function chosen<Choice>(ask: () => Promise<Choice> | undefined): Promise<Choice | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isDismissal(error)) return undefined;
    throw error;
  }
}

function isDismissal(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
