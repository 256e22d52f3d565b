/**
 * A client for unit tests: it answers at once, without workers, in Node, jsdom and browsers.
 *
 * @module stayput/testing
 */
import { abortable } from "./abortable.ts";
import { askForPasswords, isAskPassword } from "./ask-password.ts";
import { type CallOptions, readCallOptions } from "./call-options.ts";
import { type ConversionSettings, placeOf } from "./choose-converter.ts";
import type { Client } from "./client.ts";
import { type ClientResult, Downloads } from "./downloads.ts";
import { type Files, isBlob, readFields } from "./fields.ts";
import { OPERATION_PATHS, type OperationName, ofEachOperation } from "./http/path.ts";
import type { Methods } from "./http/request.ts";
import { respond } from "./http/response.ts";
import { baseName, type Inputs } from "./inputs.ts";
import { INSPECT_FIELDS } from "./inspect.ts";
import {
  fieldPolicy,
  type JobValues,
  OPERATIONS,
  type Operation,
  type OperationFields,
} from "./operations.ts";
import { TEXT_FIELDS } from "./read-text.ts";
import { readRenderFields } from "./render-pages.ts";
import { ServiceError } from "./shared/errors.ts";
import { formatNamed } from "./shared/formats.ts";
import type { Input } from "./shared/protocol.ts";
import { VERSION } from "./shared/version.ts";
import {
  type Answered,
  formatByName,
  type LoopName,
  type MadeOf,
  madeDigest,
  madeFile,
  madeInspection,
  madePages,
  madeParts,
  madeTexts,
  type ParamsOf,
} from "./testing/made.ts";

/** The settings of a client without a service. */
const NO_SERVICE: ConversionSettings = { baseUrl: undefined, remote: "office" };

/** The methods of a client whose answers a test can set. */
export type MockMethod = Answered;

/**
 * What a method of the mock answers: a value, an error to fail with, or a function of the call that returns or throws one. The
 * value is the file of a result, the properties of `inspect`, and the items of `renderPages`, `readText` and `splitParts`.
 */
export type MockAnswer<Method extends MockMethod> =
  | MadeOf[Method]
  | ServiceError
  | ((
      params: ParamsOf<Method>,
      options: CallOptions,
    ) => MadeOf[Method] | ServiceError | Promise<MadeOf[Method] | ServiceError>);

/** The answers of a mock, by method. */
export type MockAnswers = { readonly [Method in MockMethod]?: MockAnswer<Method> | undefined };

/** A call that the mock got. */
export type MockCall = {
  [Method in MockMethod]: {
    readonly method: Method;
    readonly params: ParamsOf<Method>;
    readonly options: CallOptions;
  };
}[MockMethod];

/** A client that works nothing out, and records its calls. */
export interface MockClient extends Client {
  /** The calls so far, in order. A request to `fetch` is a call of its operation. */
  readonly calls: readonly MockCall[];
  /**
   * Sets what a method answers from now on.
   *
   * @param answer undefined: what the mock makes by itself
   *
   * @example
   * client.answer("unlockPdf", new ServiceError("wrong_password", "Wrong."));
   */
  answer<Method extends MockMethod>(method: Method, answer: MockAnswer<Method> | undefined): void;
}

/**
 * Creates a client for tests. It takes the same calls as that of `createClient`, refuses the same fields, and answers at once: a
 * file of the right name and type that holds a short text. The URLs of results are `blob:stayput-test/1` and so on: they cannot be
 * fetched, but `blob` returns the file.
 *
 * @example
 * const client = createMockClient({ protectPdf: new ServiceError("already_encrypted", "Protected already.") });
 * render(<Protect client={client} />);
 * expect(client.calls[0]?.method).toBe("protectPdf");
 */
