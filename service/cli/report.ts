import type { ServiceError } from "../../src/shared/errors.ts";
import type { Inspection } from "../../src/shared/protocol.ts";
import { PROGRAM } from "./commands.ts";
import { printable } from "./printable.ts";
import { SECRET_VARIABLES, secretOption } from "./secrets.ts";

/** How results are printed. */
export type ReportStyle = "text" | "quiet" | "json";

/** What a call has come to. */
export type Outcome =
  | {
      readonly kind: "written";
      /** Absent for the standard output. */
      readonly path: string | undefined;
      readonly fileName: string;
      readonly bytes: number;
      /** Fonts without which texts are missing in pictures of pages. */
      readonly missingFonts: readonly string[];
    }
  | { readonly kind: "inspected"; readonly inspection: Inspection }
  | { readonly kind: "failed"; readonly error: ServiceError };

/**
 * Prints what a call has come to: results to the standard output, errors to the standard error. As JSON, everything goes to
 * the standard output.
 *
 * @param files the paths of the files of the call. Empty for an error before the first call
 */
export function report(files: readonly string[], outcome: Outcome, style: ReportStyle): void {
  if (style === "json") {
    process.stdout.write(`${JSON.stringify(asJson(files, outcome))}\n`);
    return;
  }
  switch (outcome.kind) {
    case "written":
      if (style === "quiet") return;
      if (outcome.path !== undefined) process.stdout.write(`${shown(outcome.path)}\n`);
      if (outcome.missingFonts.length > 0) complain(files, fontsMissing(outcome.missingFonts));
      return;
    case "inspected":
      process.stdout.write(describe(files, outcome.inspection));
      return;
    case "failed":
      complain(files, `${outcome.error.message}${advice(outcome.error)} (${nameOf(outcome.error)})`);
  }
}

function asJson(files: readonly string[], outcome: Outcome): object {
  switch (outcome.kind) {
    case "written": {
      const { fileName, path, bytes, missingFonts } = outcome;
      const fonts = missingFonts.length > 0 && { missing_fonts: missingFonts };
      return { success: true, files, file_name: fileName, path: path ?? null, bytes, ...fonts };
    }
    case "inspected":
      return { success: true, files, properties: outcome.inspection };
    case "failed":
      return { success: false, files, error: outcome.error.toWire() };
  }
}

function complain(files: readonly string[], message: string): void {
  // With several files, the message names the one that it is about.
  const about = files.length === 1 ? `${files[0]}: ` : "";
  process.stderr.write(`${PROGRAM}: ${printable(about + message)}\n`);
}

/** Returns the code of an error, and the cause of one that is for a developer. */
function nameOf({ code, details }: ServiceError): string {
  return code === "internal_error" && "cause" in details ? `${code}: ${details.cause}` : code;
}

/** Says how to give a password, which the sentence of the contract cannot know. */
function advice({ code, details }: ServiceError): string {
  const isAbsent = code === "password_required" || (code === "missing_parameter" && isPassword(details));
  if (!isAbsent) return "";
  return ` Use --${secretOption("password")}, or the variable ${SECRET_VARIABLES.password}.`;
}

function isPassword(details: object): boolean {
  return "parameter" in details && details.parameter === "password";
}

function fontsMissing(fonts: readonly string[]): string {
  return `text in these fonts is missing in the pictures: ${fonts.join(", ")}`;
}

/** A path is printed as it is to other programs, and without controls at a terminal. */
function shown(path: string): string {
  return process.stdout.isTTY ? printable(path) : path;
}

function describe(files: readonly string[], inspection: Inspection): string {
  const rows = Object.entries(inspection).map(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return `  ${name.replaceAll("_", " ")}: ${printable(text)}\n`;
  });
  return `${files.map(printable).join(", ")}\n${rows.join("")}`;
}
