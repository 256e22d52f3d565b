import { randomBytes } from "node:crypto";
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import type { MadeFile } from "../platform/run-call.ts";
import { saveBlob } from "../platform/save-blob.ts";
import { systemCode, unlessAbsent } from "../platform/system-error.ts";

/** A result that can be downloaded. */
export interface StoredResult {
  readonly type: string;
  readonly fileName: string;
  /** The open file. Close it. */
  readonly file: FileHandle;
}

/** What the file beside a result says. */
interface Description {
  readonly type: string;
  readonly fileName: string;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** The limits of stored results. */
export interface ResultLimits {
  /** How long a result is stored, in milliseconds. */
  readonly lifetimeMs: number;
  /** How many results there may be. The oldest goes first. */
  readonly most: number;
}

const DESCRIPTION = ".json";
const CONTENT = ".bin";
const PARTIAL = ".part";
/** The names of files that this code makes. Other files in the folder are left alone: its owner may keep more there. */
const OWN_FILE = /^[\w-]{22}\.(json|bin|part)$/;
/** How often expired results are looked for. */
const SWEEP_MS = 60_000;

/**
 * Stores results in a folder for a limited time. A download needs no key, because the id is random. Several copies of the
 * service may share the folder: each finds the results of all. Nothing is kept in memory.
 */
export class StoredResults {
  readonly #folder: string;
  readonly #limits: ResultLimits;
  readonly #timer: NodeJS.Timeout;

  private constructor(folder: string, limits: ResultLimits, onFailure: (thrown: unknown) => void) {
    this.#folder = folder;
    this.#limits = limits;
    const every = Math.min(SWEEP_MS, limits.lifetimeMs);
    this.#timer = setInterval(() => this.#sweep().catch(onFailure), every).unref();
  }

  /**
   * Opens a folder, and deletes what has expired there.
   *
   * @param onFailure called with errors of the file system when expired results are deleted later
   * @throws the error of the file system
   */
  static async open(
    folder: string,
    limits: ResultLimits,
    onFailure: (thrown: unknown) => void,
  ): Promise<StoredResults> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const results = new StoredResults(folder, limits, onFailure);
    await results.#sweep();
    return results;
  }

  /**
   * Stores a result. It is written under another name first, so that no copy of the service sees a part of it.
   *
   * @returns the id
   */
  async add({ file, fileName }: MadeFile, signal: AbortSignal): Promise<string> {
    const id = randomBytes(16).toString("base64url");
    const partial = this.#path(id, PARTIAL);
    try {
      await saveBlob(file, partial, signal);
      await rename(partial, this.#path(id, CONTENT));
      const expires = Date.now() + this.#limits.lifetimeMs;
      const description: Description = { type: file.type, fileName, expires };
      await writeFile(partial, JSON.stringify(description), { flag: "wx", mode: 0o600 });
      // The description comes last: a result without one does not exist.
      await rename(partial, this.#path(id, DESCRIPTION));
    } catch (thrown) {
      await removeFile(partial);
      await this.#remove(id);
      throw thrown;
    }
    await this.#removeOldest();
    return id;
  }

  /** Returns a result, or undefined when there is none, or none any more. */
  async get(id: string): Promise<StoredResult | undefined> {
    const description = await this.#live(id);
    if (description === undefined) return undefined;
    const file = await unlessAbsent(open(this.#path(id, CONTENT)));
    return file && { ...description, file };
  }

  /** Returns whether results can be stored. A volume may vanish, or become read only. */
  async isWritable(): Promise<boolean> {
    try {
      await access(this.#folder, constants.R_OK | constants.W_OK);
      return true;
    } catch (thrown) {
      if (systemCode(thrown) === undefined) throw thrown;
      return false;
    }
  }

  /** Stops looking for expired results. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Returns the description of a result. Deletes a result that has expired. */
  async #live(id: string): Promise<Description | undefined> {
    const text = await unlessAbsent(readFile(this.#path(id, DESCRIPTION), "utf8"));
    if (text === undefined) return undefined;
    const description = parseDescription(text);
    if (description.expires > Date.now()) return description;
    await this.#remove(id);
    return undefined;
  }

  /** Deletes expired results, and what a copy of the service that has crashed did not finish. */
  async #sweep(): Promise<void> {
    for (const name of (await unlessAbsent(this.#ownFiles())) ?? []) {
      const id = name.replace(/\.\w+$/, "");
      if (name.endsWith(DESCRIPTION)) await this.#live(id);
      else if (await this.#isLeftBehind(name, id)) await removeFile(join(this.#folder, name));
    }
  }

  /** Returns the names of the files that this code has made. A folder is never one of them. */
  async #ownFiles(): Promise<readonly string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && OWN_FILE.test(entry.name)).map(({ name }) => name);
  }

  /** Returns whether a file was not finished. Another copy may keep its results longer: its descriptions say until when. */
  async #isLeftBehind(name: string, id: string): Promise<boolean> {
    if ((await this.#age(name)) <= this.#limits.lifetimeMs + SWEEP_MS) return false;
    return name.endsWith(PARTIAL) || (await this.#live(id)) === undefined;
  }

  async #removeOldest(): Promise<void> {
    const names = (await this.#ownFiles()).filter((name) => name.endsWith(DESCRIPTION));
    if (names.length <= this.#limits.most) return;
    const aged = await Promise.all(names.map(async (name) => ({ name, age: await this.#age(name) })));
    const oldest = aged.sort((one, other) => other.age - one.age).slice(0, names.length - this.#limits.most);
    for (const { name } of oldest) await this.#remove(name.slice(0, -DESCRIPTION.length));
  }

  /** Returns how many milliseconds ago a file was written: 0 for an absent one. */
  async #age(name: string): Promise<number> {
    const found = await unlessAbsent(stat(join(this.#folder, name)));
    return found === undefined ? 0 : Date.now() - found.mtimeMs;
  }

  /** Deletes a result. A running download keeps the open file until it ends. */
  async #remove(id: string): Promise<void> {
    for (const ending of [DESCRIPTION, CONTENT]) await removeFile(this.#path(id, ending));
  }

  #path(id: string, ending: string): string {
    return join(this.#folder, id + ending);
  }
}

/**
 * Reads a description. One that a power failure has cut off, or that is none, is that of an expired result, which is then
 * deleted.
 */
function parseDescription(text: string): Description {
  try {
    const { type, fileName, expires } = Object(JSON.parse(text));
    if (typeof expires === "number") return { type: String(type), fileName: String(fileName), expires };
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  return { type: "", fileName: "", expires: 0 };
}

/** Deletes a file, if it is there. A folder of its name stays. */
async function removeFile(path: string): Promise<void> {
  await unlessAbsent(rm(path));
}
