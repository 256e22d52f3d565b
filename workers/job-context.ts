import type { Deadline, Delivery, Engine, EngineValues, Grant } from "../src/shared/protocol.ts";
import type { Report } from "../src/shared/throttled-report.ts";
import type { ZipEntry } from "./archive/zip.ts";
import { BlobSink } from "./io/blob-sink.ts";
import { BlobSource, type SyncReader } from "./io/blob-source.ts";
import type { ByteSink } from "./io/sink.ts";
import type { ByteSource } from "./io/source.ts";

/** The resources of an engine besides its own options. */
export interface JobContext<Sink extends ByteSink = BlobSink> extends Grant {
  /** The input, or the first of several. */
  readonly file: Blob;
  /** Reads Blobs synchronously. */
  readonly reader: SyncReader;
  /** The bytes of {@link file}, read on demand. */
  readonly source: ByteSource;
  /** Opens another input of a job with several. */
  readonly open: (file: Blob) => ByteSource;
  /** Takes the output. */
  readonly sink: Sink;
  /** Reports the progress of the job. Engines may call it as often as they like. */
  readonly report: Report;
  /**
   * Asks the page to end this worker unless the deadline is withdrawn or replaced in time. Call it before code that may
   * never return, and with `undefined` afterwards.
   */
  readonly deadline: (deadline: Deadline | undefined) => void;
  /**
   * Sends a picture, a part or another item to the caller. Resolves when the caller has taken it.
   *
   * @returns whether the caller wants more items
   */
  readonly deliver: (item: Delivery) => Promise<boolean>;
  /** Modification time of the files in an archive, in milliseconds since 1970. */
  readonly lastModified: number;
}

/** What a job needs from the worker, or from a test. Messages without a listener are dropped. */
export interface JobHost extends Grant, Partial<Pick<JobContext, "report" | "deadline" | "deliver">> {
  readonly reader: SyncReader;
}

/**
 * Creates the context of a job.
 *
 * @param file the input of the job, or the first of several
 */
export function jobContext(file: Blob, host: JobHost): JobContext {
  const noListeners = { report: () => {}, deadline: () => {}, deliver: async () => false };
  const open = (input: Blob) => new BlobSource(input, host.reader);
  return {
    ...noListeners,
    ...host,
    file,
    source: open(file),
    open,
    sink: new BlobSink(),
    lastModified: "lastModified" in file ? Number(file.lastModified) : Date.now(),
  };
}

/**
 * The return value of an engine that makes a file: nothing if the output is in {@link JobContext.sink}, one finished file,
 * or several files, which the worker puts into an archive.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: an engine that writes to the sink returns nothing
export type FileOutput = void | Blob | AsyncIterable<ZipEntry>;

/** The return value of an engine: see {@link FileOutput}. An engine that makes no file returns a value. */
export type EngineOutput<Name extends Engine> = Name extends keyof EngineValues
  ? { readonly value: EngineValues[Name] }
  : FileOutput;
