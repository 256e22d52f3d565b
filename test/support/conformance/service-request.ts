import type { ErrorCode, ErrorDetails } from "../../../src/shared/errors.ts";
import type { OperationName } from "./contract.ts";

/** A file in a form. */
export interface FormFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The value of one entry of a form. */
export type FormValue = string | FormFile;

/** The body of a request: a form, or text of another type. */
export type RequestBody =
  | { readonly form: readonly (readonly [name: string, value: FormValue])[] }
  | { readonly text: string; readonly type: string };

/** A request to the service and its answer, which is the same from every façade. */
export interface ServiceRequest {
  readonly title: string;
  readonly operation: OperationName;
  /** POST when absent. */
  readonly method?: "GET" | "PUT";
  readonly body?: RequestBody;
  readonly answer: Done | Failed;
}

export interface Done {
  readonly fileName: string;
  /** How the file begins, one character for each byte. */
  readonly begins: string;
}

export interface Failed {
  readonly code: ErrorCode;
  /** Some of the details. */
  readonly details?: ErrorDetails;
}

/** Returns a request that posts a form with those fields. */
export function request(
  title: string,
  operation: OperationName,
  /** A list repeats its field. */
  fields: Readonly<Record<string, FormValue | readonly FormValue[]>>,
  answer: Done | Failed,
): ServiceRequest {
  const form = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, FormValue] => [name, each]),
  );
  return { title, operation, body: { form }, answer };
}
