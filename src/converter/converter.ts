import type { FormatId } from "../shared/formats.ts";

/** What a converter gets beside the file. */
export interface ConverterRequest {
  /** The format to convert to. */
  readonly to: FormatId;
  /** Aborted when the call ends. */
  readonly signal: AbortSignal;
  /** Reports the progress: `done` of `total` pages, bytes or percent. `total` is 0 when it is unknown. */
  report(done: number, total: number): void;
}

/** An engine of the app, for pairs of formats that the device does not convert. It runs on the page. */
export interface Converter {
  /** The formats that it reads, such as `"docx"` or `["docx", "odt"]`. */
  readonly from: FormatId | readonly FormatId[];
  /** The formats that it writes. It converts each format of `from` to each of these. */
  readonly to: FormatId | readonly FormatId[];
  /** Whether it sends the file away from the device. Under `remote: "never"`, it is then never called. Default: false. */
  readonly uploads?: boolean | undefined;
  /**
   * Converts a file.
   *
   * @param file its name ends with the extension of its content, and its type is that of its content
   * @returns a file of the format `to`. In place of several images, a zip of them
   */
  convert(file: File, request: ConverterRequest): Promise<Blob>;
}
