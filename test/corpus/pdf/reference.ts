import type { Scratch } from "../../support/native-tools.ts";
import {
  type CheckResult,
  OracleFailure,
  popplerText,
  qpdfCheck,
  qpdfDecrypt,
  qpdfPageCount,
  qpdfPages,
} from "../../support/oracles.ts";

/** The content of native qpdf's result, or why there is none. */
export type NativeResult =
  | {
      readonly kind: "result";
      readonly pageCount: number | undefined;
      /** Undefined when poppler cannot open native qpdf's result. */
      readonly text: Buffer | undefined;
    }
  | { readonly kind: "failed"; readonly why: string };

/** Native qpdf's results for one input file. Each is made with its first use and cached. */
export class PdfReference {
  readonly inputPath: string;
  /** The input's password. Undefined for a file that is not encrypted. */
  readonly password: string | undefined;
  readonly #scratch: Scratch;
  readonly #results = new Map<string, Promise<NativeResult>>();
  #input: Promise<CheckResult> | undefined;

  constructor(inputPath: string, password: string | undefined, scratch: Scratch) {
    this.inputPath = inputPath;
    this.password = password;
    this.#scratch = scratch;
  }

  /** qpdf's check of the input. */
  input(): Promise<CheckResult> {
    this.#input ??= qpdfCheck(this.inputPath, this.password);
    return this.#input;
  }

  /** The whole document without encryption, with which every operation on it is compared. */
  whole(): Promise<NativeResult> {
    return this.#once("whole", (output) => qpdfDecrypt(this.inputPath, output, this.password));
  }

  /** One file of a split; the range is in qpdf's notation. */
  async pages(range: "1" | "z"): Promise<NativeResult> {
    const { pageCount } = await this.input();
    // The last page of a one-page document is the first.
    const own = pageCount === 1 ? "1" : range;
    return this.#once(own, (output) => qpdfPages(this.inputPath, output, own, this.password));
  }

  #once(key: string, make: (output: string) => Promise<unknown>): Promise<NativeResult> {
    const result = this.#results.get(key) ?? this.#make(make);
    this.#results.set(key, result);
    return result;
  }

  async #make(make: (output: string) => Promise<unknown>): Promise<NativeResult> {
    const output = this.#scratch.path("reference.pdf");
    try {
      await make(output);
    } catch (error) {
      if (error instanceof OracleFailure) return { kind: "failed", why: error.message };
      throw error;
    }
    const [pageCount, text] = await Promise.all([qpdfPageCount(output), textUnlessUnopenable(output)]);
    return { kind: "result", pageCount, text };
  }
}

/** poppler's text. Undefined when it cannot open the file. */
export async function textUnlessUnopenable(path: string, password?: string): Promise<Buffer | undefined> {
  try {
    return await popplerText(path, password);
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
}
