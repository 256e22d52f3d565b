import { join } from "node:path";
import { type BrowserName, BrowserSession } from "../../support/browsers/browser-session.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { unpack } from "../unpack.ts";
import {
  outcomeOfError,
  type PdfOperation,
  type PdfOutcome,
  type PdfSubject,
  TIME_LIMIT_MS,
} from "./subject.ts";

const PAGE_PATH = "test/corpus/pdf/client-page.html";

/** The real client and its workers in a browser, for PDFs. */
export class BrowserSubject implements PdfSubject {
  readonly name: BrowserName;
  readonly #session: BrowserSession;

  readonly #timeLimitMs: number;

  private constructor(session: BrowserSession, timeLimitMs: number) {
    this.name = session.name;
    this.#session = session;
    this.#timeLimitMs = timeLimitMs;
  }

  static async start(name: BrowserName, timeLimitMs = TIME_LIMIT_MS): Promise<BrowserSubject> {
    return new BrowserSubject(await BrowserSession.start(name, PAGE_PATH), timeLimitMs);
  }

  prepare(): Promise<void> {
    return this.#session.prepare();
  }

  async run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    const outputPath = join(outputDirectory, operation.kind === "split" ? "split.zip" : "1.pdf");
    const answer = await this.#session.run(operation, inputPath, outputPath, this.#timeLimitMs);
    switch (answer.kind) {
      case "file":
        return operation.kind === "split"
          ? filesOf(outputPath, outputDirectory)
          : { kind: "files", paths: [outputPath] };
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
