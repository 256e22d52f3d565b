import { vi } from "vitest";
import type { CallOptions, ServiceResult } from "../../src/index.ts";

/** A call of the app that a test ends. */
export interface AppCall {
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal | undefined;
  /** Ends it with a file of so many bytes. The app has it when the promise is settled. */
  end(name: string, size?: number, type?: string): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** The calls that the app has made, from the first. */
export const appCalls: AppCall[] = [];

/** The names of the results that the app has freed. */
export const released: string[] = [];

const outputs = new Map<ServiceResult, File>();

function call(method: string) {
  return (params: unknown, { signal }: CallOptions = {}) =>
    new Promise<ServiceResult>((resolve, reject) => {
      const end = async (name: string, size = 1, type = "") => {
        const result: ServiceResult = { success: true, download_url: "blob:", file_name: name };
        outputs.set(result, new File([new Uint8Array(size)], name, { type }));
        resolve(result);
        await handled();
      };
      const fail = async (error: unknown) => {
        reject(error);
        await handled();
      };
      signal?.addEventListener("abort", () => reject(signal.reason));
      appCalls.push({ method, params, signal, end, fail });
    });
}

/** Lets the app handle what has been settled. */
function handled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

// The jobs ask it how many workers there are, and whether there is a network. Old Nodes have none.
vi.stubGlobal("navigator", { hardwareConcurrency: 2, onLine: true });

/** Takes the place of the client of the app (demo/state/client.ts), for `vi.mock`. */
export const client = {
  protectPdf: call("protectPdf"),
  unlockPdf: call("unlockPdf"),
  splitPdf: call("splitPdf"),
  mergePdf: call("mergePdf"),
  compressPdf: call("compressPdf"),
  cleanPdf: call("cleanPdf"),
  convert: call("convert"),
  inspect: call("inspect"),
  blob: (result: ServiceResult) => outputs.get(result) ?? new File([], "unknown"),
  release: ({ file_name }: ServiceResult) => {
    released.push(file_name);
  },
};
