import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure, qpdfWrites } from "../../support/oracles.ts";
import { ForkedProgram } from "../forked-program.ts";
import type { PdfOutcome } from "../pdf/subject.ts";
import type { MergeRequest } from "./engine-process.ts";
import { indicesOf, type Member, pagesText } from "./member.ts";
import type { PdfLibRequest } from "./pdf-lib-process.ts";

/** A program that merges documents: our engine or a peer. */
export interface Merger {
  readonly name: string;
  /** Whether it is only there to be compared with. */
  readonly isPeer: boolean;
  /** Starts its process if it is not running, so that loading is not measured. */
  prepare(): Promise<void>;
  /** Never rejects: whatever goes wrong is an outcome. */
  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome>;
  close(): void;
}

/** Our engine, in a Node process of its own. */
export class OurMerger implements Merger {
  readonly name = "ours";
  readonly isPeer = false;
  readonly #program = new ForkedProgram<MergeRequest>("./merge/engine-process.ts");

  prepare(): Promise<void> {
    return this.#program.prepare();
  }

  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome> {
    const documents = members.map((member) => {
      const { path, title, password } = member;
      const pages = pagesText(member);
      return { path, title, ...(password === undefined ? {} : { password }), ...(pages ? { pages } : {}) };
    });
    return this.#program.run({ documents, output: scratch.path("ours.pdf") });
  }

  close(): void {
    this.#program.close();
  }
}

/** Native `qpdf --empty --pages`. */
export class QpdfMerger implements Merger {
  readonly name = "qpdf";
  readonly isPeer = true;

  async prepare(): Promise<void> {}

  async merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome> {
    const output = scratch.path("qpdf.pdf");
    const documents = members.flatMap((member) => {
      const opening = member.password === undefined ? [] : [`--password=${member.password}`];
      return [member.path, ...opening, pagesText(member) ?? "1-z"];
    });
    try {
      await qpdfWrites(["--empty", "--pages", ...documents, "--", output]);
      return { kind: "files", paths: [output] };
    } catch (error) {
      if (!(error instanceof OracleFailure)) throw error;
      return { kind: "typed error", code: "failed", message: error.message };
    }
  }

  close(): void {}
}

/** `copyPages` of the library that many would take instead. */
export class PdfLibMerger implements Merger {
  readonly name = "pdf-lib";
  readonly isPeer = true;
  readonly #program = new ForkedProgram<PdfLibRequest>("./merge/pdf-lib-process.ts");

  prepare(): Promise<void> {
    return this.#program.prepare();
  }

  merge(members: readonly Member[], scratch: Scratch): Promise<PdfOutcome> {
    const documents = members.map(({ path, password, range }) => {
      return { path, password, indices: range && indicesOf({ range }, range.last) };
    });
    return this.#program.run({ documents, output: scratch.path("pdf-lib.pdf") });
  }

  close(): void {
    this.#program.close();
  }
}
