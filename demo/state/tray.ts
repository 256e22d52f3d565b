import { batch, computed, type Signal, signal } from "@preact/signals";
import type { Inspection, Phase, ServiceError, ServiceResult } from "../../src/index.ts";

/** One file of the tray, from its choice to its result. */
export interface TrayFile {
  readonly id: number;
  readonly file: File;
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
  /** The blob URL of a small picture of its first page. */
  readonly thumbnail: Signal<string | undefined>;
  readonly job: Signal<JobState>;
}

/** The state of the job of a file. */
export type JobState =
  | { readonly kind: "none" }
  | { readonly kind: "waiting" }
  | { readonly kind: "running"; readonly done: number; readonly total: number; readonly phase: Phase }
  | DoneState
  | { readonly kind: "failed"; readonly error: unknown };

/** A finished job. */
export interface DoneState {
  readonly kind: "done";
  readonly result: ServiceResult;
  /** The file to save. */
  readonly output: File;
  readonly isSaved: boolean;
  /** The task and its options as text. A job with the same ones is not repeated. */
  readonly settings: string;
  /** Fonts that were missing, so that the pictures lack text. */
  readonly missingFonts?: readonly string[] | undefined;
  /** Whether the device was offline, so that a missing font may be there later. */
  readonly wasOffline: boolean;
}

/** Files that were removed together, and their places. */
interface Removal {
  readonly files: readonly TrayFile[];
  /** All files before the removal. */
  readonly before: readonly TrayFile[];
}

/** The state of a job that was not started. */
export const NO_JOB: JobState = { kind: "none" };

/** Returns the password as a parameter of a call. An empty password is none. */
export function passwordField(password: string): { readonly password?: string } {
  return password === "" ? {} : { password };
}

/** The files, in the order of the user. */
export const trayFiles = signal<readonly TrayFile[]>([]);

/** The last removal, as long as it can be undone. */
export const lastRemoval = signal<Removal | undefined>(undefined);

/** The files that another file of the tray repeats: same name, size and date. */
export const duplicates = computed(() => {
  const seen = new Set<string>();
  return new Set(
    trayFiles.value.filter(({ file }) => {
      const key = `${file.name}\n${file.size}\n${file.lastModified}`;
      return seen.has(key) || !seen.add(key);
    }),
  );
});

let lastId = 0;

/** Returns a file as the tray has it, before anything is known of it. */
export function trayFileOf(file: File): TrayFile {
  return {
    id: ++lastId,
    file,
    inspection: signal(undefined),
    problem: signal(undefined),
    password: signal(""),
    pages: signal(""),
    mergePages: signal(""),
    thumbnail: signal(undefined),
    job: signal(NO_JOB),
  };
}

/** Adds files to the end of the tray. Returns their rows. */
export function addFiles(files: Iterable<File>): readonly TrayFile[] {
  const added = Array.from(files, trayFileOf);
  batch(() => {
    trayFiles.value = [...trayFiles.value, ...added];
    lastRemoval.value = undefined;
  });
  return added;
}

/** Removes files from the tray. {@link undoRemoval} brings them back. */
export function removeFiles(files: readonly TrayFile[]): void {
  const before = trayFiles.value;
  batch(() => {
    lastRemoval.value = { files, before };
    trayFiles.value = before.filter((one) => !files.includes(one));
  });
}

/** Brings the files of the last removal back to their places. */
export function undoRemoval(): void {
  const removal = lastRemoval.value;
  if (removal === undefined) return;
  batch(() => {
    const still = new Set([...trayFiles.value, ...removal.files]);
    trayFiles.value = removal.before.filter((file) => still.has(file));
    lastRemoval.value = undefined;
  });
}

/** Makes the last removal final. */
export function forgetRemoval(): void {
  lastRemoval.value = undefined;
}

/** Moves a file to another place. A place outside the tray is its nearest end. */
export function moveFile(file: TrayFile, place: number): void {
  const others = trayFiles.value.filter((one) => one !== file);
  const index = Math.max(0, Math.min(others.length, place));
  trayFiles.value = others.toSpliced(index, 0, file);
}
