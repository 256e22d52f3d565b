import { mkdirSync } from "node:fs";
import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure, qpdfPages } from "../../support/oracles.ts";
import { ForkedProgram } from "../forked-program.ts";
import { NodeSubject } from "../pdf/node-subject.ts";
import type { PdfOutcome } from "../pdf/subject.ts";
import type { PdfLibRequest } from "./pdf-lib-process.ts";

/** A run of pages, counted from 1. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** A program that extracts pages: our engine or a peer. */
export interface Contestant {
  readonly name: string;
  /** Whether it is only there to be compared with. */
  readonly isPeer: boolean;
  /** Never rejects: whatever goes wrong is an outcome. */
  take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch): Promise<PdfOutcome>;
  close(): Promise<void>;
}

export function rangeText({ first, last }: PageRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** Our engine, in a Node process of its own. */
export class OurEngine implements Contestant {
  readonly name = "ours";
  readonly isPeer = false;
  readonly #subject = new NodeSubject();

  take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch) {
    return this.split(input, password, rangeText(pages), scratch);
  }

  /** Every page as a file of its own. */
  burst(input: string, password: string | undefined, scratch: Scratch): Promise<PdfOutcome> {
    return this.split(input, password, "all", scratch);
  }

  /** Each item of `pages` as a file of its own. */
  async split(input: string, password: string | undefined, pages: string, scratch: Scratch) {
    const directory = scratch.path("ours");
    mkdirSync(directory);
    await this.#subject.prepare();
    return this.#subject.run({ kind: "split", pages, password }, input, directory);
  }

  close(): Promise<void> {
    return this.#subject.close();
  }
}

/** Native `qpdf --pages` with its defaults. */
export class NativeQpdf implements Contestant {
  readonly name = "qpdf";
  readonly isPeer = true;

  async take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch) {
    return qpdfOutcome(input, password, pages, scratch);
  }

  async close(): Promise<void> {}
}

/** What qpdf makes of a run of pages. */
export async function qpdfOutcome(
  input: string,
  password: string | undefined,
  pages: PageRange,
  scratch: Scratch,
  options: readonly string[] = [],
): Promise<PdfOutcome> {
  const output = scratch.path("qpdf.pdf");
  try {
    await qpdfPages(input, output, rangeText(pages), password, options);
    return { kind: "files", paths: [output] };
  } catch (error) {
    if (error instanceof OracleFailure)
      return { kind: "typed error", code: "failed", message: error.message };
    throw error;
  }
}

/** `copyPages` of the library that many would take instead. */
export class PdfLib implements Contestant {
  readonly name = "pdf-lib";
  readonly isPeer = true;
  readonly #program = new ForkedProgram<PdfLibRequest>("./split/pdf-lib-process.ts");

  async take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch) {
    await this.#program.prepare();
    return this.#program.run({ ...pages, input, password, output: scratch.path("pdf-lib.pdf") });
  }

  async close(): Promise<void> {
    this.#program.close();
  }
}