export function createMockClient(answers: MockAnswers = {}): MockClient {
  const current: { -readonly [Method in keyof MockAnswers]: MockAnswers[Method] } = { ...answers };
  const calls: MockCall[] = [];
  const closing = new AbortController();
  let urls = 0;
  const downloads = new Downloads({
    createObjectURL: () => `blob:stayput-test/${++urls}`,
    revokeObjectURL: () => {},
  });

  /** Records a call, and checks its options. Returns its fields, with a file in place of each result. */
  function record<Method extends MockMethod>(
    method: Method,
    params: ParamsOf<Method>,
    options: CallOptions,
  ): ParamsOf<Method> {
    calls.push({ method, params, options } as MockCall);
    readCallOptions(options);
    for (const signal of [closing.signal, options.signal]) signal?.throwIfAborted();
    return downloads.withFiles(params);
  }

  /** Returns what the test has set for a call, or undefined. Asks for passwords as the client does. */
  async function answerOf<Method extends MockMethod>(
    method: Method,
    params: ParamsOf<Method>,
    options: CallOptions,
  ): Promise<MadeOf[Method] | undefined> {
    const signals = [closing.signal, options.signal];
    const run = async (fields: ParamsOf<Method>): Promise<MadeOf[Method] | undefined> => {
      const answer: MockAnswer<Method> | undefined = current[method];
      const made = typeof answer === "function" ? await answer(fields, options) : answer;
      if (made instanceof Error) throw made;
      options.onProgress?.({ phase: "working", done: 1, total: 1 });
      return made;
    };
    const { file, password }: { readonly file: unknown; readonly password?: unknown } = params;
    if (!isAskPassword(password)) return abortable(run(params), signals);
    return askForPasswords(password, [file].flat().filter(isBlob), signals, (known) =>
      run({ ...params, password: Array.isArray(file) ? known.map((one) => one ?? "") : known[0] }),
    );
  }

  const operation =
    (name: OperationName) =>
    async (given: object, options: CallOptions = {}): Promise<ClientResult> => {
      const params = record(name, given as ParamsOf<OperationName>, options);
      const { fileName }: Operation<OperationFields> = OPERATIONS[name];
      const { values, inputs } = checked(name, params);
      const made = await answerOf(name, params, options);
      const file = made ?? madeFile(name, formatNamed(String(values.output_format)));
      const result = downloads.createResult(file, fileName(inputs[0].name, values, file.type));
      downloads.setOrigin(result, {
        operation: name,
        place: "device",
        inputs: inputs.map(({ file }) => file),
      });
      return result;
    };
  const methods = ofEachOperation(operation) satisfies Methods;

  const loop = <Method extends LoopName, Item>(
    method: Method,
    itemsOf: (params: ParamsOf<Method>, options: CallOptions) => Promise<readonly Item[]>,
  ) =>
    async function* (given: ParamsOf<Method>, options: CallOptions = {}) {
      const params = record(method, given, options);
      for (const item of await itemsOf(params, options)) {
        for (const signal of [closing.signal, options.signal]) signal?.throwIfAborted();
        yield item;
      }
    };

  return {
    ...methods,
    calls,
    answer: (method, answer) => {
      Object.assign(current, { [method]: answer });
    },
    renderPages: loop("renderPages", async (params, options) => {
      readRenderFields(params);
      return (await answerOf("renderPages", params, options)) ?? madePages();
    }),
    readText: loop("readText", async (params, options) => {
      readFields(TEXT_FIELDS, params);
      return (await answerOf("readText", params, options)) ?? madeTexts();
    }),
    splitParts: loop("splitParts", async (params, options) => {
      checked("splitPdf", params);
      return (await answerOf("splitParts", params, options)) ?? madeParts(params);
    }),
    inspect: async (given, options = {}) => {
      const params = record("inspect", given, options);
      readFields(INSPECT_FIELDS, params);
      return { ...madeInspection(params), ...(await answerOf("inspect", params, options)) };
    },
    can: async (from, to) => {
      const [input, output] = [formatNamed(from), formatNamed(to)];
      return input && output && placeOf(input, output, NO_SERVICE);
    },
    fetch: async (input, init) => {
      const isRequest = input instanceof Request;
      const base = globalThis.location?.href ?? "http://localhost/";
      const url = new URL(isRequest ? input.url : input, base);
      const path = Object.values(OPERATION_PATHS).find((one) => url.pathname.endsWith(one));
      if (path === undefined) return globalThis.fetch(input, init);
      const form = init?.body instanceof FormData ? [...init.body] : undefined;
      // As the client does: the files of the form are passed on, not read.
      const request = new Request(isRequest ? input : url, form ? { ...init, body: new Uint8Array() } : init);
      return respond(
        request,
        path,
        (call) => methods[call.operation](call.params, { signal: request.signal }),
        form,
      );
    },
    answerServiceWorker: async () => {},
    formToken: async () => "stayput-test",
    clearDownloads: async () => downloads.releaseAll(),
    blob: (result) => downloads.fileOf(result),
    receipt: async (result) => {
      const { operation: name, place, inputs, output } = downloads.originOf(result);
      return {
        ...{ operation: name, place, version: VERSION, inputs: inputs.map(madeDigest) },
        ...(output && { output: madeDigest(output) }),
      };
    },
    release: (result) => downloads.release(result),
    close: () => {
      closing.abort(new ServiceError("client_closed", "The client is closed. Create another one."));
      downloads.releaseAll();
    },
  };
}

/** What the fields of an operation say. The formats of its files are those of their names. */
interface CheckedCall {
  readonly values: JobValues<OperationFields>;
  readonly inputs: Inputs;
}

/** Reads the fields of an operation. Refuses what the client refuses before a worker starts. */
function checked(name: OperationName, params: object): CheckedCall {
  const operation: Operation<OperationFields> = OPERATIONS[name];
  const values = readFields(operation.fields, params, fieldPolicy(name, "refused"));
  const input = (file: Blob): Input => ({ file, name: baseName(file), format: formatByName(file) });
  const [first, ...others]: Files = isBlob(values.file) ? [values.file] : values.file;
  const inputs: Inputs = [input(first), ...others.map(input)];
  // Which formats are converted depends on the options of the client.
  const password = isAskPassword(values.password) ? undefined : values.password;
  if (name !== "convert") operation.job({ ...values, password }, inputs, NO_SERVICE);
  return { values, inputs };
}
