import { installedPackage } from "../folder-urls.ts";
import type { EngineSetup } from "../platform/run-call.ts";
import type { RequestLog } from "./request-log.ts";

/** The options of the service. */
export interface ServiceOptions extends Pick<EngineSetup, "fontUrl"> {
  /** See {@link EngineSetup}. Default: where it is installed. */
  readonly packageUrl?: EngineSetup["packageUrl"] | undefined;
  /** LibreOffice's command. Without it, pairs with an office format are `unsupported_conversion`. */
  readonly soffice?: string | undefined;
  /** The key that callers must send. */
  readonly key: string;
  /** A folder for results that outlives the service, and that several copies may share. Default: a temporary one. */
  readonly results?: string | undefined;
  /** The URL that callers know, for the URLs of results. Default: http and the host that the request names. */
  readonly publicUrl?: string | undefined;
  /** The most bytes of the files of a request. Default 250 MB. */
  readonly uploadLimit?: number | undefined;
  /** How many uploads run at a time. A further upload ends the slowest one. Default 16. */
  readonly uploads?: number | undefined;
  /** How many milliseconds an upload may take. Default 240,000. */
  readonly uploadTimeLimit?: number | undefined;
  /** For how many milliseconds the rest of a refused upload is read. Default 10,000. */
  readonly refusedUploadTime?: number | undefined;
  /** For how many milliseconds an upload may send nothing when the service is about to stop. Default 5,000. */
  readonly stalledUploadTime?: number | undefined;
  /** For how many milliseconds a caller may read nothing of its download. Default 60,000. */
  readonly stalledDownloadTime?: number | undefined;
  /** How many calls run at a time. Default 2. */
  readonly concurrency?: number | undefined;
  /** How many further calls may wait. Others are refused. Default 8. */
  readonly waiting?: number | undefined;
  /** How many milliseconds a call may take. Default 60,000. */
  readonly timeLimit?: number | undefined;
  /** How many threads a call may have. Default 2. */
  readonly threads?: number | undefined;
  /** The most memory of the JavaScript heap of a thread, in megabytes. Default 1,024. */
  readonly heapLimit?: number | undefined;
  /** How many milliseconds a result is stored. Default ten minutes. */
  readonly keepFor?: number | undefined;
  /** How many results are stored. The oldest goes first. Default 1,000. */
  readonly mostResults?: number | undefined;
  /** Called with errors of the service itself. */
  readonly onFailure?: ((thrown: unknown) => void) | undefined;
  /** Called when a request has been answered. */
  readonly onRequest?: ((entry: RequestLog) => void) | undefined;
}

const MEGABYTE = 1_000_000;

/** The values of the options that are absent. */
export const DEFAULTS = {
  uploadLimit: 250 * MEGABYTE,
  uploads: 16,
  // Enough for the largest upload at 10 Mbit/s. After 300 s, Node ends the connection without an answer.
  uploadTimeLimit: 240_000,
  // Otherwise a slow sender would never get an answer.
  refusedUploadTime: 10_000,
  stalledUploadTime: 5_000,
  stalledDownloadTime: 60_000,
  concurrency: 2,
  waiting: 8,
  timeLimit: 60_000,
  threads: 2,
  heapLimit: 1_024,
  keepFor: 600_000,
  mostResults: 1_000,
  onFailure: () => {},
  onRequest: () => {},
} satisfies Partial<ServiceOptions>;

/** The options with the values of those that are absent. */
export type SettledOptions = ServiceOptions & {
  readonly [Name in keyof typeof DEFAULTS | "packageUrl"]: NonNullable<ServiceOptions[Name]>;
};

/**
 * Returns the options with their defaults.
 *
 * @throws {Error} for a key that a header cannot carry, and without the built package
 */
export function settled(options: ServiceOptions): SettledOptions {
  // A request without a key sends an empty one. A header cannot carry spaces or characters beyond ASCII in a key.
  if (!/^[\x21-\x7e]+$/.test(options.key))
    throw new Error("the key must have at least one character, only ASCII, and no spaces");
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { packageUrl = installedPackage() } = options;
  return Object.assign({ ...options, ...DEFAULTS, packageUrl }, Object.fromEntries(given));
}
