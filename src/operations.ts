import type { AskPassword } from "./ask-password.ts";
import { type ConversionSettings, converterOf } from "./choose-converter.ts";
import type { ConverterJob } from "./converter/convert-by-app.ts";
import {
  count,
  emptyOr,
  type Field,
  type Fields,
  type Files,
  file,
  files,
  flag,
  format,
  listOf,
  nonEmptyText,
  number,
  oneOf,
  optional,
  orAsked,
  pageSelection,
  required,
  rotation,
  someOf,
  text,
  type Values,
} from "./fields.ts";
import { OPERATION_NAMES, OPERATION_PATHS, type OperationName } from "./http/path.ts";
import type { Accepted, Inputs } from "./inputs.ts";
import type { RemoteJob } from "./remote/remote.ts";
import { checkSequence, sequence } from "./sequence.ts";
import { ServiceError } from "./shared/errors.ts";
import { invalidParameter } from "./shared/failure.ts";
import { FORMATS, ZIP } from "./shared/formats.ts";
import type { KeyPolicy } from "./shared/known-keys.ts";
import {
  CLEANED,
  type FileEngine,
  type Input,
  type Job,
  PERMISSIONS,
  type ProtectOptions,
  type SplitBy,
  type SplitOptions,
} from "./shared/protocol.ts";
import { parseRotation } from "./shared/rotation.ts";

/** The fields of an operation. Those that take several files have `files` as the reader of `file`. */
export type OperationFields = Fields & { readonly file: Field<Blob | Files> };

/**
 * The values of the fields with which a job is made. In place of a function that asks for a password, they have the password
 * that it has returned, or none.
 */
export type JobValues<F extends Fields> = {
  readonly [Name in keyof F]: AskPassword extends Values<F>[Name]
    ? Exclude<Values<F>[Name], AskPassword> | undefined
    : Values<F>[Name];
};

/** One operation of the service: its fields, its job and the name of its result. */
export interface Operation<F extends OperationFields> {
  readonly fields: F;
  readonly accepts: Accepted;
  /** Whether the field `password` is a list with a text for each file. */
  readonly hasPasswords?: true;
  /**
   * Returns the job for an engine, for a converter of the app, or for the remote service.
   *
   * @throws {ServiceError} if the operation does not support the values or the format of an input
   */
  job(
    values: JobValues<F>,
    inputs: Inputs,
    settings: ConversionSettings,
  ): Job<FileEngine> | ConverterJob | RemoteJob;
  /**
   * Returns the file name of the result.
   *
   * @param name the name of the first input
   * @param type the MIME type of the output
   */
  fileName(name: string, values: JobValues<F>, type: string): string;
}

const convert = operation({
  accepts: "all",
  fields: {
    file: required(files),
    output_format: required(format),
    quality: optional(number(0, 1)),
    dpi: optional(number(1, 2400)),
    background: optional(nonEmptyText),
    page_size: optional(oneOf(["fit", "a4", "letter"])),
    keep_metadata: optional(flag),
    max_bytes: optional(number(1, Infinity)),
    max_width: optional(count),
    max_height: optional(count),
    password: optional(orAsked(text)),
    pages: optional(pageSelection),
    rotate: optional(rotation),
  },
  job: (values, inputs, settings) => {
    if (inputs.length > 1) checkSeveral(inputs, values);
    const [{ file, format, name }] = inputs;
    const {
      pages,
      rotate,
      password,
      quality,
      background,
      keep_metadata: keepMetadata,
      output_format: to,
    } = values;
    if (FORMATS[to].kind !== "image") checkUnbounded(values);
    const bounds = { maxBytes: values.max_bytes, maxWidth: values.max_width, maxHeight: values.max_height };
    const images = { file, to, name, quality, background, pages, rotate, ...bounds };
    const engine = converterOf(format, to, settings);
    if (typeof engine === "object") {
      checkPlain(values);
      return { engine: "converter", converter: engine, file, name, from: format, to };
    }
    switch (engine) {
      case "remote":
        return { engine, file, from: format, to, name, fields: values };
      case "pdf/repair":
        checkIdle(values);
        return { engine, file, pages, rotate, password };
      case "pdf/to-text":
        if (rotate !== undefined) throw idle("rotate", "a PDF becomes text");
        return { engine, file, pages, password };
      case "pdf/to-images":
        return { engine, ...images, dpi: values.dpi, password };
      case "image/convert":
        return { engine, ...images, from: format, keepMetadata };
      case "image/to-pdf":
        return { engine, file, inputs, pageSize: values.page_size, quality, keepMetadata, pages, rotate };
    }
  },
  // Several files come as an archive.
  fileName: (name, { output_format }, type) => `${name}.${type === ZIP ? "zip" : output_format}`,
});

