import { CHECK_VERDICTS, type CheckResult, type CheckVerdict, qpdfCheck } from "../../support/oracles.ts";
import { type NativeResult, textUnlessUnopenable } from "./reference.ts";
import type { PdfOutcome } from "./subject.ts";

/** The expected outcome of an operation. */
export type Expectation =
  /** Files as good as native qpdf's, in this order. */
  | {
      readonly kind: "files";
      /** The password. Undefined when the files must not be encrypted. */
      readonly password: string | undefined;
      /** The worst allowed verdict of `qpdf --check`. */
      readonly worst: CheckVerdict;
      readonly results: readonly NativeResult[];
    }
  /** An error with one of these codes. */
  | { readonly kind: "refusal"; readonly codes: readonly string[] }
  /** When the native program fails: any typed error, or files that qpdf accepts. */
  | { readonly kind: "typed error or sound files"; readonly password: string | undefined };

/** Why an outcome does not meet the expectation. Empty when it does. */
export async function judge(outcome: PdfOutcome, expected: Expectation): Promise<string> {
  switch (outcome.kind) {
    case "files":
      return judgeFiles(outcome.paths, expected);
    case "typed error":
      return judgeError(outcome.code, outcome.message, expected);
    default:
      return `${outcome.kind}: ${outcome.message}`;
  }
}

function judgeError(code: string, message: string, expected: Expectation): string {
  switch (expected.kind) {
    case "files":
      return `refused with ${code}: ${message}`;
    case "refusal":
      return expected.codes.includes(code) ? "" : `refused with ${code}, not ${expected.codes.join(" or ")}`;
    case "typed error or sound files":
      return "";
  }
}

async function judgeFiles(paths: readonly string[], expected: Expectation): Promise<string> {
  switch (expected.kind) {
    case "refusal":
      return `gave a file instead of ${expected.codes.join(" or ")}`;
    case "typed error or sound files":
      return firstProblem(
        paths.map((path) => async () => {
          const check = await qpdfCheck(path, expected.password);
          return unsoundness(check, expected.password, "warnings");
        }),
      );
    case "files": {
      const { results, password, worst } = expected;
      if (paths.length !== results.length) return `${paths.length} files, not ${results.length}`;
      return firstProblem(paths.map((path, index) => () => judgeFile(path, password, worst, results[index])));
    }
  }
}

async function firstProblem(checks: readonly (() => Promise<string>)[]): Promise<string> {
  for (const [index, check] of checks.entries()) {
    const problem = await check();
    if (problem !== "") return checks.length > 1 ? `file ${index + 1}: ${problem}` : problem;
  }
  return "";
}

/** Why a file is invalid: qpdf's verdict is worse than `worst`, or it is encrypted without a password. */
function unsoundness(check: CheckResult, password: string | undefined, worst: CheckVerdict): string {
  const { verdict, encrypted, complaint } = check;
  if (CHECK_VERDICTS.indexOf(verdict) > CHECK_VERDICTS.indexOf(worst)) {
    return `qpdf --check: ${verdict} where ${worst} is allowed: ${complaint}`;
  }
  if (verdict !== "error" && encrypted !== (password !== undefined)) {
    return encrypted ? "is still encrypted" : "is not encrypted";
  }
  return "";
}

async function judgeFile(
  path: string,
  password: string | undefined,
  worst: CheckVerdict,
  native: NativeResult | undefined,
): Promise<string> {
  const check = await qpdfCheck(path, password);
  const unsound = unsoundness(check, password, worst);
  if (unsound !== "" || native?.kind !== "result") return unsound;
  if (check.pageCount !== native.pageCount) return `${check.pageCount} pages, not ${native.pageCount}`;
  if (native.text === undefined) return "";
  const text = await textUnlessUnopenable(path, password);
  if (text === undefined) return "pdftotext cannot open it, but opens native qpdf's";
  return text.equals(native.text) ? "" : describeDifference(text, native.text);
}

function describeDifference(ours: Buffer, native: Buffer): string {
  let at = 0;
  while (at < ours.length && ours[at] === native[at]) at += 1;
  const from = Math.max(0, at - 10);
  const excerpt = (text: Buffer) => JSON.stringify(text.subarray(from, at + 20).toString("utf8"));
  return `pdftotext differs at byte ${at} (${ours.length} bytes, not ${native.length}): ${excerpt(ours)}, not ${excerpt(native)}`;
}
