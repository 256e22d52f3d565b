import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { OracleFailure, unzipInto, unzipNames, unzipTest } from "../../native/oracles.ts";
import { ServedClient } from "../../native/served-client.ts";
import type { PageAnswer, PageRequest } from "./client-page.ts";
import {
  outcomeOfError,
  type PdfOperation,
  type PdfOutcome,
  type PdfSubject,
  TIME_LIMIT_MS,
} from "./subject.ts";

const PAGE_PATH = "test/corpus/pdf/client-page.html";

/** Our client, its pool and its workers in Chromium; a page that hangs or crashes is replaced. */
export class ChromiumSubject implements PdfSubject {
  readonly name = "chromium";
  readonly #served: ServedClient;
  #page: Page | undefined;

  private constructor(served: ServedClient) {
    this.#served = served;
  }

  static async start(): Promise<ChromiumSubject> {
    return new ChromiumSubject(await ServedClient.start());
  }

  async prepare(): Promise<void> {
    this.#page ??= await this.#served.open(PAGE_PATH);
  }

  async run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    const page = this.#page;
    if (page === undefined) throw new Error("prepare comes before run");
    const outputPath = join(outputDirectory, operation.kind === "split" ? "split.zip" : "1.pdf");
    const answer = await this.#ask(page, {
      operation,
      inputUrl: this.#served.share(inputPath),
      outputUrl: this.#served.share(outputPath),
    });
    switch (answer.kind) {
      case "file":
        return operation.kind === "split"
          ? unpack(outputPath, outputDirectory)
          : { kind: "files", paths: [outputPath] };
      case "typed error":
        return outcomeOfError(answer.code, answer.message);
      case "untyped error":
        return answer;
      default: {
        await page.close();
        this.#page = undefined;
        return answer;
      }
    }
  }

  #ask(page: Page, request: PageRequest): Promise<PageAnswer | PdfOutcome> {
    return new Promise((resolve) => {
      const clock = setTimeout(
        () => resolve({ kind: "hung", message: `no answer in ${TIME_LIMIT_MS / 1000} s` }),
        TIME_LIMIT_MS,
      );
      page.once("crash", () => resolve({ kind: "crashed", message: "the page crashed" }));
      page
        .evaluate((request) => window.runOperation(request), request)
        .then(resolve, (error) => resolve({ kind: "crashed", message: String(error) }))
        .finally(() => {
          clearTimeout(clock);
          page.removeAllListeners("crash");
        });
    });
  }

  async close(): Promise<void> {
    await this.#served.close();
  }
}

/** The files of a split's archive, in the archive's order. */
async function unpack(archive: string, directory: string): Promise<PdfOutcome> {
  try {
    await unzipTest(archive);
    const names = await unzipNames(archive);
    const files = join(directory, "files");
    mkdirSync(files);
    await unzipInto(archive, files);
    return { kind: "files", paths: names.map((name) => join(files, name)) };
  } catch (error) {
    if (error instanceof OracleFailure) return { kind: "untyped error", message: error.message };
    throw error;
  }
}