const protectPdf = operation({
  accepts: "PDFs",
  fields: {
    file: required(file),
    password: required(text),
    owner_password: optional(text),
    permissions: optional(someOf(PERMISSIONS)),
  },
  job: ({ password, owner_password: ownerPassword, permissions }, [input]) => {
    const options = { password, ownerPassword, permissions };
    checkProtection(options);
    return { engine: "pdf/protect", file: input.file, ...options };
  },
  fileName: (name) => `protected-${name}.pdf`,
});

const unlockPdf = operation({
  accepts: "PDFs",
  fields: { file: required(file), password: required(orAsked(text)) },
  job: ({ password }, [input]) => ({ engine: "pdf/unlock", file: input.file, password }),
  fileName: (name) => `unlocked-${name}.pdf`,
});

const splitPdf = operation({
  accepts: "PDFs",
  fields: {
    file: required(file),
    password: optional(orAsked(text)),
    every: optional(count),
    by: optional(oneOf(["outline"])),
    max_bytes: optional(number(1, Infinity)),
    rotate: optional(rotation),
    pages: optional(pageSelection),
  },
  job: (values, [input]) => ({ engine: "pdf/split", ...splitOptions(values, input) }),
  fileName: (name) => `split-${name}.zip`,
});

const mergePdf = operation({
  accepts: "PDFs and images",
  hasPasswords: true,
  fields: {
    file: required(files),
    pages: optional(listOf(emptyOr(pageSelection))),
    password: optional(orAsked(listOf(text))),
    rotate: optional(listOf(emptyOr(rotation))),
    title: optional(text),
    sequence: optional(sequence),
    blank: optional(oneOf(["odd"])),
  },
  job: ({ pages, password, rotate, title, sequence, blank }, inputs) => {
    if (sequence !== undefined) {
      checkAlone("sequence", { pages, rotate, blank });
      checkSequence(sequence, inputs.length);
    } else if (inputs.length < 2)
      throw wrongCount("file", 'at least two files, or a "sequence". Repeat the field for each file');
    checkCount("pages", pages, inputs.length);
    checkCount("password", password, inputs.length);
    checkCount("rotate", rotate, inputs.length);
    return {
      engine: "pdf/merge",
      file: inputs[0].file,
      title: title || undefined,
      sequence,
      blank,
      inputs: inputs.map((input, index) => ({
        ...input,
        pages: pages?.[index] || undefined,
        password: password?.[index] || undefined,
        rotate: rotate?.[index] || undefined,
      })),
    };
  },
  fileName: (name) => `merged-${name}.pdf`,
});

const compressPdf = operation({
  accepts: "PDFs",
  fields: {
    file: required(file),
    dpi: optional(number(1, 2400)),
    quality: optional(number(0, 1)),
    max_bytes: optional(number(1, Infinity)),
    password: optional(orAsked(text)),
  },
  job: ({ dpi, quality, max_bytes: maxBytes, password }, [input]) => ({
    engine: "pdf/compress",
    file: input.file,
    ...{ dpi, quality, maxBytes, password },
  }),
  fileName: (name) => `compressed-${name}.pdf`,
});

