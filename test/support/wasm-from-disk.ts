import { readFile } from "node:fs/promises";

const ROOT = new URL("../../", import.meta.url);

/** Takes the place of `wasm-module.ts` in Node, where a file has no URL that `fetch` reads. */
export async function wasmModule(address: string): Promise<WebAssembly.Module> {
  const path = address.replace(/\?.*$/, "");
  const file = path.startsWith("/@fs/") ? path.slice("/@fs".length) : new URL(`.${path}`, ROOT);
  return WebAssembly.compile(await readFile(file));
}
