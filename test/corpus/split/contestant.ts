import { mkdirSync } from "node:fs";
import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure, qpdfPages, qpdfWrites } from "../../support/oracles.ts";
import type { EngineRequest } from "../engine-process.ts";
import { ForkedProgram } from "../forked-program.ts";
import { indicesOf, type Member, pagesText } from "../merge/member.ts";
import type { PdfOperation, PdfOutcome } from "../pdf/subject.ts";
import type { PdfLibRequest } from "../pdf-lib-process.ts";

/** A run of pages, counted from 1. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** A program that extracts pages and merges documents: our engine or a peer. Each failure is an outcome. */
export interface Contestant {
  readonly name: string;
  /** Whether it is only there to be compared with. */
  readonly isPeer: boolean;
  /** Starts its process if it is not running, so that loading is not measured. */
  prepare(): Promise<void>;
  take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch): Promise<PdfOutcome>;
  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome>;
  close(): Promise<void>;
}

export function rangeText({ first, last }: PageRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** Our engine, in a Node process of its own. */
export class OurEngine implements Contestant {
  readonly name = "ours";
  readonly isPeer = false;
  readonly #program = new ForkedProgram<EngineRequest>("./engine-process.ts");

  prepare(): Promise<void> {
    return this.#program.prepare();
  }

  /** Runs an operation and writes its files below `outputDirectory`. */
  run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    return this.#program.run({ operation, inputPath, outputDirectory });
  }

  take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch) {
    return this.split(input, password, rangeText(pages), scratch);
  }

  /** Each item of `pages` as a file of its own. */
  async split(input: string, password: string | undefined, pages: string, scratch: Scratch) {
    await this.prepare();
    return this.run({ kind: "split", pages, password }, input, newDirectory(scratch));
  }

  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome> {
    const documents = members.map((member) => {
      const { path, title, password } = member;
      const pages = pagesText(member);
      return { path, title, ...(password === undefined ? {} : { password }), ...(pages ? { pages } : {}) };
    });
    return this.#program.run({ documents, outputDirectory: newDirectory(scratch) });
  }

  async close(): Promise<void> {
    this.#program.close();
  }
}

function newDirectory(scratch: Scratch): string {
  const directory = scratch.path("ours");
  mkdirSync(directory);
  return directory;
}

/** Native `qpdf --pages` with its defaults. */
export class NativeQpdf implements Contestant {
  readonly name = "qpdf";
  readonly isPeer = true;

  async prepare(): Promise<void> {}

  take(input: string, password: string | undefined, pages: PageRange, scratch: Scratch) {
    return qpdfOutcome(input, password, pages, scratch);
  }

  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome> {
    const documents = members.flatMap((member) => {
      const opening = member.password === undefined ? [] : [`--password=${member.password}`];
      return [member.path, ...opening, pagesText(member) ?? "1-z"];
    });
    return written(scratch, (output) => qpdfWrites(["--empty", "--pages", ...documents, "--", output]));
  }

  async close(): Promise<void> {}
}

/** What qpdf makes of a run of pages. */
export function qpdfOutcome(
  input: string,
  password: string | undefined,
  pages: PageRange,
  scratch: Scratch,
  options: readonly string[] = [],
): Promise<PdfOutcome> {
  return written(scratch, (output) => qpdfPages(input, output, rangeText(pages), password, options));
}

/** The outcome of a native program that writes a file. */
async function written(scratch: Scratch, write: (output: string) => Promise<unknown>): Promise<PdfOutcome> {
  const output = scratch.path("qpdf.pdf");
  try {
    await write(output);
    return { kind: "files", paths: [output] };
  } catch (error) {
    if (!(error instanceof OracleFailure)) throw error;
    return { kind: "typed error", code: "failed", message: error.message };
  }
}

/** `copyPages` of the library that many would take instead. */
export class PdfLib implements Contestant {
  readonly name = "pdf-lib";
  readonly isPeer = true;
  readonly #program = new ForkedProgram<PdfLibRequest>("./pdf-lib-process.ts");

  prepare(): Promise<void> {
    return this.#program.prepare();
  }

  take(path: string, password: string | undefined, range: PageRange, scratch: Scratch) {
    return this.#run([{ path, password, range }], scratch);
  }

  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome> {
    return this.#run(members, scratch);
  }

  async close(): Promise<void> {
    this.#program.close();
  }

  #run(members: readonly Pick<Member, "path" | "password" | "range">[], scratch: Scratch) {
    const documents = members.map(({ path, password, range }) => {
      return { path, password, indices: range && indicesOf({ range }, range.last) };
    });
    return this.#program.run({ documents, output: scratch.path("pdf-lib.pdf") });
  }
}
