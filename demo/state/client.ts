import { signal } from "@preact/signals";
import { type Client, createClient, type RemoteRequest, ServiceError } from "../../src/index.ts";
import { serviceKey, serviceUrl } from "./service.ts";

/** Asks the user whether a file may leave the device. */
export interface LeaveQuestion {
  readonly fileName: string;
  answer(mayLeave: boolean): void;
}

/** The question that the page shows. */
export const leaveQuestion = signal<LeaveQuestion | undefined>(undefined);

let mayLeave: Promise<boolean> | undefined;

/** Asks the user for permission, once for all jobs. After a refusal, the next job asks again. */
function askOnce({ file }: RemoteRequest): Promise<boolean> {
  mayLeave ??= new Promise<boolean>((resolve) => {
    leaveQuestion.value = { fileName: file instanceof File ? file.name : "", answer: resolve };
  }).then((isAllowed) => {
    leaveQuestion.value = undefined;
    if (!isAllowed) mayLeave = undefined;
    return isAllowed;
  });
  return mayLeave;
}

const settings = {
  ...(serviceUrl === undefined ? {} : { baseUrl: serviceUrl, apiKey: serviceKey, onRemote: askOnce }),
  fontUrl: new URL("fonts/", document.baseURI),
};

/** Whether the browser lets the workers send nothing: not tried yet, being tried, or what came of it. */
export const seal = signal<"unknown" | "trying" | "sealed" | "open">("unknown");

let chosen: Client | undefined;
let choosing: Promise<Client> | undefined;

/** Returns the client of the app. The first call tries whether the browser seals the work. If not, the page says so. */
function chosenClient(): Promise<Client> {
  choosing ??= choose().then((client) => {
    chosen = client;
    return client;
  });
  return choosing;
}

/** How long the page waits for the seal before it works without. */
const SEAL_LIMIT_MS = 8_000;

async function choose(): Promise<Client> {
  // The development server has no built files: there, workers start from the sources.
  if (import.meta.env.DEV) return createClient(settings);
  const assetUrl = new URL("stayput/", document.baseURI);
  const sealed = createClient({ ...settings, assetUrl, sealed: true });
  // The answer to this file is an error, but not one of the seal.
  const trying = sealed.inspect({ file: new Blob(["%PDF-"]) }).then(
    () => true,
    (thrown: unknown) => !(thrown instanceof ServiceError) || thrown.code !== "sealed_unavailable",
  );
  const waiting = new Promise<false>((resolve) => setTimeout(resolve, SEAL_LIMIT_MS, false));
  seal.value = "trying";
  seal.value = (await Promise.race([trying, waiting])) ? "sealed" : "open";
  if (seal.value === "sealed") return sealed;
  sealed.close();
  return createClient({ ...settings, assetUrl });
}

/** Returns the client that made a result. */
function usedClient(): Client {
  if (chosen === undefined) throw new Error("There is no result yet");
  return chosen;
}

/** The client of the app. */
export const client = {
  protectPdf: async (...call) => (await chosenClient()).protectPdf(...call),
  unlockPdf: async (...call) => (await chosenClient()).unlockPdf(...call),
  splitPdf: async (...call) => (await chosenClient()).splitPdf(...call),
  mergePdf: async (...call) => (await chosenClient()).mergePdf(...call),
  compressPdf: async (...call) => (await chosenClient()).compressPdf(...call),
  cleanPdf: async (...call) => (await chosenClient()).cleanPdf(...call),
  convert: async (...call) => (await chosenClient()).convert(...call),
  inspect: async (...call) => (await chosenClient()).inspect(...call),
  receipt: async (...call) => (await chosenClient()).receipt(...call),
  async *renderPages(...call) {
    yield* (await chosenClient()).renderPages(...call);
  },
  blob: (result) => usedClient().blob(result),
  release: (result) => usedClient().release(result),
} satisfies Partial<Client>;
