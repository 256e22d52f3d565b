import type { FormatId } from "../shared/formats.ts";

/** A conversion that the remote service is to do. */
export interface RemoteJob {
  readonly engine: "remote";
  readonly file: Blob;
  /** What the file is called, without its extension. */
  readonly name: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** The form fields by the service's names; what is undefined is not sent. */
  readonly fields: Readonly<Record<string, unknown>>;
}
