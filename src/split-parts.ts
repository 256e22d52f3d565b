import type { CallOptions } from "./call-options.ts";
import { type DeliveryHost, deliveries, type LoopJob } from "./deliveries.ts";
import { readFields } from "./fields.ts";
import { readInputs } from "./inputs.ts";
import { fieldPolicy, OPERATIONS, splitOptions } from "./operations.ts";
import { outOfMemory } from "./shared/failure.ts";
import type { Job, SplitPart } from "./shared/protocol.ts";
import { isStored } from "./shared/read-blob.ts";

/**
 * Yields the PDFs of a split in order, each as soon as it is made. The worker waits while the loop is busy.
 *
 * @throws {ServiceError} what `splitPdf` throws; `out_of_memory` for a part that the browser cannot store. An aborted call
 *   throws `signal.reason`
 */
export async function* splitParts(
  params: object,
  callOptions: CallOptions,
  host: DeliveryHost,
): AsyncGenerator<SplitPart, void, undefined> {
  for await (const part of deliveries(jobOf(params), callOptions, host)) {
    if (!(await isStored(part.file))) throw outOfMemory();
    yield part;
  }
}

async function jobOf(params: object): Promise<LoopJob<Job<"pdf/split-parts">>> {
  const { fields, accepts } = OPERATIONS.splitPdf;
  const values = readFields(fields, params, fieldPolicy("splitPdf", "refused"));
  const [input] = await readInputs(values.file, accepts);
  const { password } = values;
  return {
    file: input.file,
    password,
    with: (known) => ({ engine: "pdf/split-parts", ...splitOptions({ ...values, password: known }, input) }),
  };
}
