import { ServiceError } from "../../../src/errors.ts";

/** For a browser that does not write a format that every browser with workers and canvases writes. */
export function notWritten(format: string): never {
  throw new ServiceError("internal_error", `This browser did not write the ${format} image.`);
}
