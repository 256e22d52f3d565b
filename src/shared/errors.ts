import { ERROR_STATUS, type ErrorCode } from "./error-codes.ts";
import type { ErrorDetails } from "./error-details.ts";

export { ERROR_STATUS, type ErrorCode, type ErrorDetails };

/** A {@link ServiceError} as plain data, for messages between page and worker and for JSON answers. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** A {@link ServiceError} with one code, or with one of several. */
export interface ErrorOf<Code extends ErrorCode> extends Error {
  readonly name: "ServiceError";
  /** The kind of the error. */
  readonly code: Code;
  /** The HTTP status that belongs to the code. */
  readonly status: number;
  /** Facts for a program, such as `parameter`, `position` and `page_count`. Never a password or a key. */
  readonly details: ErrorDetails<Code>;
  /** Returns the error as plain data. */
  toWire(): WireError;
}

/** An error of a call, by its code: a comparison of `code` gives `details` its type. */
export type ServiceError = { readonly [Code in ErrorCode]: ErrorOf<Code> }[ErrorCode];

/** The class of {@link ServiceError}. */
export interface ServiceErrorClass {
  new <Code extends ErrorCode>(code: Code, message: string, details?: ErrorDetails<Code>): ErrorsOf<Code>;
  readonly prototype: ServiceError;
  /** What `instanceof` calls. Its type lets TypeScript tell an error from other values in both branches. */
  [Symbol.hasInstance](value: unknown): value is ServiceError;
  /** Creates an error from its plain data. */
  fromWire(error: WireError): ServiceError;
}

/** The members of {@link ServiceError} with these codes. */
type ErrorsOf<Code extends ErrorCode> = { readonly [Each in Code]: ErrorOf<Each> }[Code];

/**
 * The only error that calls reject with. An aborted call rejects with `signal.reason` instead.
 *
 * @example
 * try {
 *   await client.unlockPdf({ file, password });
 * } catch (error) {
 *   if (error instanceof ServiceError && error.code === "wrong_password") askAgain();
 *   else throw error;
 * }
 */
export const ServiceError = class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  declare static [Symbol.hasInstance]: ServiceErrorClass[typeof Symbol.hasInstance];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.details = details;
  }

  toWire(): WireError {
    return { code: this.code, message: this.message, details: this.details };
  }

  static fromWire({ code, message, details }: WireError) {
    return new ServiceError(code, message, details);
  }
} as ServiceErrorClass;
