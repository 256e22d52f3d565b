import type { ServiceResult } from "../downloads.ts";
import type { OPERATIONS } from "../operations.ts";
import type { CallOptions } from "../pool/worker-slot.ts";

/** The operations as the façades call them, with fields that nobody has checked. */
export type Methods = Readonly<
  Record<keyof typeof OPERATIONS, (params: object, options?: ServiceCallOptions) => Promise<ServiceResult>>
>;

/** What a request to the service says beside its form. */
export interface ServiceCallOptions extends CallOptions {
  /** Shown to the remote service in place of the client's own. */
  readonly apiKey?: string | undefined;
}
