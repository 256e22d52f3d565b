import { converterOf, type RemoteSettings } from "./conversions.ts";
import {
  type Field,
  type Fields,
  file,
  flag,
  format,
  nonEmptyText,
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

/** The input of an operation. */
export interface Input {
  /** The file name without folder and extension. */
  readonly name: string;
  /** The format of the content. */
  readonly format: FormatId;
}

/** One operation of the service: its path, its fields, its job and the name of its result. */
export interface Operation<F extends Fields & { readonly file: Field<Blob> }> {
  /** The path under the base URL of the service. */
  readonly path: string;
  readonly fields: F;
  /**
   * Whether the engine reads the whole file before it writes. The client then reads a small file once, for the detection
   * of its format and for the engine.
   */
  readonly readsFirst?: true;
  /**
   * Returns the job for an engine, or for the remote service.
   *
   * @throws {ServiceError} if the operation does not support the values or the format of the input
   */
  job(values: Values<F>, input: Input, settings: RemoteSettings): Job | RemoteJob;
  /**
   * Returns the file name of the result.
   *
   * @param type the MIME type of the output
   */
  fileName(name: string, values: Values<F>, type: string): string;
}

const convert = operation({
  path: "/api/convert",
  fields: {
    file: required(file),
    output_format: required(format),
    quality: optional(number(0, 1)),
    dpi: optional(number(1, 2400)),
    background: optional(nonEmptyText),
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
  // Several files come as an archive.
  fileName: (name, { output_format }, type) => `${name}.${type === ZIP ? "zip" : output_format}`,
});

const protectPdf = operation({
  path: "/api/protect-pdf",
  fields: {
    file: required(file),
    // An empty password protects nothing: readers open such a file without asking.
    password: required(nonEmptyText),
    owner_password: optional(nonEmptyText),
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

/** All operations. */
export const OPERATIONS = { convert, protectPdf, unlockPdf, splitPdf };

/**
 * Returns the name of a file without folder and extension: `C:\report.final.pdf` becomes `report.final`. A Blob without
 * a name is called `blob`, as in FormData.
 */
export function baseName(file: Blob): string {
  const name = "name" in file && typeof file.name === "string" ? file.name : "blob";
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const printable = last.replace(/\p{Cc}/gu, "");
  const dot = printable.lastIndexOf(".");
  return (dot > 0 ? printable.slice(0, dot) : printable) || "file";
}

/** Returns the row unchanged. TypeScript infers the types of its functions from its fields. */
function operation<F extends Fields & { readonly file: Field<Blob> }>(row: Operation<F>): Operation<F> {
  return row;
}

function pdf(file: Blob, { format }: Input): Blob {
  if (format === "pdf") return file;
  throw new ServiceError(
    "unsupported_input",
    `This operation needs a PDF. The content of the file is ${format.toUpperCase()}.`,
  );
}
