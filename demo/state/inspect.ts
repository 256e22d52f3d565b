import { batch } from "@preact/signals";
import { type Inspection, ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import type { DroppedFiles } from "./dropped-files.ts";
import { notice } from "./notice.ts";
import { needsPassword } from "./task.ts";
import { addFiles, passwordField, type TrayFile } from "./tray.ts";

/** How many files are inspected at a time, so that the pictures of the first ones do not wait for all. */
const LANES = 4;

/** The inspections that run. */
const inspections = new Set<Promise<void>>();

/** Adds files to the tray and inspects them. */
export function takeFiles(files: Iterable<File>): void {
  for (const file of addFiles(files)) void track(inspect(file, ""));
}

/** Adds the files of a drop or a paste. Says which ones could not be read, and that a folder has none. */
export function takeDropped({ files, unread }: DroppedFiles): void {
  takeFiles(files);
  const [name] = unread;
  if (name !== undefined) {
    const message = files.length > 0 ? "notice.someNotRead" : "notice.noneRead";
    notice.value = { message, values: { count: unread.length, name } };
  } else if (files.length === 0) notice.value = { message: "notice.emptyFolder" };
}

/** Opens a locked file with a password that the user has typed. Keeps the password if the file opens. */
export function openWith(file: TrayFile, password: string): Promise<void> {
  return track(inspect(file, password));
}

/** Looks at a file that the app has made, to show it. */
export async function inspectPreview(preview: TrayFile): Promise<void> {
  if (preview.inspection.peek() === undefined) await inspect(preview, "");
}

/** The readings of outlines and hidden data, begun or done. */
const started = new Set<string>();

/** Reads the outline of a file, to show its chapters, or its hidden data. The task reports the errors of the file. */
export async function readMore(file: TrayFile, what: "outline" | "hidden"): Promise<void> {
  const { has_outline } = file.inspection.value ?? {};
  const key = `${file.id} ${what}`;
  if (needsPassword(file) || started.has(key) || (what === "outline" && !has_outline)) return;
  started.add(key);
  try {
    const params = { file: file.file, [what]: true, ...passwordField(file.password.peek()) };
    const more = await client.inspect(params);
    // An outline that cannot be read has no chapters.
    file.inspection.value = { outline: [], ...file.inspection.peek(), ...more };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

/** Waits for the inspections that run. */
export async function allInspected(): Promise<void> {
  await Promise.all(inspections);
}

/** The last inspection of each lane. */
const lanes: Promise<unknown>[] = [];
let turns = 0;

/** Runs an inspection after the one before it in its lane. */
function inTurn(run: () => Promise<Inspection>): Promise<Inspection> {
  const lane = turns++ % LANES;
  const own = Promise.allSettled([lanes[lane]]).then(run);
  lanes[lane] = own;
  return own;
}

async function track(work: Promise<void>): Promise<void> {
  inspections.add(work);
  await work.finally(() => inspections.delete(work));
}

/** The last inspection of each file. The end of another one says nothing of the password that was typed last. */
const latest = new WeakMap<TrayFile, object>();

/** Finds out what a file is and whether it opens. An empty password is none. */
async function inspect(file: TrayFile, password: string): Promise<void> {
  const own = {};
  latest.set(file, own);
  const run = () => client.inspect({ file: file.file, ...passwordField(password) });
  try {
    // A password that is typed does not wait.
    const inspection = await (password === "" ? inTurn(run) : run());
    if (latest.get(file) !== own) return;
    batch(() => {
      file.inspection.value = inspection;
      file.password.value = password;
      file.problem.value = undefined;
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (latest.get(file) !== own) return;
    batch(() => {
      file.password.value = "";
      file.problem.value = error;
    });
  }
}
