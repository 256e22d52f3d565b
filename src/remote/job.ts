import type { FormatId } from "../shared/formats.ts";

/** A conversion for the remote service. */
export interface RemoteJob {
  readonly engine: "remote";
  readonly file: Blob;
  /** The name of the file without its extension. */
  readonly name: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** The form fields, by the names of the service. Undefined fields are not sent. */
  readonly fields: Readonly<Record<string, unknown>>;
}
