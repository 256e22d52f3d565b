import { flag } from "../../src/fields.ts";
import { COMMANDS, type Command, type FieldName, fieldsOf } from "./commands.ts";
import { isSecret, type SecretName, secretOption } from "./secrets.ts";

/** An option, which has a value unless it is a switch. */
export interface Option {
  readonly kind: "value" | "switch";
  /** What it sets, in one line. */
  readonly about: string;
  /** The name of its value in the help. */
  readonly value?: string;
  /** A single letter that stands for it. */
  readonly short?: string;
  /** What it gives a value to. */
  readonly target:
    | { readonly kind: "field"; readonly name: string }
    | { readonly kind: "secret"; readonly name: SecretName }
    | { readonly kind: "setting" };
}

/** Options by their names, without dashes. */
export type Options = Readonly<Record<string, Option>>;

const setting = { kind: "setting" } as const;

/** The options of every command. */
const GENERAL_OPTIONS = {
  json: { kind: "switch", about: "prints a JSON object for each result", target: setting },
  quiet: { kind: "switch", short: "q", about: "prints errors only", target: setting },
  help: { kind: "switch", short: "h", about: "prints this help", target: setting },
} satisfies Options;

/** The options of commands that write files. */
const OUTPUT_OPTIONS = {
  output: {
    kind: "value",
    short: "o",
    value: "PATH",
    about: "a folder, or a file for one result; - is the standard output. Default: beside the input",
    target: setting,
  },
  force: { kind: "switch", short: "f", about: "overwrites files that are there", target: setting },
} satisfies Options;

/** The name of an option that is no field. */
export type SettingName = keyof typeof GENERAL_OPTIONS | keyof typeof OUTPUT_OPTIONS;

/** What the help says of each field. The fields themselves, and what they accept, come from their table. */
const FIELD_TEXTS: Readonly<
  Record<Exclude<FieldName, "file" | SecretName>, { readonly about: string; readonly value?: string }>
> = {
  output_format: {
    value: "FORMAT",
    about: "pdf, jpg, png, webp, avif, txt; with LibreOffice also docx, xlsx, pptx and others",
  },
  quality: { value: "N", about: "the quality of images, from 0 to 1" },
  dpi: { value: "N", about: "dots per inch. Default: 150" },
  background: { value: "COLOR", about: "the CSS color behind transparent parts. Default: white" },
  page_size: { value: "SIZE", about: "pages of images: fit, a4 or letter. Default: fit" },
  keep_metadata: { about: "keeps place, time and camera of images" },
  max_bytes: { value: "N", about: "the most bytes of each file that is made" },
  max_width: { value: "N", about: "the most pixels across" },
  max_height: { value: "N", about: "the most pixels down" },
  pages: { value: "PAGES", about: "pages: 1-3,5,last or odd or all,x2. Of merge: once for each file" },
  rotate: {
    value: "ANGLE",
    about: "clockwise: 90, -90, 180, or 90:1-3;180:last. Of merge: once for each file",
  },
  permissions: {
    value: "LIST",
    about: "what stays allowed: print, print_low, modify, copy, annotate, fill_forms, assemble",
  },
  every: { value: "N", about: "as many pages in each file" },
  by: { value: "outline", about: "one file for each top entry of the outline" },
  title: { value: "TEXT", about: "the title of the result" },
  sequence: { value: "JSON", about: 'pages in any order: [{"file":0,"page":3,"rotate":90}]' },
  blank: { value: "odd", about: "an empty page after each file with an odd number of pages" },
  keep: { value: "LIST", about: "what stays: metadata, scripts, attachments, comments, layers" },
  flatten: { about: "draws form fields and kept comments into the pages" },
  outline: { about: "also reads the outline" },
  hidden: { about: "also counts what clean would remove" },
};

/** Returns all options of a command: first its fields, in the order of their table. */
export function optionsOf(command: Command): Options {
  const fields = Object.entries(fieldsOf(command)).filter(([name]) => name !== "file");
  const options = fields.map(([name, { read }]): [string, Option] => {
    if (isSecret(name)) return [secretOption(name), secretFileOption(name)];
    const texts = FIELD_TEXTS[name as keyof typeof FIELD_TEXTS];
    const kind = read === flag ? "switch" : "value";
    return [name.replaceAll("_", "-"), { kind, ...texts, target: { kind: "field", name } }];
  });
  const output = command.call === "inspect" ? {} : OUTPUT_OPTIONS;
  return { ...Object.fromEntries(options), ...output, ...GENERAL_OPTIONS };
}

/** Returns the names of the commands that have an option. */
export function ownersOf(name: string): readonly string[] {
  return COMMANDS.filter((command) => Object.hasOwn(optionsOf(command), name)).map((command) => command.name);
}

function secretFileOption(name: SecretName): Option {
  const about = `a file whose first line is the ${name.replace("_", " ")}; - is the standard input`;
  return { kind: "value", value: "FILE", about, target: { kind: "secret", name } };
}
