import { join } from "node:path";
import type { BrowserName, BrowserSession } from "../../support/browsers/browser-session.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { startClient } from "../client-session.ts";
import { unpack } from "../unpack.ts";
import { outcomeOfError, type PdfOperation, type PdfOutcome, type PdfSubject } from "./subject.ts";

/** The real client and its workers in a browser, for PDFs. */
export class BrowserSubject implements PdfSubject {
  readonly name: BrowserName;
  readonly #session: BrowserSession<PdfOperation>;

  constructor(session: BrowserSession<PdfOperation>) {
    this.name = session.name;
    this.#session = session;
  }

  static async start(name: BrowserName, timeLimitMs: number): Promise<BrowserSubject> {
    return new BrowserSubject(await startClient(name, timeLimitMs));
  }

  prepare(): Promise<unknown> {
    return this.#session.prepare();
  }

  async run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    const isArchive = operation.kind === "split";
    const outputPath = join(outputDirectory, isArchive ? "split.zip" : "1.pdf");
    const answer = await this.#session.run(operation, inputPath, outputPath);
    switch (answer.kind) {
      case "file":
        return isArchive ? filesOf(outputPath, outputDirectory) : { kind: "files", paths: [outputPath] };
      case "typed error":
        return outcomeOfError(answer.code, answer.message);
      default:
        return answer;
    }
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

async function filesOf(archive: string, directory: string): Promise<PdfOutcome> {
  try {
    return { kind: "files", paths: await unpack(archive, directory) };
  } catch (error) {
    if (error instanceof OracleFailure) return { kind: "untyped error", message: error.message };
    throw error;
  }
}
