import type { ErrorCode } from "./error-codes.ts";

/** What may be in the details of every error. */
interface CommonDetails {
  /** For the developer: what was thrown, or what is wrong and what to do. */
  cause?: string | undefined;
  /** The place of the file that failed in the list of files, from 0. */
  file_index?: number | undefined;
  /** The number of the page that failed, from 1. */
  page?: number | undefined;
  /** The HTTP status of the remote service, if it sent the error. */
  status?: number | undefined;
  /** The remote service may add others. */
  [name: string]: string | number | boolean | undefined;
}

/** The field or the option of the error. */
interface OfParameter {
  /** The name of the field or of the option. */
  parameter?: string | undefined;
}

/** The formats of a conversion. */
interface OfPair {
  /** The format of the file, as `inspect` names it. */
  from?: string | undefined;
  /** The format that was asked for. */
  to?: string | undefined;
}

/** What each code adds. */
interface DetailsByCode {
  missing_parameter: OfParameter;
  invalid_parameter: OfParameter & {
    /** For `max_bytes`: the smallest size in bytes that is possible. */
    smallest?: number | undefined;
  };
  invalid_page_selection: OfParameter & {
    /** Where the error is: the index of a character in the text, or of an entry of a sequence. From 0. */
    position?: number | undefined;
    /** The number of pages of the document. Absent when the text is wrong for any document. */
    page_count?: number | undefined;
  };
  input_too_large: {
    /** The name of the limit. */
    limit?: string | undefined;
    /** The size of the picture in pixels. */
    width?: number | undefined;
    height?: number | undefined;
    /** The most pixels on a side. */
    longest_side?: number | undefined;
    /** The most pixels of a picture: its width times its height. */
    largest_area?: number | undefined;
    /** The largest `dpi` that fits. */
    largest_dpi?: number | undefined;
    /** The largest `width` that fits, in pixels. */
    largest_width?: number | undefined;
    /** What was asked for, in bytes. */
    size?: number | undefined;
    /** The most bytes. */
    largest_size?: number | undefined;
    /** The pages of the call so far, and the most. */
    pages?: number | undefined;
    largest_pages?: number | undefined;
    /** The pixels of the call so far, and the most. */
    pixels?: number | undefined;
    largest_pixels?: number | undefined;
    /** The files of a split, and the most. */
    files?: number | undefined;
    largest_files?: number | undefined;
    /** The bytes of the file, and the most bytes of what is made of it. */
    input_bytes?: number | undefined;
    output_limit_bytes?: number | undefined;
    /** The most bytes of memory. */
    largest_memory_bytes?: number | undefined;
    /** The most seconds of work. */
    largest_seconds?: number | undefined;
    /** The most objects of a PDF. */
    largest_objects?: number | undefined;
    /** The most entries of an outline. */
    largest_outline_entries?: number | undefined;
    /** The most names in the content of a page. */
    largest_count?: number | undefined;
    /** The scans of a JPG, and the most. */
    scans?: number | undefined;
    largest_scans?: number | undefined;
    /** The images of the file, and the most. */
    page_count?: number | undefined;
    most?: number | undefined;
  };
  unsupported_input: {
    /** The four letters of the coding of a HEIC that is not read, such as `av01`. */
    coding?: string | undefined;
  };
  unsupported_conversion: OfParameter &
    OfPair & {
      /** The kind of the format, or what cannot be removed, if that is the reason. */
      kind?: string | undefined;
    };
  password_required: OfParameter;
  rate_limited: {
    /** When to ask again, in seconds from now. */
    retry_after?: number | undefined;
  };
  internal_error: {
    /** The version of Stayput of a file that does not fit, and that of the page. */
    version?: string | undefined;
    expected?: string | undefined;
    /** The URL of a file of Stayput that did not load. */
    url?: string | undefined;
  };
  remote_not_configured: OfPair;
  remote_refused: OfPair & {
    /** The origin that the request was for. */
    origin?: string | undefined;
  };
  remote_failed: {
    /** The origin of the result, when it is not allowed. */
    origin?: string | undefined;
    /** The bytes of the result, and the most that is downloaded. */
    size?: number | undefined;
    largest_size?: number | undefined;
    /** When to ask again, in seconds from now. */
    retry_after?: number | undefined;
  };
  converter_failed: OfPair;
  timeout: {
    /** The option `timeout`, in milliseconds. */
    timeout?: number | undefined;
  };
  out_of_memory: {
    /** The size of the picture in pixels. */
    width?: number | undefined;
    height?: number | undefined;
  };
}

type Known = DetailsByCode & { readonly every: { readonly [Name in CommonName]?: CommonDetails[Name] } };
type CommonName = "cause" | "file_index" | "page" | "status";

/** The name of a detail in any error. A name has the same type in all of them. */
export type DetailName = { [Code in keyof Known]: keyof Known[Code] }[keyof Known];

/** Which type each detail has. */
export type DetailTypes = { readonly [Name in DetailName]: TypeName<ValueOf<Name>> };

type ValueOf<Name extends DetailName> = {
  [Code in keyof Known]: Name extends keyof Known[Code] ? NonNullable<Known[Code][Name]> : never;
}[keyof Known];
type TypeName<Value> = Value extends string ? "string" : "number";

type DetailsOf<Code extends ErrorCode> = Code extends keyof DetailsByCode
  ? CommonDetails & DetailsByCode[Code]
  : CommonDetails;

/**
 * Facts about an error besides its message: plain data for `structuredClone` and JSON. `error.details` has this type for the code of
 * the error. Any may be absent.
 *
 * @example
 * function hint({ smallest }: ErrorDetails<"invalid_parameter">) {
 *   return smallest === undefined ? "" : `At least ${smallest} bytes.`;
 * }
 */
export type ErrorDetails<Code extends ErrorCode = ErrorCode> = Readonly<DetailsOf<Code>>;
