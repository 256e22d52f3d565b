import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Scratch } from "../../support/native-tools.ts";
import { readableParts } from "../../support/readable-parts.ts";
import { type Row, rowOf } from "../family.ts";
import { disasterOf } from "../faults.ts";
import type { ManifestEntry } from "../manifest.ts";
import { type Expectation, judge } from "./judge.ts";
import { objectsDifference } from "./qpdf-objects.ts";
import type { NativeResult, PdfReference } from "./reference.ts";
import type { PdfOperation, PdfOutcome, PdfSubject } from "./subject.ts";

const PASSWORD = "stay put, file";
const PAGES = "1,last";

/** A file to examine with a subject. */
export interface Examination {
  readonly entry: ManifestEntry;
  readonly reference: PdfReference;
  readonly subject: PdfSubject;
  readonly scratch: Scratch;
  readonly onRow: (row: Row) => void;
}

/** Runs every operation on the file and judges each result. */
export async function examineFile(examination: Examination): Promise<void> {
  const { pageCount } = await examination.reference.input();
  if (pageCount === undefined) await examineUnopenable(examination);
  else if (examination.entry.encrypted) await examineEncrypted(examination);
  else await examinePlain(examination);
}

async function examinePlain(examination: Examination): Promise<void> {
  const { reference } = examination;
  const { inputPath } = reference;
  const files = await expecting(examination);
  const whole = [await reference.whole()];
  const attemptOn = attempting(examination);

  const expectedOfProtect = files(whole, PASSWORD);
  const protecting = await attemptOn(
    inputPath,
    "protect",
    { kind: "protect", password: PASSWORD },
    expectedOfProtect,
  );
  const unlock = { kind: "unlock", password: PASSWORD } as const;
  const [protectedPath] = protecting.kind === "files" ? protecting.paths : [];
  if (protectedPath !== undefined) {
    await judgeReadable(examination, protectedPath);
    const unlocking = await attemptOn(protectedPath, "unlock", unlock, files(whole));
    if (isExact(examination)) await judgeObjects(examination, unlocking);
  } else if (expectedOfProtect.kind === "files") {
    report(examination, "unlock", "protect gave nothing to unlock");
  }
  await attemptOn(inputPath, "unlock, not encrypted", unlock, refusal("not_encrypted"));
  const split = { kind: "split", pages: PAGES } as const;
  await attemptOn(inputPath, "split", split, files(await splitResults(reference)));
  await attemptOn(inputPath, "repair", { kind: "repair" }, files(whole));
}

/** Whether every object has to come back. Of a damaged file, native qpdf does not read the same objects each time. */
function isExact({ entry, subject }: Examination): boolean {
  return entry.qpdfCheck === "ok" && subject.name === "node";
}

async function judgeObjects(examination: Examination, unlocking: PdfOutcome): Promise<void> {
  const [path] = unlocking.kind === "files" ? unlocking.paths : [];
  const why =
    path === undefined
      ? "unlock gave no file"
      : await objectsDifference(examination.reference.inputPath, path).catch(String);
  report(examination, "protect and unlock give every object back", why);
}

async function judgeReadable(examination: Examination, path: string): Promise<void> {
  const why = await readFile(path)
    .then((pdf) => readableParts(pdf).unlisted.slice(0, 5).join(", "))
    .catch(String);
  report(examination, "protect leaves readable what SECURITY.md lists", why);
}

async function examineEncrypted(examination: Examination): Promise<void> {
  const { reference } = examination;
  const files = await expecting(examination);
  const whole = files([await reference.whole()]);
  const pages = files(await splitResults(reference));
  // An empty password needs no password.
  const password = reference.password === "" ? undefined : reference.password;
  const cases: readonly (readonly [string, PdfOperation, Expectation])[] = [
    ["protect, encrypted", { kind: "protect", password: PASSWORD }, refusal("already_encrypted")],
    ["unlock, came encrypted", { kind: "unlock", password: reference.password ?? "" }, whole],
    ["split, came encrypted", { kind: "split", pages: PAGES, password }, pages],
    ["repair, came encrypted", { kind: "repair", password }, whole],
    ["unlock, wrong password", { kind: "unlock", password: `not ${password}` }, refusal("wrong_password")],
    ["split, no password", { kind: "split", pages: PAGES }, refusal("password_required")],
  ];
  for (const [label, operation, expectation] of password === undefined ? cases.slice(0, 4) : cases) {
    await attempting(examination)(reference.inputPath, label, operation, expectation);
  }
}

/** Native qpdf cannot open the file, or the password is unknown. */
async function examineUnopenable(examination: Examination): Promise<void> {
  const { entry, reference } = examination;
  const password = reference.password === "" ? undefined : reference.password;
  const label = entry.encrypted ? "no known password" : "damaged beyond qpdf";
  const operations: readonly PdfOperation[] = [
    { kind: "protect", password: PASSWORD },
    { kind: "unlock", password: reference.password ?? "" },
    { kind: "split", pages: PAGES, password },
    { kind: "repair", password },
  ];
  for (const operation of operations) {
    const isProtect = operation.kind === "protect";
    const expectation =
      entry.encrypted && isProtect
        ? refusal("already_encrypted", "damaged_file")
        : typedErrorOrSound(isProtect ? PASSWORD : undefined);
    await attempting(examination)(reference.inputPath, label, operation, expectation);
  }
}

async function splitResults(reference: PdfReference): Promise<readonly NativeResult[]> {
  return [await reference.pages("1"), await reference.pages("z")];
}

function refusal(...codes: readonly string[]): Expectation {
  return { kind: "refusal", codes };
}

function typedErrorOrSound(password: string | undefined): Expectation {
  return { kind: "typed error or sound files", password };
}

/** Expects files like native qpdf's, or less when native qpdf itself fails. */
async function expecting({ reference }: Examination) {
  const { verdict, pageCount } = await reference.input();
  return (results: readonly NativeResult[], password?: string): Expectation =>
    pageCount === 0 || results.some((result) => result.kind === "failed")
      ? typedErrorOrSound(password)
      : { kind: "files", password, worst: verdict, results };
}

/** Runs operations on files, and reports how each outcome is judged. */
function attempting(examination: Examination) {
  return async (inputPath: string, label: string, operation: PdfOperation, expectation: Expectation) => {
    const { subject, scratch } = examination;
    const outputDirectory = scratch.path(operation.kind);
    mkdirSync(outputDirectory);
    await subject.prepare();
    const start = performance.now();
    const outcome = await subject.run(operation, inputPath, outputDirectory);
    const milliseconds = performance.now() - start;
    const why = await judge(outcome, expectation);
    report(examination, label, why, { disaster: disasterOf(outcome), milliseconds });
    return outcome;
  };
}

function report(
  { entry, subject, onRow }: Examination,
  operation: string,
  why: string,
  more: Partial<Row> = {},
): void {
  onRow(rowOf({ subject: subject.name, operation, file: entry.file, why, ...more }));
}
