import { readFile } from "node:fs/promises";

/** The contract, as it is in `openapi.yaml`. */
export type Contract = Readonly<Record<string, unknown>>;

const isBuilt = !import.meta.url.endsWith(".ts");

/** Reads the contract: the JSON beside the built file, or the YAML of the sources. */
export async function readContract(): Promise<Contract> {
  if (isBuilt) return JSON.parse(await readFile(new URL("openapi.json", import.meta.url), "utf8"));
  const { parse } = await import("yaml");
  return parse(await readFile(new URL("../../openapi.yaml", import.meta.url), "utf8"));
}

/** Returns the contract of the service at a URL. */
export function contractAt(contract: Contract, url: string): Contract {
  return { ...contract, servers: [{ url }] };
}
