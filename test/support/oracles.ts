import { runTool, type Tool, type ToolRun } from "./native-tools.ts";

/** The verdicts of `qpdf --check`, from best to worst. */
export const CHECK_VERDICTS = ["ok", "warnings", "error"] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

/** A native program failed. The message names the program and the reason. */
export class OracleFailure extends Error {
  override readonly name = "OracleFailure";
}

/** Runs a native program that has to succeed and returns what it prints. */
export async function mustRun(tool: Tool, args: readonly string[], timeLimitMs?: number): Promise<Buffer> {
  const run = await runTool(tool, args, timeLimitMs);
  if (run.code === 0) return run.stdout;
  throw new OracleFailure(`${tool}: ${run.timedOut ? "did not end in time" : run.stderr}`);
}

/** A password for qpdf: a text, which qpdf encodes, or bytes. */
export type NativePassword = string | { readonly bytes: Uint8Array };

export interface CheckResult {
  readonly verdict: CheckVerdict;
  /** Undefined when qpdf cannot read the pages. */
  readonly pageCount: number | undefined;
  readonly encrypted: boolean;
  /** The first complaint, without the path, for reports. */
  readonly complaint: string;
}

/** The encryption schemes of qpdf, with their arguments. */
export const NATIVE_SCHEMES = {
  "RC4-40": ["40"],
  "RC4-128": ["128", "--use-aes=n"],
  "RC4-128 V4": ["128", "--use-aes=n", "--force-V4"],
  "AES-128": ["128", "--use-aes=y"],
  "AES-128 cleartext metadata": ["128", "--use-aes=y", "--cleartext-metadata"],
  "AES-256 R5": ["256", "--force-R5"],
  "AES-256 R6": ["256"],
  "AES-256 R6 cleartext metadata": ["256", "--cleartext-metadata"],
} as const;
export type NativeScheme = keyof typeof NATIVE_SCHEMES;

/** The output of `qpdf --show-encryption`. */
export interface EncryptionReport {
  readonly encrypted: boolean;
  /** The revision of the standard security handler; 0 for a file that is not encrypted. */
  readonly revision: number;
  readonly suppliedPasswordIs: readonly ("user" | "owner")[];
  /** qpdf's name of each permission, such as `print high resolution`, and whether it is allowed. */
  readonly allowed: ReadonlyMap<string, boolean>;
  /** The file key in hex. Empty when the password does not give it. */
  readonly key: string;
  readonly text: string;
}

function verdictOf(run: ToolRun): CheckVerdict {
  if (run.code === 0) return "ok";
  return run.code === 3 ? "warnings" : "error";
}

/** The first line of an error output, without the path of the file at its start. */
function firstLine(text: string): string {
  const line = text.split("\n", 1)[0]?.trim() ?? "";
  return line.replace(/\S*\/(?:[^/\s]+\.(?:pdf|zip))\b:? ?/, "");
}

/** The most important line of qpdf's error output: the fatal error, else the first error, else the first warning. */
function gravestComplaint(stderr: string): string {
  const lines = stderr.split("\n");
  const grave =
    lines.find((line) => line.startsWith("qpdf: ") && !/errors detected|with warnings/.test(line)) ??
    lines.find((line) => line.startsWith("ERROR: "));
  return firstLine(grave ?? stderr);
}

function encoded(password: NativePassword): string {
  return typeof password === "string" ? password : Buffer.from(password.bytes).toString("hex");
}

function passwordMode(password: NativePassword | undefined): string[] {
  return password === undefined || typeof password === "string" ? [] : ["--password-mode=hex-bytes"];
}

export function openingWith(password: NativePassword | undefined): string[] {
  return password === undefined ? [] : [...passwordMode(password), `--password=${encoded(password)}`];
}

/** Runs qpdf and accepts warnings. Throws {@link OracleFailure} on an error or after the time limit. */
export async function qpdfWrites(args: readonly string[]): Promise<CheckVerdict> {
  const run = await runTool("qpdf", args);
  const verdict = verdictOf(run);
  if (verdict !== "error") return verdict;
  throw new OracleFailure(run.timedOut ? "qpdf did not end in time" : gravestComplaint(run.stderr));
}

/** The number of pages, or undefined when qpdf cannot open the file. */
export async function qpdfPageCount(path: string, password?: NativePassword): Promise<number | undefined> {
  const run = await runTool("qpdf", [...openingWith(password), "--show-npages", path]);
  return verdictOf(run) === "error" ? undefined : Number(run.stdout.toString("utf8").trim());
}