const cleanPdf = operation({
  accepts: "PDFs",
  fields: {
    file: required(file),
    keep: optional(someOf(CLEANED)),
    flatten: optional(flag),
    password: optional(orAsked(text)),
  },
  job: ({ keep, flatten, password }, [input]) => ({
    engine: "pdf/clean",
    file: input.file,
    keep,
    flatten,
    password,
  }),
  fileName: (name) => `cleaned-${name}.pdf`,
});

/** All operations. */
export const OPERATIONS = {
  convert,
  protectPdf,
  unlockPdf,
  splitPdf,
  mergePdf,
  cleanPdf,
  compressPdf,
} satisfies Record<OperationName, unknown>;

/** Returns which fields an operation refuses. A form ignores fields that are like none of the operation. */
export function fieldPolicy(name: OperationName, others: KeyPolicy["others"]): Required<KeyPolicy> {
  const ownersOf = (field: string) =>
    OPERATION_NAMES.filter((each) => each !== name && Object.hasOwn(OPERATIONS[each].fields, field)).map(
      (each) => OPERATION_PATHS[each].replace("/api/", ""),
    );
  return { noun: "field", others, ownersOf };
}

/** @throws {ServiceError} `invalid_parameter` for passwords and permissions that protect and restrict nothing */
function checkProtection({ password, ownerPassword, permissions }: ProtectOptions): void {
  const allowed = new Set(permissions ?? PERMISSIONS);
  if (allowed.has("print")) allowed.add("print_low");
  const isRestricted = allowed.size < PERMISSIONS.length;
  if (password === "" && !ownerPassword)
    throw invalidParameter(
      "password",
      'An empty "password" opens the file for everyone. Give a password, or an "owner_password" with "permissions".',
    );
  if (ownerPassword === "")
    throw invalidParameter(
      "owner_password",
      'An empty "owner_password" gives everyone all permissions. Give one that is not empty, or leave the field out.',
    );
  if (password === ownerPassword && isRestricted)
    throw invalidParameter(
      "owner_password",
      'The "owner_password" gives all permissions, so "permissions" have no effect when it equals the "password". Give another one.',
    );
}

/**
 * Returns the file and the options of a split, for the operation and for `splitParts`.
 *
 * @throws {ServiceError} what {@link splitBy} throws
 */
export function splitOptions(
  { password, rotate, ...fields }: SplitFields & Pick<SplitOptions, "password" | "rotate">,
  { file, name }: Input,
): SplitOptions & { readonly file: Blob } {
  return { file, by: splitBy(fields), name, password, rotate };
}

/** The fields that say how to split. */
interface SplitFields {
  readonly pages: string | undefined;
  readonly every: number | undefined;
  readonly by: "outline" | undefined;
  readonly max_bytes: number | undefined;
}

/** @throws {ServiceError} `missing_parameter` for none of the fields, `invalid_parameter` for several */
function splitBy({ pages, every, by, max_bytes: maxBytes }: SplitFields): SplitBy {
  const given: SplitBy[] = [];
  if (pages !== undefined) given.push({ kind: "pages", pages });
  if (every !== undefined) given.push({ kind: "every", count: every });
  if (by !== undefined) given.push({ kind: by });
  if (maxBytes !== undefined) given.push({ kind: "size", maxBytes });
  const [way, ...others] = given;
  if (way !== undefined && others.length === 0) return way;
  throw new ServiceError(
    way ? "invalid_parameter" : "missing_parameter",
    'Say how to split: give exactly one of the fields "pages", "every", "by" and "max_bytes".',
    { parameter: "pages" },
  );
}

/** Returns the row unchanged. TypeScript infers the types of its functions from its fields. */
function operation<F extends OperationFields>(row: Operation<F>): Operation<F> {
  return row;
}

/** Throws if an output that is no image has a field for the size of images. */
export function checkUnbounded(
  values: Pick<JobValues<typeof convert.fields>, "max_width" | "max_height">,
): void {
  const parameter = (["max_width", "max_height"] as const).find((name) => values[name] !== undefined);
  if (parameter === undefined) return;
  throw invalidParameter(
    parameter,
    `The field "${parameter}" is for images. Leave it out, or choose JPG, PNG, WebP or AVIF.`,
  );
}

