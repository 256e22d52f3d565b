import { notLoaded } from "../../src/shared/load-failure.ts";
import { withMemoryLimit } from "./memory-limit.ts";

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/**
 * Returns a WebAssembly file that ships beside the worker, fetched and compiled on first use.
 *
 * @param mostPages the limit of its memory, in pages of 64 KiB. By default, that of the file
 * @throws {ServiceError} `offline` when the device is offline. `internal_error` when the file is not served, or when the
 * content security policy forbids it
 */
export function wasmModule(address: string, mostPages?: number): Promise<WebAssembly.Module> {
  const known = compiled.get(address);
  if (known !== undefined) return known;
  const module = compile(address, mostPages).catch(async (thrown: unknown) => {
    compiled.delete(address);
    throw await notLoaded({
      part: "A WebAssembly file of Stayput",
      url: address,
      reason: String(thrown),
      directive: "script-src 'wasm-unsafe-eval'",
    });
  });
  compiled.set(address, module);
  return module;
}

/** Takes over a module that another worker has compiled. */
export function adoptWasmModule(address: string, module: WebAssembly.Module): void {
  if (!compiled.has(address)) compiled.set(address, Promise.resolve(module));
}

async function compile(address: string, mostPages?: number): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  if (mostPages !== undefined)
    return WebAssembly.compile(withMemoryLimit(new Uint8Array(await response.arrayBuffer()), mostPages));
  // Many servers do not send the MIME type. Without it, the browser must not compile while loading.
  const streams = response.headers.get("Content-Type") === "application/wasm";
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