/** `qpdf --check` and the number of pages. */
export async function qpdfCheck(path: string, password?: NativePassword): Promise<CheckResult> {
  const run = await runTool("qpdf", [...openingWith(password), "--check", "--show-npages", path]);
  const verdict = verdictOf(run);
  const lines = run.stdout.toString("utf8").trimEnd().split("\n");
  return {
    verdict,
    // After errors, qpdf does not print the number, even if it can open the file.
    pageCount: verdict === "error" ? await qpdfPageCount(path, password) : Number(lines.at(-1)),
    encrypted: !lines.includes("File is not encrypted"),
    complaint: run.timedOut ? "qpdf --check did not end in time" : gravestComplaint(run.stderr),
  };
}

/** Whether a file is encrypted. Needs no password. */
export async function qpdfIsEncrypted(path: string): Promise<boolean> {
  return (await runTool("qpdf", ["--is-encrypted", path])).code === 0;
}

/** Encrypts a file by `qpdf --encrypt`. `extra` holds options for the writer, such as object streams. */
export function qpdfEncrypt(
  input: string,
  output: string,
  passwords: { readonly user: NativePassword; readonly owner: NativePassword },
  scheme: NativeScheme = "AES-256 R6",
  extra: readonly string[] = [],
): Promise<CheckVerdict> {
  const { user, owner } = passwords;
  return qpdfWrites([
    "--allow-weak-crypto",
    ...passwordMode(user),
    ...extra,
    "--encrypt",
    encoded(user),
    encoded(owner),
    ...NATIVE_SCHEMES[scheme],
    "--",
    input,
    output,
  ]);
}

/** `qpdf --decrypt`. */
export function qpdfDecrypt(input: string, output: string, password?: NativePassword): Promise<CheckVerdict> {
  return qpdfWrites([...openingWith(password), "--decrypt", input, output]);
}

/** Extracts pages without encryption. The range has qpdf's notation: `z` is the last page. */
export function qpdfPages(
  input: string,
  output: string,
  range: string,
  password?: NativePassword,
  options: readonly string[] = [],
): Promise<CheckVerdict> {
  const opening = [...openingWith(password), "--decrypt", ...options];
  return qpdfWrites([...opening, input, "--pages", ".", range, "--", output]);
}

/** Rewrites a file by qpdf with the given writer options. */
export function qpdfRewrite(
  input: string,
  output: string,
  options: readonly string[] = [],
  password?: NativePassword,
): Promise<CheckVerdict> {
  return qpdfWrites([...openingWith(password), ...options, input, output]);
}

/**
 * Returns a file in qpdf's canonical form: uncompressed, with objects numbered in the order in which the trailer
 * reaches them. Two files with the same objects have the same canonical form.
 */
export async function qpdfCanonical(path: string, password?: NativePassword): Promise<string> {
  const run = await runTool("qpdf", [
    ...openingWith(password),
    "--decrypt",
    "--qdf",
    "--stream-data=uncompress",
    "--object-streams=disable",
    "--static-id",
    "--no-original-object-ids",
    "--force-version=1.7",
    path,
    "-",
  ]);
  if (verdictOf(run) === "error") throw new OracleFailure(gravestComplaint(run.stderr));
  return run.stdout.toString("latin1");
}

/** An object as qpdf prints it. "null" when it does not exist. */
export async function qpdfObject(
  path: string,
  num: number | "trailer",
  password?: NativePassword,
): Promise<string> {
  const run = await runTool("qpdf", [...openingWith(password), `--show-object=${num}`, path]);
  if (verdictOf(run) === "error") throw new OracleFailure(gravestComplaint(run.stderr));
  return run.stdout.toString("latin1").trim();
}

/** The encryption of a file, as qpdf reports it with that password. */
export async function qpdfEncryption(path: string, password?: NativePassword): Promise<EncryptionReport> {
  const run = await runTool("qpdf", [
    ...openingWith(password),
    "--show-encryption",
    "--show-encryption-key",
    path,
  ]);
  if (verdictOf(run) === "error") throw new OracleFailure(gravestComplaint(run.stderr));
  const text = run.stdout.toString("utf8");
  const allowed = new Map<string, boolean>();
  for (const [, use = "", word] of text.matchAll(/^(.+): (allowed|not allowed)$/gm)) {
    allowed.set(use, word === "allowed");
  }
  return {
    encrypted: !text.includes("File is not encrypted"),
    revision: Number(/^R = (\d+)$/m.exec(text)?.[1] ?? 0),
    suppliedPasswordIs: (["user", "owner"] as const).filter((who) =>
      text.includes(`Supplied password is ${who} password`),
    ),
    allowed,
    key: /^Encryption key = ([\da-f]+)$/m.exec(text)?.[1] ?? "",
    text,
  };
}

/** An entry of an outline, as native qpdf reads it. */
export interface NativeEntry {
  readonly title: string;
  /** The number of its page; null when qpdf finds none. */
  readonly destpageposfrom1: number | null;
  readonly kids: readonly NativeEntry[];
}

