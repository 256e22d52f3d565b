import { createWriteStream, openAsBlob } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyEvents, type BusboyInstance } from "@fastify/busboy";
import { ServiceError } from "../../src/shared/errors.ts";

const MOST_FIELDS = 50;
const FIELD_LIMIT_BYTES = 64 * 1024;

/** The used part of a request. */
export type Upload = Readable & Pick<IncomingMessage, "headers" | "complete">;

/**
 * Receives a form: the file into a folder, the fields into memory.
 *
 * @param limitBytes the largest file
 * @param signal ends the upload; its reason is a `ServiceError`
 * @returns the fields by name. Fields with the same name become a list
 * @throws {ServiceError} `unsupported_input` when the body is not a form, `input_too_large`, `invalid_parameter` when the
 *   form is cut off or has too many fields, the signal's reason, or an error of the file system
 */
export async function receiveUpload(
  request: Upload,
  folder: string,
  limitBytes: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const contentType = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw new ServiceError("unsupported_input", "Send a form (multipart/form-data).");
  const fields = new Map<string, unknown>();
  const contents: Readable[] = [];
  const writing: Promise<void>[] = [];
  const parser = parserOf(request, contentType, limitBytes);
  const fail = (error: ServiceError) => void parser.destroy(error);
  const add = (name: string, value: unknown) => {
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
  };
  const onField: BusboyEvents["field"] = (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) fail(tooMuch());
    add(name, value);
  };
  const onFile: BusboyEvents["file"] = (field, content, fileName, _encoding, type) => {
    contents.push(content);
    // The stream fails when the form is cut off. The parser reports that error.
    content.on("error", () => {});
    // A file field without a file.
    if (fileName === undefined || fileName === "") {
      content.resume();
      return;
    }
    content.once("limit", () => fail(tooLarge(limitBytes)));
    const path = join(folder, `upload-${writing.length}`);
    const received = pipeline(content, createWriteStream(path)).then(async () => {
      add(field, new File([await openAsBlob(path)], fileName, { type }));
    });
    // Otherwise the parser would wait forever for a file that cannot be written.
    received.catch((thrown) => void parser.destroy(thrown));
    writing.push(received);
  };
  parser.on("field", onField);
  parser.on("file", onFile);
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => fail(tooMuch()));
  }
  try {
    await parse(request, parser, signal);
    await Promise.all(writing);
  } catch (thrown) {
    request.unpipe(parser);
    // Otherwise the unfinished file would stay open and on the disk. The reason is needed: without it, the pipeline of a
    // complete file would wait for its end.
    for (const content of contents) content.destroy(unreadable());
    await Promise.allSettled(writing);
    throw thrown instanceof ServiceError || isOfDisk(thrown) ? thrown : unreadable();
  }
  return Object.fromEntries(fields);
}

/** Parses the form. Leaves the request open after a failure, so that it can be answered. */
function parse(request: Upload, parser: BusboyInstance, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => parser.destroy(signal.reason), { once: true });
    parser.on("finish", resolve);
    parser.on("error", reject);
    request.on("close", () => {
      if (!request.complete) parser.destroy(unreadable());
    });
    request.pipe(parser);
  });
}

function parserOf(request: Upload, contentType: string, limitBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, "content-type": contentType },
      limits: {
        files: 1,
        fileSize: limitBytes,
        fields: MOST_FIELDS,
        fieldSize: FIELD_LIMIT_BYTES,
      },
    });
  } catch (thrown) {
    // Busboy throws an Error for a content type without a boundary.
    if (!(thrown instanceof Error)) throw thrown;
    throw unreadable();
  }
}

function isOfDisk(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown;
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError("input_too_large", `The service takes files of up to ${limit} bytes.`, {
    largest_size: limit,
  });
}

function tooMuch(): ServiceError {
  const message = "The form has too many fields or files, or too long ones.";
  return new ServiceError("invalid_parameter", message, { parameter: "body" });
}

function unreadable(): ServiceError {
  const message = "The form cannot be read: it is cut off or malformed.";
  return new ServiceError("invalid_parameter", message, { parameter: "body" });
}
