// The first script of a sealed worker: a worker in a frame that the browser lets send nothing. It checks the seal, and gives the
// engines what they expect of a worker: the other files, and helpers. It is a classic script.
import type {
  AesAnswer,
  AesRequest,
  FrameAes,
  PartAnswer,
  PartRequest,
  SealBroken,
  SealedSetup,
} from "../../src/shared/sealing.ts";
import { sealFlawIn } from "../../src/shared/sealing.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;
const NativeWorker = globalThis.Worker;
const platformFetch = globalThis.fetch.bind(globalThis);

scope.addEventListener("message", ({ data }: MessageEvent<SealedSetup>) => open(data), { once: true });

async function open(setup: SealedSetup): Promise<void> {
  // The code is not there yet to listen.
  const early: MessageEvent[] = [];
  const hold = (event: MessageEvent) => {
    event.stopImmediatePropagation();
    early.push(event);
  };
  scope.addEventListener("message", hold);
  const flaw = await flawOfSeal();
  if (flaw !== undefined) return scope.postMessage({ stayputUnsealed: flaw } satisfies SealBroken);
  replaceGlobals(setup);
  try {
    await import(/* @vite-ignore */ URL.createObjectURL(setup.code));
  } catch (thrown) {
    // An error event reaches the page.
    setTimeout(() => {
      throw thrown;
    });
    return;
  }
  scope.removeEventListener("message", hold);
  for (const { data, ports } of early)
    scope.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
}

/**
 * Returns why this worker is not sealed, if the browser does not do what the frame asks for: an origin of its own, and a policy
 * that forbids every request. The attempt sends nothing, even if the policy does not hold.
 */
async function flawOfSeal(): Promise<string | undefined> {
  if (scope.origin !== "null") return `The worker has the origin ${scope.origin}.`;
  const isForbidden = await platformFetch("data:,").then(
    () => false,
    () => true,
  );
  return isForbidden ? undefined : "The policy of the frame does not hold in its workers.";
}

/** Posts a request with a port for the answer. Resolves with the answer. */
async function answerTo<Answer>(line: MessagePort, request: unknown, moved: Transferable[]): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  line.postMessage(request, [port2, ...moved]);
  const answer = await new Promise<Answer>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  port1.close();
  return answer;
}

/** Returns what asks the frame at a port for AES. */
function aesAt(line: MessagePort): FrameAes {
  return async ({ direction, key, iv, data }) => {
    // Copies of the bytes alone: a message of a view takes its whole buffer along.
    const request: AesRequest = { direction, key: key.slice(), iv: iv.slice(), data: data.slice() };
    const answer = await answerTo<AesAnswer>(line, request, [request.data.buffer]);
    if ("failure" in answer) throw new Error(answer.failure);
    return answer.bytes;
  };
}

/** Replaces what would need the network, and adds the WebCrypto of the frame. */
function replaceGlobals({ code, parts, aes }: SealedSetup): void {
  const ask = async (address: string): Promise<Response> => {
    const answer = await answerTo<PartAnswer>(parts, address satisfies PartRequest, []);
    if ("failure" in answer) throw new TypeError(answer.failure);
    const { status, body, type } = answer;
    return new Response(body, { status, headers: { "Content-Type": type } });
  };

  /** A helper, started by the script of this worker. */
  class SealedWorker extends NativeWorker {
    constructor(address: string | URL) {
      super(address);
      const line = new MessageChannel();
      parts.postMessage(null satisfies PartRequest, [line.port1]);
      const setup: SealedSetup = { code, parts: line.port2 };
      this.postMessage(setup, [line.port2]);
      // A helper that is not sealed fails.
      this.addEventListener("message", (event) => {
        if (sealFlawIn(event.data) === undefined) return;
        event.stopImmediatePropagation();
        this.dispatchEvent(new Event("error", { cancelable: true }));
      });
    }
  }

  Object.assign(globalThis, {
    fetch: (address: string | URL) => ask(String(address)),
    Worker: SealedWorker,
    stayputAes: aes && aesAt(aes),
    // scripts/worker-files.mjs: the loader of worker.js imports the other files from the URL that this returns.
    stayputModuleUrl: async (address: string) => {
      const response = await ask(address);
      if (!response.ok) throw new TypeError(`status ${response.status}`);
      const module = new Blob([await response.blob()], { type: "text/javascript" });
      return URL.createObjectURL(module);
    },
  });
}
