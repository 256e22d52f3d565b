import type { Reader } from "./fields.ts";
import { invalidParameter } from "./shared/failure.ts";
import { CALL_FIELDS, knownValues } from "./shared/known-keys.ts";
import type { SequenceEntry } from "./shared/protocol.ts";

/** The most entries of a sequence. The longest sound documents have tens of thousands of pages. */
const LONGEST_SEQUENCE = 100_000;

const ENTRY_KEYS = ["file", "page", "rotate"] satisfies readonly (keyof SequenceEntry)[];
const ANGLES = [0, 90, -90, 180] as const;

/**
 * Reads a sequence of pages: a list of `{ file, page, rotate }`, or its JSON, as in a form.
 *
 * @throws {ServiceError} `invalid_parameter` for something else, for a list that is empty or too long, and for the first
 *   wrong entry, which the message names
 */
export const sequence: Reader<readonly SequenceEntry[]> = (given, parameter) => {
  const list = typeof given === "string" ? parsed(given) : given;
  if (!Array.isArray(list))
    throw wrong(
      parameter,
      "must be a list of pages such as [{ file: 0, page: 3, rotate: 90 }], in a form as JSON",
    );
  if (list.length === 0) throw wrong(parameter, "must name at least one page");
  if (list.length > LONGEST_SEQUENCE) throw wrong(parameter, `must have at most ${LONGEST_SEQUENCE} entries`);
  return list.map((entry: unknown, index) => entryOf(entry, `${parameter}[${index}]`, parameter));
};

/**
 * Checks a sequence against the number of files.
 *
 * @throws {ServiceError} `invalid_parameter` for an entry whose file does not exist, and for a file without an entry
 */
export function checkSequence(entries: readonly SequenceEntry[], fileCount: number): void {
  const unused = new Set(Array.from({ length: fileCount }, (_, index) => index));
  for (const [index, { file }] of entries.entries()) {
    if (file >= fileCount)
      throw wrong(
        "sequence",
        `has no file for entry ${index}: its "file" is ${file}, and the last of the files is ${fileCount - 1}, counted from 0`,
      );
    unused.delete(file);
  }
  const [first] = unused;
  if (first !== undefined)
    throw wrong("sequence", `names no page of file ${first}, counted from 0. Leave the file out`);
}

function entryOf(given: unknown, name: string, parameter: string): SequenceEntry {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrong(parameter, `must be a list of objects such as { file: 0, page: 3 }. Correct ${name}`);
  const values = knownValues(given, ENTRY_KEYS, CALL_FIELDS);
  const whole = (key: "file" | "page", least: number): number => {
    const value = values.get(key);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
    throw wrong(parameter, `needs a whole number of at least ${least} as ${name}.${key}`);
  };
  const turn = values.get("rotate") ?? 0;
  const rotate = ANGLES.find((angle) => angle === turn);
  if (rotate === undefined) throw wrong(parameter, `needs 0, 90, -90 or 180 as ${name}.rotate`);
  return { file: whole("file", 0), page: whole("page", 1), rotate };
}

/** Returns the value of a JSON text; undefined for another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function wrong(parameter: string, reason: string) {
  return invalidParameter(parameter, `The field "${parameter}" ${reason}.`);
}
