import { randomBytes } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname, extname, join, parse, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { invalidParameter } from "../../src/shared/failure.ts";
import type { MadeFile } from "../platform/run-call.ts";
import { systemCode } from "../platform/system-error.ts";
import { fileError } from "./file-errors.ts";
import { markUnfinished, removeTemporary } from "./temporary.ts";

/** Where the results of a command go. */
export type Destination =
  | { readonly kind: "beside input" }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "standard output" };

/** What happens to a file that is there already. */
export type Existing = "kept" | "overwritten";

/** The longest name that file systems take. */
const LONGEST_NAME_BYTES = 255;

/** The errors of a file system that has no hard links. */
const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Returns where results go.
 *
 * @param output the option. A path that is a folder, ends with a slash or takes several results is a folder, which is made
 *   if need be
 * @throws {ServiceError} `invalid_parameter` for several results on the standard output, and for a file that is there.
 *   `forbidden` or `not_found` for a folder that cannot be made
 */
export function destinationOf(
  output: string | undefined,
  resultCount: number,
  existing: Existing,
): Destination {
  if (output === undefined) return { kind: "beside input" };
  if (output === "-") {
    if (resultCount === 1) return { kind: "standard output" };
    throw invalidParameter("--output", "Only one result can go to the standard output. Name a folder.");
  }
  try {
    const isFolder = statSync(output, { throwIfNoEntry: false })?.isDirectory();
    if (!isFolder && !/[/\\]$/.test(output) && resultCount === 1) {
      checkFree(output, existing);
      return { kind: "file", path: output };
    }
    mkdirSync(output, { recursive: true });
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST")
      throw invalidParameter("--output", `"${output}" is a file. Name a folder for several results.`);
    throw fileError(thrown, output, "written");
  }
  return { kind: "folder", path: output };
}

/**
 * Writes the file of a call: under a temporary name in the same folder first, so that there is never half of a file.
 *
 * @param input the path of the first file of the call
 * @returns the path, or undefined for the standard output
 * @throws {ServiceError} `invalid_parameter` for a file that is there, `forbidden`, `not_found`, `internal_error`
 */
export async function writeResult(
  { file, fileName }: MadeFile,
  input: string,
  destination: Destination,
  existing: Existing,
): Promise<string | undefined> {
  const content = () => Readable.fromWeb(file.stream() as ReadableStream);
  if (destination.kind === "standard output") {
    await pipeline(content(), process.stdout, { end: false });
    return undefined;
  }
  const path = targetOf(destination, input, fileName);
  checkArchive(path, fileName);
  checkFree(path, existing);
  try {
    await writeWhole(content(), linkedFile(path), existing);
  } catch (thrown) {
    throw fileError(thrown, path, "written");
  }
  return path;
}

async function writeWhole(content: Readable, path: string, existing: Existing): Promise<void> {
  const temporary = join(dirname(path), `.stayput-${randomBytes(6).toString("hex")}.part`);
  markUnfinished(temporary);
  try {
    await pipeline(content, createWriteStream(temporary, { flags: "wx" }));
    if (existing === "overwritten") renameSync(temporary, path);
    else moveIfFree(temporary, path);
  } finally {
    removeTemporary(temporary);
  }
}

/**
 * Returns the path that symbolic links lead to. They stay, as with `cp`. A file need not be there yet.
 *
 * @throws {ServiceError} `invalid_parameter` for what is no file, such as a device
 */
function linkedFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return realpathSync(path);
  if (found !== undefined)
    throw invalidParameter("--output", `"${path}" is no file. Choose another place with --output.`);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  return linkedFile(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}

function targetOf(
  destination: Exclude<Destination, { readonly kind: "standard output" }>,
  input: string,
  fileName: string,
): string {
  switch (destination.kind) {
    case "file":
      return destination.path;
    case "folder":
      return join(destination.path, storableName(fileName));
    case "beside input":
      return join(dirname(input), storableName(fileName));
  }
}

/** Returns a name without folders, and without its end before the ending when it is too long for a file system. */
function storableName(fileName: string): string {
  const { name, ext } = parse(fileName);
  const characters = [...name];
  while (characters.length > 1 && Buffer.byteLength(characters.join("") + ext) > LONGEST_NAME_BYTES)
    characters.pop();
  return characters.join("") + ext;
}

/** Throws for an archive, of several pages or images, that would have the name of a single file. */
function checkArchive(path: string, fileName: string): void {
  const isZip = (name: string) => extname(name).toLowerCase() === ".zip";
  if (!isZip(fileName) || isZip(path)) return;
  throw invalidParameter(
    "--output",
    `The result is an archive. Name a .zip in place of "${path}", or a folder.`,
  );
}

/** Moves a file to a name that no other file has, also when another process writes there at the same time. */
function moveIfFree(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code !== "EEXIST" && !NO_LINKS.includes(code)) throw thrown;
    checkFree(to, "kept");
    renameSync(from, to);
  }
}

function checkFree(path: string, existing: Existing): void {
  if (existing === "overwritten" || !existsSync(path)) return;
  throw invalidParameter(
    "--output",
    `"${path}" is there already. Choose another place with --output, or overwrite it with --force.`,
  );
}
