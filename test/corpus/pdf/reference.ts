import type { Scratch } from "../../support/native-tools.ts";
import {
  type CheckResult,
  OracleFailure,
  popplerPicture,
  popplerText,
  qpdfCheck,
  qpdfDecrypt,
  qpdfEncrypt,
  qpdfPages,
  qpdfRewrite,
} from "../../support/oracles.ts";

/** The content of native qpdf's result, or why there is none. */
export type NativeResult =
  | {
      readonly kind: "result";
      readonly pageCount: number | undefined;
      /** Undefined when poppler cannot open native qpdf's result. */
      readonly text: Buffer | undefined;
      /** A digest of the first page. Undefined when it is not requested or poppler cannot draw it. */
      readonly picture: string | undefined;
    }
  | { readonly kind: "failed"; readonly why: string };

const NATIVE_PASSWORDS = { user: "reference", owner: "reference-owner" };

/** Native qpdf's results for one input file. Each is made with its first use and cached. */
export class PdfReference {
  readonly inputPath: string;
  /** The input's password. Undefined for a file that is not encrypted. */
  readonly password: string | undefined;
  readonly #scratch: Scratch;
  readonly #pictures: boolean;
  readonly #results = new Map<string, Promise<NativeResult>>();
  #input: Promise<CheckResult> | undefined;

  constructor(inputPath: string, password: string | undefined, scratch: Scratch, pictures = false) {
    this.inputPath = inputPath;
    this.password = password;
    this.#scratch = scratch;
    this.#pictures = pictures;
  }

  /** qpdf's check of the input. */
  input(): Promise<CheckResult> {
    this.#input ??= qpdfCheck(this.inputPath, this.password);
    return this.#input;
  }

  protected(): Promise<NativeResult> {
    return this.#once("protected", NATIVE_PASSWORDS.user, (output) =>
      qpdfEncrypt(this.inputPath, output, NATIVE_PASSWORDS),
    );
  }

  /** The input encrypted by qpdf and decrypted again. */
  unlockedAfterProtect(): Promise<NativeResult> {
    return this.#once("unlocked after protect", undefined, async (output) => {
      const encrypted = this.#scratch.path("encrypted.pdf");
      await qpdfEncrypt(this.inputPath, encrypted, NATIVE_PASSWORDS);
      await qpdfDecrypt(encrypted, output, NATIVE_PASSWORDS.user);
    });
  }

  unlocked(): Promise<NativeResult> {
    return this.#once("unlocked", undefined, (output) => qpdfDecrypt(this.inputPath, output, this.password));
  }

  /** One file of a split; the range is in qpdf's notation. */
  async pages(range: "1" | "z"): Promise<NativeResult> {
    const { pageCount } = await this.input();
    // The last page of a one-page document is the first.
    if (pageCount === 1 && range === "z") return this.pages("1");
    return this.#once(`pages ${range}`, undefined, (output) =>
      qpdfPages(this.inputPath, output, range, this.password),
    );
  }

  rewritten(): Promise<NativeResult> {
    return this.#once("rewritten", undefined, (output) =>
      qpdfRewrite(this.inputPath, output, ["--decrypt"], this.password),
    );
  }

  #once(key: string, password: string | undefined, make: (output: string) => Promise<unknown>) {
    let result = this.#results.get(key);
    if (result === undefined) {
      result = this.#make(password, make);
      this.#results.set(key, result);
    }
    return result;
  }

  async #make(
    password: string | undefined,
    make: (output: string) => Promise<unknown>,
  ): Promise<NativeResult> {
    const output = this.#scratch.path("reference.pdf");
    try {
      await make(output);
    } catch (error) {
      if (error instanceof OracleFailure) return { kind: "failed", why: error.message };
      throw error;
    }
    const { pageCount } = await qpdfCheck(output, password);
    return {
      kind: "result",
      pageCount,
      text: await unlessUnopenable(popplerText(output, password)),
      picture: this.#pictures ? await steadyPicture(output, password) : undefined,
    };
  }
}

/** A digest of the first page. Undefined when poppler cannot draw it, or draws it differently each time. */
async function steadyPicture(path: string, password: string | undefined): Promise<string | undefined> {
  const [picture, again] = await Promise.all([
    unlessUnopenable(popplerPicture(path, password)),
    unlessUnopenable(popplerPicture(path, password)),
  ]);
  return picture === again ? picture : undefined;
}

/** poppler's text. Undefined when it cannot open the file. */
export async function unlessUnopenable<Said>(saying: Promise<Said>): Promise<Said | undefined> {
  try {
    return await saying;
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
}
