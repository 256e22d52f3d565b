import { mkdirSync } from "node:fs";
import type { Scratch } from "../../support/native-tools.ts";
import type { Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { type Expectation, judge } from "./judge.ts";
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

  const expectedOfProtect = files([await reference.protected()], PASSWORD);
  const protecting = await attempt(
    examination,
    "protect",
    { kind: "protect", password: PASSWORD },
    inputPath,
    expectedOfProtect,
  );
  const [protectedPath] = protecting.kind === "files" ? protecting.paths : [];
  if (protectedPath !== undefined) {
    await attempt(
      examination,
      "unlock",
      { kind: "unlock", password: PASSWORD },
      protectedPath,
      files([await reference.unlockedAfterProtect()]),
    );
  } else if (expectedOfProtect.kind === "files") {
    report(examination, "unlock", "protect gave nothing to unlock", undefined, 0);
  }
  await attempt(
    examination,
    "unlock, not encrypted",
    { kind: "unlock", password: PASSWORD },
    inputPath,
    refusal("not_encrypted"),
  );
  await attempt(
    examination,
    "split",
    { kind: "split", pages: PAGES },
    inputPath,
    files(await splitResults(reference)),
  );
  await attempt(examination, "rewrite", { kind: "rewrite" }, inputPath, files([await reference.rewritten()]));
}

async function examineEncrypted(examination: Examination): Promise<void> {
  const { reference } = examination;
  const { inputPath } = reference;
  const files = await expecting(examination);
  // An empty password needs no password.
  const password = reference.password === "" ? undefined : reference.password;

  await attempt(
    examination,
    "protect, encrypted",
    { kind: "protect", password: PASSWORD },
    inputPath,
    refusal("already_encrypted"),
  );
  await attempt(
    examination,
    "unlock, came encrypted",
    { kind: "unlock", password: reference.password ?? "" },
    inputPath,
    files([await reference.unlocked()]),
  );
  await attempt(
    examination,
    "split, came encrypted",
    { kind: "split", pages: PAGES, password },
    inputPath,
    files(await splitResults(reference)),
  );
  await attempt(
    examination,
    "rewrite, came encrypted",
    { kind: "rewrite", password },
    inputPath,
    files([await reference.rewritten()]),
  );
  if (password !== undefined) {
    await attempt(
      examination,
      "unlock, wrong password",
      { kind: "unlock", password: `not ${password}` },
      inputPath,
      refusal("wrong_password"),
    );
    await attempt(
      examination,
      "split, no password",
      { kind: "split", pages: PAGES },
      inputPath,
      refusal("password_required"),
    );
  }
}

/** Native qpdf cannot open the file, or the password is unknown. */
async function examineUnopenable(examination: Examination): Promise<void> {
  const { entry, reference } = examination;
  const { inputPath } = reference;
  const password = reference.password === "" ? undefined : reference.password;
  const label = entry.encrypted ? "no known password" : "damaged beyond qpdf";
  const operations: readonly PdfOperation[] = [
    { kind: "protect", password: PASSWORD },
    { kind: "unlock", password: reference.password ?? "" },
    { kind: "split", pages: PAGES, password },
    { kind: "rewrite", password },
  ];
  for (const operation of operations) {
    const refusing = entry.encrypted && operation.kind === "protect";
    const opening = operation.kind === "protect" ? PASSWORD : undefined;
    await attempt(
      examination,
      label,
      operation,
      inputPath,
      refusing ? refusal("already_encrypted", "damaged_file") : typedErrorOrSound(opening),
    );
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

async function attempt(
  examination: Examination,
  label: string,
  operation: PdfOperation,
  inputPath: string,
  expectation: Expectation,
): Promise<PdfOutcome> {
  const { subject, scratch } = examination;
  const outputDirectory = scratch.path(operation.kind);
  mkdirSync(outputDirectory);
  await subject.prepare();
  const start = performance.now();
  const outcome = await subject.run(operation, inputPath, outputDirectory);
  const milliseconds = performance.now() - start;
  report(examination, label, await judge(outcome, expectation), outcome, milliseconds);
  return outcome;
}

function report(
  { entry, subject, onRow }: Examination,
  operation: string,
  why: string,
  outcome: PdfOutcome | undefined,
  milliseconds: number,
): void {
  const ordinary = outcome === undefined || outcome.kind === "files" || outcome.kind === "typed error";
  onRow({
    subject: subject.name,
    operation,
    file: entry.file,
    passed: why === "",
    why,
    disaster: ordinary ? undefined : outcome.kind,
    milliseconds,
  });
}
