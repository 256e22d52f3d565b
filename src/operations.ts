import { converterOf, type RemoteSettings } from "./conversions.ts";
import {
  type Field,
  type Fields,
  file,
  filledText,
  flag,
  format,
  number,
  oneOf,
  optional,
  pageSelection,
  required,
  someOf,
  text,
  type Values,
} from "./fields.ts";
import type { RemoteJob } from "./remote/job.ts";
import { ServiceError } from "./shared/errors.ts";
import { type FormatId, ZIP } from "./shared/formats.ts";
import { type Job, PERMISSIONS } from "./shared/protocol.ts";

/** What is known of the input before a job starts. */
export interface Input {
  /** The file's name without its extension. */
  readonly name: string;
  /** By its content. */
  readonly format: FormatId;
}

/** One operation of the service: where it answers, what it takes, who does it, what its result is called. */
export interface Operation<F extends Fields & { readonly file: Field<Blob> }> {
  /** Under the service's base URL. */
  readonly path: string;
  readonly fields: F;
  /** Whether it can do nothing before it has read: the client may then read a small file at once. */
  readonly readsFirst?: true;
  /**
   * What is to be done, and by whom.
   *
   * @throws {ServiceError} what speaks against it that the values and the input's format tell
   */
  job(values: Values<F>, input: Input, settings: RemoteSettings): Job | RemoteJob;
  /**
   * What the result is called.
   *
   * @param made the type of what the job made
   */
  fileName(name: string, values: Values<F>, made: string): string;
}

const convert = operation({
  path: "/api/convert",
  fields: {
    file: required(file),
    output_format: required(format),
    quality: optional(number(0, 1)),
    dpi: optional(number(1, 2400)),
    background: optional(filledText),
    page_size: optional(oneOf(["fit", "a4", "letter"])),
    keep_metadata: optional(flag),
    max_bytes: optional(number(1, Infinity)),
    password: optional(text),
    pages: optional(pageSelection),
  },
  job: (values, { format, name }, settings) => {
    const { file, pages, password, quality, keep_metadata: keepMetadata, output_format: to } = values;
    const engine = converterOf(format, to, settings);
    switch (engine) {
      case "remote":
        return { engine, file, from: format, to, name, fields: values };
      case "pdf/normalize":
        return { engine, file, pages, password };
      case "pdf/to-images":
        return {
          engine,
          file,
          to,
          name,
          dpi: values.dpi,
          quality,
          maxBytes: values.max_bytes,
          background: values.background,
          pages,
          password,
        };
      case "image/convert":
        return {
          engine,
          file,
          from: format,
          to,
          name,
          quality,
          maxBytes: values.max_bytes,
          background: values.background,
          keepMetadata,
          pages,
        };
      case "image/to-pdf":
        return { engine, file, from: format, pageSize: values.page_size, quality, keepMetadata, pages };
    }
  },
  // What makes several files makes an archive of them.
  fileName: (name, { output_format }, made) => `${name}.${made === ZIP ? "zip" : output_format}`,
});

const protectPdf = operation({
  path: "/api/protect-pdf",
  fields: {
    file: required(file),
    // An empty password would protect nothing: any reader opens such a file without asking.
    password: required(filledText),
    owner_password: optional(filledText),
    permissions: optional(someOf(PERMISSIONS)),
  },
  job: ({ file, password, owner_password, permissions }, input) => ({
    engine: "pdf/protect",
    file: pdf(file, input),
    password,
    ownerPassword: owner_password,
    permissions,
  }),
  fileName: (name) => `protected-${name}.pdf`,
});

const unlockPdf = operation({
  path: "/api/unlock-pdf",
  fields: { file: required(file), password: required(text) },
  readsFirst: true,
  job: ({ file, password }, input) => ({ engine: "pdf/unlock", file: pdf(file, input), password }),
  fileName: (name) => `unlocked-${name}.pdf`,
});

const splitPdf = operation({
  path: "/api/split-pdf",
  fields: { file: required(file), password: optional(text), pages: required(pageSelection) },
  readsFirst: true,
  job: ({ file, pages, password }, input) => ({
    engine: "pdf/split",
    file: pdf(file, input),
    pages,
    name: input.name,
    password,
  }),
  fileName: (name) => `split-${name}.zip`,
});

/** The four operations. */
export const OPERATIONS = { convert, protectPdf, unlockPdf, splitPdf };

/**
 * What a file is called without its directory and extension: `C:\report.final.pdf` is `report.final`. A Blob
 * that has no name is called `blob`, as FormData calls it.
 */
export function baseName(file: Blob): string {
  const name = "name" in file && typeof file.name === "string" ? file.name : "blob";
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const printable = last.replace(/\p{Cc}/gu, "");
  const dot = printable.lastIndexOf(".");
  return (dot > 0 ? printable.slice(0, dot) : printable) || "file";
}

/** Lets an operation's functions know the types of its fields. */
function operation<F extends Fields & { readonly file: Field<Blob> }>(row: Operation<F>): Operation<F> {
  return row;
}

function pdf(file: Blob, { format }: Input): Blob {
  if (format === "pdf") return file;
  throw new ServiceError(
    "unsupported_input",
    `This needs a PDF; by its content, the file is ${format.toUpperCase()}.`,
  );
}
