import { type AskPassword, isAskPassword } from "./ask-password.ts";
import { ServiceError } from "./shared/errors.ts";
import { invalidParameter } from "./shared/failure.ts";
import { type FormatId, formatNamed } from "./shared/formats.ts";
import { CALL_FIELDS, type KeyPolicy, knownValues } from "./shared/known-keys.ts";
import { parsePageSelection } from "./shared/page-selection.ts";
import { parseRotation } from "./shared/rotation.ts";

/**
 * Checks the value of a field and returns it with its type, or throws. Numbers, booleans and lists may be text, as in
 * forms.
 */
export type Reader<Value> = (given: unknown, parameter: string) => Value;

/** One form field of an operation. */
export interface Field<Value> {
  readonly required: boolean;
  readonly read: Reader<Value>;
}

/** The fields of an operation, by name, in the order in which they are checked. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of the fields of an operation. */
export type Values<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]["read"]> };

/** The most entries of a repeated field. */
export const LONGEST_LIST = 10_000;

/** One or more files, in order. */
export type Files = readonly [Blob, ...Blob[]];

/** Declares a field that must be present. */
export function required<Value>(read: Reader<Value>): Field<Value> {
  return { required: true, read };
}

/** Declares a field that may be absent. */
export function optional<Value>(read: Reader<Value>): Field<Value | undefined> {
  return { required: false, read };
}

/**
 * Reads all fields of a call.
 *
 * @param policy says which unknown fields are refused. Default: all
 * @throws {ServiceError} `invalid_parameter` for a field that is not known. Then `missing_parameter`, `invalid_parameter`,
 *   `invalid_page_selection` or `unsupported_conversion` for the first wrong field
 */
export function readFields<F extends Fields>(
  fields: F,
  given: object | undefined,
  policy: KeyPolicy = CALL_FIELDS,
): Values<F> {
  const all = knownValues(given, Object.keys(fields), policy);
  const values = Object.entries(fields).map(([parameter, { required, read }]) => {
    // FormData.get returns null for an absent field.
    const value = all.get(parameter) ?? undefined;
    if (value !== undefined) return [parameter, read(value, parameter)];
    if (!required) return [parameter, undefined];
    throw new ServiceError("missing_parameter", `The field "${parameter}" is missing.`, { parameter });
  });
  return Object.fromEntries(values);
}

/** Accepts a `File` or a `Blob`, also of another realm. */
export const file: Reader<Blob> = (given, parameter) => {
  if (Array.isArray(given)) wrong(parameter, "one file: this operation takes one file at a time");
  return isBlob(given) ? given : wrong(parameter, "a file");
};

/** Accepts one file, or a list of files. A form repeats the field. */
export const files: Reader<Files> = (given, parameter) => {
  const [first, ...rest] = listOf(file)(given, parameter);
  return first === undefined ? wrong(parameter, "a file, or a list of at least one file") : [first, ...rest];
};

/** Accepts a text, which may be empty. */
export const text: Reader<string> = (given, parameter) =>
  typeof given === "string" ? given : wrong(parameter, "a text");

/** Returns a reader that also accepts a function that asks for the password of a file. */
export function orAsked<Value>(read: Reader<Value>): Reader<Value | AskPassword> {
  return (given, parameter) => (isAskPassword(given) ? given : read(given, parameter));
}

/** Accepts a text that is not empty. */
export const nonEmptyText: Reader<string> = (given, parameter) =>
  text(given, parameter) || wrong(parameter, "a text that is not empty");

/** Accepts a page selection with correct syntax. */
export const pageSelection: Reader<string> = (given, parameter) => {
  const selection = text(given, parameter);
  parsePageSelection(selection);
  return selection;
};

/** Accepts a rotation with correct syntax. An angle may be a number. */
export const rotation: Reader<string> = (given, parameter) => {
  const value = typeof given === "number" ? String(given) : text(given, parameter);
  parseRotation(value, parameter);
  return value;
};

/** Returns a reader that also accepts an empty text. */
export function emptyOr(read: Reader<string>): Reader<string> {
  return (given, parameter) => (given === "" ? "" : read(given, parameter));
}

/** Reads the name of a format: `PDF`, `jpeg`. */
export const format: Reader<FormatId> = (given, parameter) => {
  const name = nonEmptyText(given, parameter);
  const found = formatNamed(name);
  if (found !== undefined) return found;
  throw new ServiceError("unsupported_conversion", `"${name.slice(0, 20)}" is not a supported format.`, {
    parameter,
  });
};

/** Returns a reader that accepts numbers from `min` to `max`. */
export function number(min: number, max: number): Reader<number> {
  return (given, parameter) => {
    const value = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
    if (typeof value === "number" && value >= min && value <= max) return value;
    return wrong(
      parameter,
      max === Infinity ? `a number of at least ${min}` : `a number from ${min} to ${max}`,
    );
  };
}

/** Reads a number of things: a whole number of at least 1. */
export const count: Reader<number> = (given, parameter) => {
  const value = typeof given === "string" ? Number(given) : given;
  return typeof value === "number" && value >= 1 && Number.isSafeInteger(value)
    ? value
    : wrong(parameter, "a whole number of at least 1");
};

/** Reads true or false. A form sends `on` for a ticked checkbox. */
export const flag: Reader<boolean> = (given, parameter) => {
  const value = String(given);
  return value === "true" || value === "on" || (value !== "false" && wrong(parameter, "true or false"));
};

/** Returns a reader that accepts one of a few words. Case does not matter. */
export function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return (given, parameter) => {
    const wanted = String(given).toLowerCase();
    const expected = words.length > 1 ? `one of ${words.join(", ")}` : `"${words[0]}"`;
    return words.find((word) => word === wanted) ?? wrong(parameter, expected);
  };
}

/** Returns a reader that accepts what `read` accepts, or a list of it. A form repeats the field. */
export function listOf<Value>(read: Reader<Value>): Reader<readonly Value[]> {
  return (given, parameter) => {
    const list: unknown[] = Array.isArray(given) ? given : [given];
    if (list.length > LONGEST_LIST) wrong(parameter, `a list of at most ${LONGEST_LIST} entries`);
    return list.map((entry) => read(entry, parameter));
  };
}

/** Returns a reader that accepts any of a few words, as an array or as text with commas. The array may be empty. */
export function someOf<Word extends string>(words: readonly Word[]): Reader<readonly Word[]> {
  const one = oneOf(words);
  return (given, parameter) => {
    const list: unknown[] = Array.isArray(given) ? given : text(given, parameter).split(",");
    return list.map((word) => one(typeof word === "string" ? word.trim() : word, parameter));
  };
}

/** Returns whether a value is a `File` or a `Blob`, also of another realm. */
export function isBlob(given: unknown): given is Blob {
  return given instanceof Blob || /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(given));
}

/** Throws the error for a wrong value. The message never quotes the value, because it may be a password. */
function wrong(parameter: string, expected: string): never {
  throw invalidParameter(parameter, `The field "${parameter}" must be ${expected}.`);
}