/** The fields of `convert` that a PDF which becomes a PDF is refused with. */
const IDLE_FOR_REPAIR = ["quality", "dpi", "max_bytes", "background", "page_size", "keep_metadata"] as const;

/** Throws if a PDF that becomes a PDF has a field for images. Every other field without an effect is ignored. */
function checkIdle(values: Pick<JobValues<typeof convert.fields>, (typeof IDLE_FOR_REPAIR)[number]>): void {
  const parameter = IDLE_FOR_REPAIR.find((name) => values[name] !== undefined);
  if (parameter === undefined) return;
  const { message } = idle(parameter, "a PDF becomes a PDF");
  const isOfCompress = Object.hasOwn(compressPdf.fields, parameter);
  throw invalidParameter(
    parameter,
    isOfCompress ? `${message} To make a PDF smaller, use compress-pdf.` : message,
  );
}

/** The fields that say which part or which form of the input the output has. A converter of the app gets none of them. */
const NOT_FOR_CONVERTERS = ["pages", "rotate", "password", "max_bytes", "max_width", "max_height"] as const;

/** Throws if a converter of the app would have to do more than convert. Every other field is ignored. */
function checkPlain(
  values: Pick<JobValues<typeof convert.fields>, (typeof NOT_FOR_CONVERTERS)[number]>,
): void {
  const parameter = NOT_FOR_CONVERTERS.find((name) => values[name] !== undefined);
  if (parameter !== undefined) throw idle(parameter, "a converter of the app converts the file");
}

/** Returns the error for a field that is refused because it has no effect. */
export function idle(parameter: string, when: string): ServiceError {
  return invalidParameter(parameter, `The field "${parameter}" has no effect when ${when}. Leave it out.`);
}

/** Throws unless the files can become one PDF. */
function checkSeveral(
  inputs: Inputs,
  {
    output_format,
    pages,
    rotate,
  }: Pick<JobValues<typeof convert.fields>, "output_format" | "pages" | "rotate">,
): void {
  if (output_format !== "pdf" || inputs.some(({ format }) => FORMATS[format].kind !== "image"))
    throw new ServiceError(
      "unsupported_conversion",
      "Several files become one PDF if all of them are images. To join PDFs, use merge-pdf. Convert other files one by one.",
    );
  if (pages !== undefined)
    throw invalidParameter("pages", 'The field "pages" needs a single file. Leave it out.');
  if (rotate !== undefined && parseRotation(rotate).some((group) => group.pages !== undefined))
    throw invalidParameter(
      "rotate",
      'With several files, the field "rotate" must be one angle for all of them: 90, -90 or 180. To rotate single files, use merge-pdf.',
    );
}

/** Throws if a field has a value that another one replaces. */
function checkAlone(parameter: string, others: Readonly<Record<string, unknown>>): void {
  const name = Object.keys(others).find((each) => others[each] !== undefined);
  if (name === undefined) return;
  throw invalidParameter(
    name,
    `The field "${name}" cannot be used together with "${parameter}". Leave one of them out.`,
  );
}

/** What an empty text stands for, in a field that is given once for each file. */
const EMPTY_TEXTS = { pages: "all pages", password: "no password", rotate: "no rotation" } as const;

/** Checks that a field that is given is given once for each file. */
function checkCount(
  parameter: keyof typeof EMPTY_TEXTS,
  values: readonly string[] | undefined,
  count: number,
): void {
  if (values === undefined || values.length === count) return;
  throw wrongCount(
    parameter,
    `one text for each of the ${count} files, in their order. An empty text stands for ${EMPTY_TEXTS[parameter]}`,
  );
}

function wrongCount(parameter: string, expected: string): ServiceError {
  return invalidParameter(parameter, `The field "${parameter}" needs ${expected}.`);
}
