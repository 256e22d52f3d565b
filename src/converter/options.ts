import { type Conversion, isOnDevice } from "../conversions.ts";
import { wrongOption } from "../shared/failure.ts";
import { IMAGE_FORMATS, OFFICE_FORMATS, TEXT_FORMAT } from "../shared/format-names.ts";
import type { FormatId } from "../shared/formats.ts";
import { knownValues, OPTIONS } from "../shared/known-keys.ts";
import type { OptionReader } from "../shared/options.ts";
import type { Converter } from "./converter.ts";

/** Reads the converters of the app as rows of the table of conversions. */
export const converters: OptionReader<readonly Conversion[]> = (given = [], name) => {
  if (!Array.isArray(given)) throw wrongOption(name, "a list of converters");
  return given.map((row: unknown, index) => readConverter(row, `${name}[${index}]`));
};

const FORMAT_NAMES: readonly FormatId[] = ["pdf", TEXT_FORMAT, ...IMAGE_FORMATS, ...OFFICE_FORMATS];

const KEYS = Object.keys({
  from: true,
  to: true,
  uploads: true,
  convert: true,
} satisfies Record<keyof Converter, true>);

function readConverter(given: unknown, name: string): Conversion {
  if (typeof given !== "object" || given === null) throw wrongOption(name, "an object");
  const values = knownValues(given, KEYS, OPTIONS);
  const from = readFormats(values.get("from"), `${name}.from`);
  const to = readFormats(values.get("to"), `${name}.to`);
  const uploads = values.get("uploads") ?? false;
  const convert = values.get("convert");
  if (typeof uploads !== "boolean") throw wrongOption(`${name}.uploads`, "true or false");
  if (typeof convert !== "function") throw wrongOption(`${name}.convert`, "a function");
  for (const one of from) {
    const own = to.find((other) => isOnDevice(one, other));
    if (own !== undefined)
      throw wrongOption(
        name,
        `for pairs that the device does not convert itself. Leave out ${one.toUpperCase()} to ${own.toUpperCase()}`,
      );
  }
  return { from, to, by: { uploads, convert: (...request) => convert.apply(given, request) } };
}

function readFormats(given: unknown, name: string): readonly FormatId[] {
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  const known = FORMAT_NAMES.filter((format) => listed.includes(format));
  if (known.length > 0 && listed.every((one) => known.some((format) => format === one))) return known;
  throw wrongOption(name, 'the name of a format, such as "docx", or a list of names');
}
