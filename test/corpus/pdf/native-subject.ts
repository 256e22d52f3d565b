import { join } from "node:path";
import {
  OracleFailure,
  qpdfDecrypt,
  qpdfEncrypt,
  qpdfIsEncrypted,
  qpdfPages,
  qpdfRewrite,
} from "../../support/oracles.ts";
import { outcomeOfError, type PdfOperation, type PdfOutcome, type PdfSubject } from "./subject.ts";

const NATIVE_RANGES: Readonly<Record<string, string>> = { last: "z" };

/** Native qpdf in place of our engine. A failed check of it is a bug of the comparison. */
export class NativeSubject implements PdfSubject {
  readonly name = "native qpdf";

  async prepare(): Promise<void> {}

  async run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    try {
      return { kind: "files", paths: await this.#outputs(operation, inputPath, outputDirectory) };
    } catch (error) {
      if (error instanceof NotAsked) return outcomeOfError(error.message, "");
      if (error instanceof OracleFailure)
        return outcomeOfError(codeOf(operation, error.message), error.message);
      return { kind: "untyped error", message: String(error) };
    }
  }

  async #outputs(operation: PdfOperation, input: string, directory: string): Promise<readonly string[]> {
    const output = join(directory, "1.pdf");
    switch (operation.kind) {
      case "protect": {
        if (await qpdfIsEncrypted(input)) throw new NotAsked("already_encrypted");
        await qpdfEncrypt(input, output, { user: operation.password, owner: "owner" });
        return [output];
      }
      case "unlock": {
        if (!(await qpdfIsEncrypted(input))) throw new NotAsked("not_encrypted");
        await qpdfDecrypt(input, output, operation.password);
        return [output];
      }
      case "split": {
        const paths: string[] = [];
        for (const [index, item] of operation.pages.split(",").entries()) {
          const path = join(directory, `${index + 1}.pdf`);
          await qpdfPages(input, path, NATIVE_RANGES[item] ?? item, operation.password);
          paths.push(path);
        }
        return paths;
      }
      case "rewrite":
        await qpdfRewrite(input, output, ["--decrypt"], operation.password);
        return [output];
    }
  }

  async close(): Promise<void> {}
}

/** An operation that Stayput refuses, but qpdf accepts. The message is the code. */
class NotAsked extends Error {}

/** The error code for qpdf's error message. */
function codeOf(operation: PdfOperation, complaint: string): string {
  if (!complaint.includes("invalid password")) return "damaged_file";
  return operation.kind === "unlock" ? "wrong_password" : "password_required";
}
