import type { ServiceResult } from "../downloads.ts";
import type { CallOptions } from "../pool/worker-slot.ts";
import type { OperationName } from "./path.ts";

/** The operations, called with fields that are not checked yet. */
export type Methods = Readonly<
  Record<OperationName, (params: object, options?: ServiceCallOptions) => Promise<ServiceResult>>
>;

/** The options of a call that comes as a request to the service. */
export interface ServiceCallOptions extends CallOptions {
  /** The key of the request. The remote service gets it instead of the key of the client. */
  readonly apiKey?: string | undefined;
}