/** The outline of a document; empty when it has none. */
export async function qpdfOutline(path: string, password?: NativePassword): Promise<readonly NativeEntry[]> {
  const args = [...openingWith(password), "--warning-exit-0", "--json", "--json-key=outlines", path];
  const { outlines } = JSON.parse((await mustRun("qpdf", args)).toString("utf8"));
  return outlines;
}

/** The text that poppler extracts from each page. */
export async function popplerPages(path: string, password?: string): Promise<readonly string[]> {
  return (await popplerText(path, password)).toString("utf8").split("\f").slice(0, -1);
}

/** The text of most files takes a second. A bomb takes many minutes. */
const TEXT_TIME_MS = 15_000;

/** The text that poppler extracts, as the bytes that it prints. */
export async function popplerText(path: string, password?: string): Promise<Buffer> {
  const opening = password === undefined ? [] : ["-upw", password];
  const run = await runTool("pdftotext", ["-q", ...opening, path, "-"], TEXT_TIME_MS);
  if (run.code === 0) return run.stdout;
  throw new OracleFailure(
    run.timedOut ? "pdftotext did not end in time" : `pdftotext: ${firstLine(run.stderr)}`,
  );
}

/** The keys and values that poppler's `pdfinfo` prints. Throws when poppler cannot open the file. */
export async function popplerInfo(path: string, password?: string): Promise<ReadonlyMap<string, string>> {
  const run = await runTool("pdfinfo", [...(password === undefined ? [] : ["-upw", password]), path]);
  if (run.code !== 0) throw new OracleFailure(`pdfinfo: ${firstLine(run.stderr)}`);
  const pairs = run.stdout
    .toString("utf8")
    .split("\n")
    .map((line) => /^([^:]+):\s*(.*)$/.exec(line));
  return new Map(pairs.flatMap((pair) => (pair ? [[pair[1] ?? "", pair[2] ?? ""] as const] : [])));
}

/** The structure tree as poppler reads it: a line for each element and each text. */
export async function popplerTags(path: string): Promise<readonly string[]> {
  const run = await runTool("pdfinfo", ["-struct-text", path]);
  if (run.code !== 0) throw new OracleFailure(`pdfinfo: ${firstLine(run.stderr)}`);
  const lines = run.stdout.toString("utf8").split("\n");
  return lines.map((line) => line.trim()).filter(Boolean);
}

/** The named destinations as poppler reads them: page, position and name. */
export async function popplerDestinations(path: string): Promise<readonly string[]> {
  const run = await runTool("pdfinfo", ["-dests", path]);
  if (run.code !== 0) throw new OracleFailure(`pdfinfo: ${firstLine(run.stderr)}`);
  const [, ...lines] = run.stdout.toString("utf8").trimEnd().split("\n");
  return lines.map((line) => line.trim().replace(/\s+/g, " ").replaceAll('"', ""));
}

/** The text of all pages, extracted by mutool. */
export async function mupdfText(path: string, password?: string): Promise<string> {
  const opening = password === undefined ? [] : ["-p", password];
  const run = await runTool("mutool", ["draw", ...opening, "-F", "txt", "-o", "-", path]);
  if (run.code !== 0) throw new OracleFailure(`mutool: ${firstLine(run.stderr)}`);
  return run.stdout.toString("utf8");
}

/** The output of `mutool info`. */
export async function mupdfInfo(path: string, password?: string): Promise<string> {
  const run = await runTool("mutool", ["info", ...(password === undefined ? [] : ["-p", password]), path]);
  if (run.code !== 0) throw new OracleFailure(`mutool: ${firstLine(run.stderr)}`);
  return run.stdout.toString("utf8");
}

/** Checks an archive by `unzip -t`. Throws when an entry is damaged. */
export async function unzipTest(path: string): Promise<void> {
  const run = await runTool("unzip", ["-t", path]);
  if (run.code !== 0) throw new OracleFailure(`unzip -t: ${firstLine(run.stderr || run.stdout.toString())}`);
}

/** The names in an archive, in order. */
export async function unzipNames(path: string): Promise<readonly string[]> {
  const run = await runTool("unzip", ["-Z1", path]);
  if (run.code !== 0) throw new OracleFailure(`unzip -Z1: ${firstLine(run.stderr)}`);
  return run.stdout.toString("utf8").split("\n").filter(Boolean);
}

/** Unpacks an archive into a directory. */
export async function unzipInto(path: string, directory: string): Promise<void> {
  const run = await runTool("unzip", ["-q", path, "-d", directory]);
  if (run.code !== 0) throw new OracleFailure(`unzip: ${firstLine(run.stderr)}`);
}
