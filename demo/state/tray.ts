import { computed, type Signal, signal } from "@preact/signals";
import type { Inspection, ServiceError } from "../../src/index.ts";
import { uniquelyNamed } from "./names.ts";
import { addStep } from "./undo.ts";

/** One file of the tray. */
export interface TrayFile {
  readonly id: number;
  /** Its name differs from those of the other files, ignoring case. */
  readonly file: File;
  /** The name that the user knows. */
  readonly givenName: string;
  /** What `client.inspect` returned. Undefined until then, and if the file cannot be used. */
  readonly inspection: Signal<Inspection | undefined>;
  /** The error of the last inspection: the file cannot be used, or its password is wrong. */
  readonly problem: Signal<ServiceError | undefined>;
  /** The password that opens it. Empty until the user has entered it. */
  readonly password: Signal<string>;
  /** Which pages a split takes, as typed. */
  readonly pages: Signal<string>;
  /** Which pages a merge takes, as typed. Empty: all. */
  readonly mergePages: Signal<string>;
}

/** Returns the password as a parameter of a call. An empty password is none. */
export function passwordField(password: string): { readonly password?: string } {
  return password === "" ? {} : { password };
}

/** The files, in the order of the user. */
export const trayFiles = signal<readonly TrayFile[]>([]);

/** The files that another file of the tray repeats: same name, size and date. */
export const duplicates = computed(() => {
  const seen = new Set<string>();
  return new Set(
    trayFiles.value.filter(({ file, givenName }) => {
      const key = `${givenName}\n${file.size}\n${file.lastModified}`;
      return seen.has(key) || !seen.add(key);
    }),
  );
});

let lastId = 0;

/** Returns a file as the tray has it, before anything is known of it. */
export function trayFileOf(file: File, givenName = file.name): TrayFile {
  return {
    id: ++lastId,
    file,
    givenName,
    inspection: signal(undefined),
    problem: signal(undefined),
    password: signal(""),
    pages: signal(""),
    mergePages: signal(""),
  };
}

/** Adds files to the end of the tray. Those of the same name get numbers. Returns their rows. */
export function addFiles(files: Iterable<File>): readonly TrayFile[] {
  const given = [...files];
  const others = trayFiles.value.map(({ file }) => file.name);
  const added = uniquelyNamed(given, others).map((file, index) => trayFileOf(file, given[index]?.name));
  trayFiles.value = [...trayFiles.value, ...added];
  return added;
}

/** Takes files out of the tray. Returns what brings them back to their places. Files that were added since stay behind them. */
export function takeOut(files: readonly TrayFile[]): () => void {
  const before = trayFiles.value;
  trayFiles.value = before.filter((one) => !files.includes(one));
  return () => restore(before, new Set([...trayFiles.value, ...files]));
}

/** Moves a file to another place. A place outside the tray is its nearest end. {@link undo} moves it back. */
export function moveFile(file: TrayFile, place: number): void {
  const before = trayFiles.value;
  const others = before.filter((one) => one !== file);
  const index = Math.max(0, Math.min(others.length, place));
  if (before[index] === file) return;
  trayFiles.value = others.toSpliced(index, 0, file);
  addStep({
    undo: () => restore(before, new Set(trayFiles.value)),
    message: "undone.order",
    files: before,
    // A drag moves it over many places.
    key: file,
  });
}

/** Puts files in the order of before. Those that were not there come last. */
function restore(before: readonly TrayFile[], files: ReadonlySet<TrayFile>): void {
  const known = before.filter((file) => files.has(file));
  trayFiles.value = [...known, ...[...files].filter((file) => !before.includes(file))];
}
