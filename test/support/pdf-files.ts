import { readFileSync, writeFileSync } from "node:fs";
import { ServiceError, type WireError } from "../../src/shared/errors.ts";
import type { Scratch } from "./native-tools.ts";

/** Writes bytes to a fresh file and gives its path: what native programs are handed. */
export function onDisk(scratch: Scratch, bytes: Uint8Array, name = "file.pdf"): string {
  const path = scratch.path(name);
  writeFileSync(path, bytes);
  return path;
}

/** What a native program wrote, as the engine takes it. */
export function fromDisk(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

/** The ServiceError that the call must reject with; anything else is thrown on. */
export async function refusalOf(call: Promise<unknown>): Promise<WireError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return error.toWire();
    throw error;
  }
  throw new Error("expected a refusal, but the call succeeded");
}
