import { Scratch } from "../native-tools.ts";
import { type BrowserName, BrowserSession, madeFile, type SessionAnswer } from "./browser-session.ts";

/** The fields of a conversion, as a form has them. */
export type Fields = Readonly<Record<string, string>> & { readonly output_format: string };

/** The real client and its workers in a browser, for tests that convert files. */
export class Converter {
  readonly #session: BrowserSession<Fields>;
  readonly #scratch = new Scratch();

  private constructor(session: BrowserSession<Fields>) {
    this.#session = session;
  }

  static async start(browser: BrowserName): Promise<Converter> {
    const session = await BrowserSession.start<Fields>(browser, "test/support/browsers/convert-page.ts");
    await session.prepare();
    return new Converter(session);
  }

  /** Converts the file and returns the path of the result. Throws an error that says why there is no result. */
  async convert(input: string, fields: Fields): Promise<string> {
    const output = this.#scratch.path(`made.${fields.output_format}`);
    madeFile(await this.#run(input, output, fields));
    return output;
  }

  /** The typed error of a conversion that has to fail. */
  async refusalOf(input: string, fields: Fields): Promise<SessionAnswer & { kind: "typed error" }> {
    const answer = await this.#run(input, this.#scratch.path("made"), fields);
    if (answer.kind === "typed error") return answer;
    throw new Error(answer.kind === "file" ? "the file was converted" : `${answer.kind}: ${answer.message}`);
  }

  async close(): Promise<void> {
    await this.#session.close();
    this.#scratch.remove();
  }

  async #run(input: string, output: string, fields: Fields): Promise<SessionAnswer> {
    return this.#session.run(fields, input, output);
  }
}
