import { wrongOption } from "./failure.ts";
import { knownValues, OPTIONS } from "./known-keys.ts";

/**
 * Checks the value of an option and returns it with its type, or throws. Gets undefined for an absent option, and returns
 * its default.
 */
export type OptionReader<Value> = (given: unknown, option: string) => Value;

/** The values of options that were read. */
export type OptionValues<Readers> = {
  readonly [Name in keyof Readers]: Readers[Name] extends OptionReader<infer Value> ? Value : never;
};

/** The readers of all options of an interface. A missing one is a type error. */
export type ReadersOf<Options> = { readonly [Name in keyof Required<Options>]: OptionReader<unknown> };

/**
 * Reads all options at once.
 *
 * @throws {ServiceError} `invalid_parameter` for the first unknown option, or else for the first wrong one, in the order of
 *   the readers
 */
export function readOptions<Readers extends Readonly<Record<string, OptionReader<unknown>>>>(
  readers: Readers,
  given: object | undefined,
): OptionValues<Readers> {
  const values = knownValues(given, Object.keys(readers), OPTIONS);
  const read = Object.entries(readers).map(([name, reader]) => [name, reader(values.get(name), name)]);
  return Object.fromEntries(read);
}

/**
 * Returns the reader of an option without a default.
 *
 * @param expected the right values, for the message
 * @param isRight returns whether something is a `Value`
 */
export function option<Value>(
  expected: string,
  isRight: (given: unknown) => boolean,
): OptionReader<Value | undefined> {
  return (given, name) => {
    if (given !== undefined && !isRight(given)) throw wrongOption(name, expected);
    return given as Value | undefined;
  };
}

/** Returns the reader of an option that is a function. */
export function functionOption<Value>(): OptionReader<Value | undefined> {
  return option("a function", (given) => typeof given === "function");
}
