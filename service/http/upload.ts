import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyEvents, type BusboyInstance } from "@fastify/busboy";
import { LONGEST_LIST } from "../../src/fields.ts";
import { unescapedName } from "../../src/http/request.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { StoredFile } from "../platform/stored-blob.ts";
import { systemCode } from "../platform/system-error.ts";

/** The most fields that are no files. A merge has some for each of its files. */
const MOST_FIELDS = 4 * LONGEST_LIST;
/** The longest field, and all fields together: the longest sequence of a merge has some four million characters. */
const FIELDS_LIMIT_BYTES = 8 * 1024 * 1024;

/** The used part of a request. */
export type Upload = Readable & Pick<IncomingMessage, "headers">;

/** An entry of a form. A file without a name was not chosen. */
export type FormEntry = [name: string, value: string | StoredFile];

/** Where a form goes, and how much of it is accepted. */
export interface UploadSettings {
  /** An existing folder for the files. */
  readonly folder: string;
  /** The most bytes of all files together. */
  readonly limitBytes: number;
  /** Called before the body is read, when the headers are fine. */
  readonly accept?: () => void;
  /** Ends the upload; its reason is a `ServiceError`. */
  readonly signal: AbortSignal;
}

/**
 * Receives a form: the files into a folder, the fields into memory.
 *
 * @returns the entries, in order
 * @throws {ServiceError} `unsupported_input` when the body is not a form, `input_too_large`, `invalid_parameter` when the
 *   form is cut off or has too many fields, the signal's reason, or an error of the file system
 */
export async function receiveUpload(
  request: Upload,
  { folder, limitBytes, accept, signal }: UploadSettings,
): Promise<readonly FormEntry[]> {
  const contentType = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType))
    throw new ServiceError("unsupported_input", "Send a form (multipart/form-data with a boundary).");
  const isTooLong = (bodyBytes: number) => bodyBytes > limitBytes + FIELDS_LIMIT_BYTES;
  if (isTooLong(Number(request.headers["content-length"]))) throw tooLarge(limitBytes);
  const parser = parserOf(request, contentType, limitBytes);
  const fail = (error: unknown) => void parser.destroy(error as Error);
  const form = new ReceivedForm(folder, limitBytes, fail);
  parser.on("field", form.onField);
  parser.on("file", form.onFile);
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => fail(tooMuch()));
  }
  let bodyBytes = 0;
  // A body without a Content-Length may also be long between and in parts that are no files and no fields.
  request.on("data", (chunk: Buffer) => {
    bodyBytes += chunk.length;
    if (isTooLong(bodyBytes)) fail(tooLarge(limitBytes));
  });
  accept?.();
  try {
    await parse(request, parser, signal);
    return await form.entries();
  } catch (thrown) {
    request.unpipe(parser);
    await form.abandon();
    throw thrown instanceof ServiceError || systemCode(thrown) !== undefined ? thrown : unreadable();
  }
}

/** The parts of a form as they arrive. */
class ReceivedForm {
  readonly #folder: string;
  readonly #limitBytes: number;
  readonly #fail: (error: unknown) => void;
  readonly #entries: (FormEntry | Promise<FormEntry>)[] = [];
  readonly #contents: Readable[] = [];
  #fieldBytes = 0;
  #fileBytes = 0;

  /** @param fail ends the upload with an error */
  constructor(folder: string, limitBytes: number, fail: (error: unknown) => void) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
    this.#fail = fail;
  }

  readonly onField: BusboyEvents["field"] = (name, value, nameTruncated, valueTruncated) => {
    if (hasNoName(name)) return this.#fail(unreadable());
    this.#fieldBytes += name.length + value.length;
    if (nameTruncated || valueTruncated || this.#fieldBytes > FIELDS_LIMIT_BYTES) this.#fail(tooMuch());
    this.#entries.push([name, value]);
  };

  readonly onFile: BusboyEvents["file"] = (field, content, fileName, _encoding, type) => {
    // The stream fails when the form is cut off. The parser reports that error.
    content.on("error", () => {});
    if (hasNoName(field)) return this.#fail(unreadable());
    // A file field without a file.
    if (fileName === undefined || fileName === "") {
      content.resume();
      return;
    }
    content.on("data", (chunk: Buffer) => {
      this.#fileBytes += chunk.length;
      if (this.#fileBytes > this.#limitBytes) this.#fail(tooLarge(this.#limitBytes));
    });
    const path = join(this.#folder, `upload-${this.#contents.length}`);
    this.#contents.push(content);
    const received = pipeline(content, createWriteStream(path)).then(
      // A name in UTF-16 (RFC 5987) may have half of a surrogate pair, which no URL can carry.
      (): FormEntry => [field, StoredFile.at(path, Buffer.from(unescapedName(fileName)).toString(), type)],
    );
    // Otherwise the parser would wait forever for a file that cannot be written.
    received.catch(this.#fail);
    this.#entries.push(received);
  };

  /** Returns the entries when their files are written. */
  entries(): Promise<readonly FormEntry[]> {
    return Promise.all(this.#entries);
  }

  /** Closes the files of a form that has failed. */
  async abandon(): Promise<void> {
    // Otherwise the unfinished file would stay open and on the disk. The reason is needed: without it, the pipeline of a
    // complete file would wait for its end.
    for (const content of this.#contents) content.destroy(unreadable());
    await Promise.allSettled(this.#entries);
  }
}

/** Parses the form. Leaves the request open after a failure, so that it can be answered. */
function parse(request: Upload, parser: BusboyInstance, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // The connection has broken already: its event has passed.
    if (request.destroyed) throw unreadable();
    signal.addEventListener("abort", () => parser.destroy(signal.reason), { once: true });
    parser.on("finish", resolve);
    parser.on("error", reject);
    request.on("close", () => {
      // The caller may be gone after its last byte, before all is read: `complete` is true then.
      if (!request.readableEnded) parser.destroy(unreadable());
    });
    request.pipe(parser);
  });
}

function parserOf(request: Upload, contentType: string, limitBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, "content-type": contentType },
      limits: {
        // One file and one byte more than is allowed: the errors of `readCall` and `onFile` name the limit.
        files: LONGEST_LIST + 1,
        fileSize: limitBytes + 1,
        fields: MOST_FIELDS,
        fieldSize: FIELDS_LIMIT_BYTES,
      },
    });
  } catch (thrown) {
    // Busboy throws an Error for a content type without a boundary.
    if (!(thrown instanceof Error)) throw thrown;
    throw unreadable();
  }
}

/** Returns whether a part has no name, which RFC 7578, 4.2, requires. The types of Busboy leave this case out. */
function hasNoName(name: string | undefined): boolean {
  return name === undefined;
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The service takes up to ${limit / 1_000_000} MB in one request. Use smaller files.`,
    {
      largest_size: limit,
    },
  );
}

function tooMuch(): ServiceError {
  const message = "The form has too many fields or files, or too long ones.";
  return new ServiceError("invalid_parameter", message, { parameter: "body" });
}

function unreadable(): ServiceError {
  const message = "The form cannot be read: it is cut off or malformed.";
  return new ServiceError("invalid_parameter", message, { parameter: "body" });
}
