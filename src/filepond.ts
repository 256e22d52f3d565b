/**
 * The plugin for FilePond.
 *
 * @module stayput/filepond
 */
// The module whose options are extended below. Only its types are needed.
import type {} from "filepond";
import {
  checkOptions,
  convertedName,
  convertUpload,
  type UploadOptions,
  uploadName,
} from "./upload/convert-upload.ts";

export type { ImageFormat, UploadFile, UploadImage, UploadOptions } from "./upload/convert-upload.ts";

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>}${CamelCase<Rest>}`
  : Capitalize<Name>;

/** The options of {@link StayputConvert}: those of {@link UploadOptions}, in FilePond's spelling (`stayputMaxBytes`). */
export type StayputConvertOptions = {
  -readonly [Option in keyof UploadOptions as `stayput${CamelCase<Option>}`]?: UploadOptions[Option] | null;
} & {
  /** The label of an image that could not be converted. The reason follows it. Default: `"Could not be converted"`. */
  labelStayputFailed?: string;
};

declare module "filepond" {
  interface FilePondOptions extends StayputConvertOptions {}
}

/** A file in a pond. */
interface PondItem {
  /** A file, a Blob or a URL that the app or the user has added. */
  readonly source: unknown;
  /** Whether it was removed. */
  readonly archived: boolean;
  on(event: "init", listener: () => void): void;
}

type Query = (name: string) => unknown;
type OptionType = "BOOLEAN" | "FUNCTION" | "INT" | "NUMBER" | "OBJECT" | "STRING";

/** The argument that FilePond passes to a plugin. FilePond's own types leave it out. */
interface FilePondApi {
  addFilter(name: "DID_CREATE_ITEM", filter: (item: PondItem) => void): void;
  addFilter(name: "LOAD_FILE", filter: (file: File, utils: { query: Query }) => Promise<File>): void;
  readonly utils: { readonly Type: Readonly<Record<OptionType, string>> };
}

const OPTION_TYPES: Readonly<Record<keyof UploadOptions, OptionType>> = {
  client: "OBJECT",
  compressPdf: "OBJECT",
  to: "STRING",
  when: "FUNCTION",
  quality: "NUMBER",
  max_bytes: "INT",
  max_width: "INT",
  max_height: "INT",
  background: "STRING",
  keep_metadata: "BOOLEAN",
  pages: "STRING",
  rotate: "STRING",
};
const OPTIONS = Object.keys(OPTION_TYPES) as (keyof UploadOptions)[];

/** How often to look whether a file was removed. FilePond has no event for every way to remove one. */
const REMOVAL_CHECK_MS = 100;

/**
 * A plugin for FilePond that converts images, and compresses PDFs, when they are added. An image that cannot be converted shows why, and is not
 * uploaded. A pond without the option `stayputClient` converts nothing.
 *
 * @param filepond what `FilePond.registerPlugin` passes
 *
 * @example
 * FilePond.registerPlugin(StayputConvert);
 * FilePond.create(input, { stayputClient: createClient(), stayputTo: "jpg", stayputQuality: 0.85 });
 */
export function StayputConvert(filepond: FilePondApi): {
  options: Record<string, [defaultValue: unknown, type: string]>;
} {
  const { addFilter, utils } = filepond;
  /** The items that wait for their file. The same file may be added twice. */
  const waiting = new WeakMap<File, PondItem[]>();

  addFilter("DID_CREATE_ITEM", (item) => {
    item.on("init", () => {
      const { source } = item;
      if (source instanceof File) waiting.set(source, [...(waiting.get(source) ?? []), item]);
    });
  });

  // This filter runs before previews and the upload. FilePond shows its errors.
  addFilter("LOAD_FILE", async (file, { query }) => {
    const item = waiting.get(file)?.shift();
    const controller = new AbortController();
    const timer = setInterval(() => item?.archived && controller.abort(), REMOVAL_CHECK_MS);
    try {
      const made = await convert(file, query, controller.signal);
      if (!item?.archived) return made;
    } catch (error) {
      if (!item?.archived) throw { status: failure(error, query("GET_LABEL_STAYPUT_FAILED")) };
    } finally {
      clearInterval(timer);
    }
    // FilePond never settles what it has removed.
    return new Promise(() => {});
  });

  return {
    options: {
      ...Object.fromEntries(
        OPTIONS.map((option) => [optionName(option), [null, utils.Type[OPTION_TYPES[option]]] as const]),
      ),
      labelStayputFailed: ["Could not be converted", utils.Type.STRING],
    },
  };
}

/** Returns an error as FilePond shows it (`main`, `sub`) and as its types describe it (`type`, `code`, `body`). */
function failure(error: unknown, main: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "status" in error ? error.status : 0;
  return { type: "error", code, body: message, main, sub: message };
}

async function convert(file: File, query: Query, signal: AbortSignal): Promise<File> {
  const options = optionsOf(query);
  if (options.client === undefined) return file;
  checkOptions(options, optionName);
  const name = convertedName(file, options);
  if (name === undefined) return file;
  const made = await convertUpload(file, name, options, signal);
  // FilePond keeps the path of a file from a dropped folder in a property of the file.
  const path: unknown = Reflect.get(file, "_relativePath");
  if (typeof path === "string") Reflect.set(made, "_relativePath", uploadName(path, made, options.to));
  return made;
}

/** Reads the options of a pond. Those that are not set are null. */
function optionsOf(query: Query): UploadOptions {
  const values = OPTIONS.map((option) => [
    option,
    query(`GET_STAYPUT_${option.replaceAll(/(?=[A-Z])/g, "_").toUpperCase()}`) ?? undefined,
  ]);
  return Object.fromEntries(values);
}

/** Returns FilePond's spelling of an option: `stayputMaxBytes` for `max_bytes`. */
function optionName(option: keyof UploadOptions): string {
  return `stayput${option.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase())}`;
}
