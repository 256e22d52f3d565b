import { vi } from "vitest";
import { Downloads } from "../../src/downloads.ts";
import type { CallOptions, ServiceResult } from "../../src/index.ts";
import type { CompressParams, ConvertParams } from "../../src/operation-params.ts";

/** `client.convert`, as uploaders call it. */
export type Convert = (params: ConvertParams, options?: CallOptions) => Promise<ServiceResult>;

const downloads = new Downloads();

/** Makes a JPEG of any file. */
export async function converts(): Promise<ServiceResult> {
  return downloads.createResult(new Blob(["made"], { type: "image/jpeg" }), "blob.jpg");
}

/** Returns the part of a client that uploaders use. */
export function converterClient(convert: Convert = converts) {
  const blob = (result: ServiceResult) => downloads.fileOf(result);
  const compressPdf = vi.fn(async (_: CompressParams) =>
    downloads.createResult(new Blob(["small"], { type: "application/pdf" }), "compressed-blob.pdf"),
  );
  return { convert: vi.fn(convert), compressPdf, blob, release: vi.fn() };
}

/** Returns a `convert` that only an abort ends, and the signals of its calls. */
export function hangingConvert() {
  const signals: (AbortSignal | undefined)[] = [];
  const convert: Convert = (_, options) => {
    const signal = options?.signal;
    signals.push(signal);
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  };
  return { convert, signals };
}
