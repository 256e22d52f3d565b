import type { ServiceResult } from "../downloads.ts";
import type { OPERATIONS } from "../operations.ts";
import type { CallOptions } from "../pool/worker-slot.ts";

/** The operations, called with fields that are not checked yet. */
export type Methods = Readonly<
  Record<keyof typeof OPERATIONS, (params: object, options?: ServiceCallOptions) => Promise<ServiceResult>>
>;

/** The options of a call that comes as a request to the service. */
export interface ServiceCallOptions extends CallOptions {
  /** The key of the request. The remote service gets it instead of the key of the client. */
  readonly apiKey?: string | undefined;
}
