import { FuzzThread } from "../fuzz-thread.ts";
import { mutateBytes } from "../mutate-bytes.ts";
import { Random } from "../random.ts";
import type { MutatedInput, Settings, StartedTarget } from "../target.ts";
import { copyOf, type FormModel, writeForm } from "./form-model.ts";
import type { FormOutcome, FormRequest } from "./form-worker.ts";
import { FORM_MUTATIONS } from "./mutations.ts";
import { FORM_SEEDS, SECRET } from "./seeds.ts";

const GROWTH_LIMIT = 600 * 1024 ** 2;
const SIZE_LIMIT = 4 * 1024 * 1024;
const FACADES = ["client.fetch", "service worker", "navigation"] as const;

/** A mutated form, and how it arrives. */
interface FormCase extends MutatedInput {
  readonly request: FormRequest;
}

/** Starts the fuzzer of the façades: each case is one request with a form. */
export async function startForms({ seedNumber, tally }: Settings): Promise<StartedTarget> {
  const thread = new FuzzThread<FormRequest, FormOutcome>(new URL("./form-worker.ts", import.meta.url));
  return {
    seeds: FORM_SEEDS.length,
    async examine(index) {
      const formCase = makeFormCase(seedNumber, index);
      const run = await thread.run(formCase.request);
      tally.count(formCase, formCase.request.facade, run, GROWTH_LIMIT);
      return formCase.log;
    },
    close: () => thread.close(),
  };
}

/** Returns the case that a seed number and an index determine. */
function makeFormCase(seedNumber: number, index: number): FormCase {
  const random = new Random(seedNumber, index);
  const form = copyOf(random.pick(FORM_SEEDS));
  const log = [form.path];
  for (let count = random.pick([1, 1, 1, 2, 2, 3, 5]); count > 0; count--) {
    const description = random.pick(FORM_MUTATIONS)(form, random);
    if (description !== undefined) log.push(description);
  }
  // Elsewhere, it is no password, and a message may quote it.
  const isSecret = form.parts.every(
    ({ name, header, content }) =>
      (name === "password" && header === undefined) || !Buffer.from(content).includes(SECRET),
  );
  let body = writeForm(form);
  const isWhole = form.contentType === undefined && form.lineBreak === "\r\n" && !random.chance(0.12);
  if (!isWhole && random.chance(0.5)) {
    const changed = mutateBytes(body, random);
    body = changed.bytes;
    log.push(...changed.log);
  }
  const request: FormRequest = {
    ...{ path: form.path, method: form.method, headers: headersOf(form) },
    body: new Uint8Array(body.subarray(0, SIZE_LIMIT)),
    pieces: random.pick([0, 0, 1000, 65_536, body.length < 2000 ? 1 : 10_000]),
    facade: random.pick(FACADES),
    secret: isWhole && isSecret ? SECRET : undefined,
  };
  return { index, input: request.body, log: [...log, JSON.stringify(request.headers)], request };
}

function headersOf({ boundary, contentType, authorization }: FormModel): Readonly<Record<string, string>> {
  return {
    "content-type": contentType ?? `multipart/form-data; boundary=${boundary}`,
    ...(authorization !== undefined && { authorization }),
  };
}
