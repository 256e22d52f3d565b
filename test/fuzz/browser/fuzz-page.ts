// A page that runs calls of the built package on mutated files.
import { type Client, type ConvertParams, createClient, ServiceError } from "../../../src/index.ts";

/** A call on one file. */
export interface PageCall {
  readonly method: "convert" | "inspect" | "renderPages";
  /** All fields but `file`. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

export interface PageRequest {
  /** The file in base64. */
  readonly file: string;
  readonly call: PageCall;
  readonly maxWorkers: number;
  /** Whether the output is wanted back. */
  readonly wantsOutput: boolean;
}

/** How a call ended. */
export type PageOutcome =
  | {
      readonly kind: "files";
      /** The SHA-256 of the output. */
      readonly digest: string;
      readonly mime: string;
      /** In base64; empty unless it was wanted. */
      readonly output: string;
    }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error"; readonly message: string };

declare global {
  interface Window {
    /** Runs a call. */
    fuzz(request: PageRequest): Promise<PageOutcome>;
  }
}

/** Archives carry the date of their input. */
const LAST_MODIFIED = Date.UTC(2020, 0, 1);

const clients = new Map<number, Client>();

window.fuzz = async ({ file: base64, call, maxWorkers, wantsOutput }) => {
  const client = clients.get(maxWorkers) ?? createClient({ maxWorkers });
  clients.set(maxWorkers, client);
  const bytes = await (await fetch(`data:;base64,${base64}`)).arrayBuffer();
  const file = new File([bytes], "mutated", { lastModified: LAST_MODIFIED });
  try {
    const output = await outputOf(client, file, call);
    const digest = await crypto.subtle.digest("SHA-256", await output.arrayBuffer());
    return {
      kind: "files",
      digest: await base64Of(new Blob([digest])),
      mime: output.type,
      output: wantsOutput ? await base64Of(output) : "",
    };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError))
      return { kind: "untyped error", message: thrown instanceof Error ? `${thrown.stack}` : String(thrown) };
    const cause = "cause" in thrown.details ? ` (${thrown.details.cause})` : "";
    return { kind: "typed error", code: thrown.code, message: thrown.message + cause };
  }
};

/** Runs a call. A call that makes no file returns what it says as JSON, and drawn pages one after the other. */
async function outputOf(client: Client, file: File, { method, fields }: PageCall): Promise<Blob> {
  if (method === "inspect") return new Blob([JSON.stringify(await client.inspect({ file, ...fields }))]);
  if (method === "renderPages") {
    const pages: Blob[] = [];
    for await (const { blob } of client.renderPages({ file, width: 200, ...fields })) pages.push(blob);
    return new Blob(pages);
  }
  const result = await client.convert({ file, output_format: "png", ...(fields as Partial<ConvertParams>) });
  const output = client.blob(result);
  client.release(result);
  return output;
}

async function base64Of(blob: Blob): Promise<string> {
  const reader = new FileReader();
  const loaded = new Promise((resolve) => reader.addEventListener("load", resolve));
  reader.readAsDataURL(blob);
  await loaded;
  return String(reader.result).replace(/^[^,]*,/, "");
}

document.title = "ready";
