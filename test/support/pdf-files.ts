import { readFileSync, writeFileSync } from "node:fs";
import { ServiceError, type WireError } from "../../src/shared/errors.ts";
import type { Scratch } from "./native-tools.ts";

/** Writes bytes to a new file for native programs and returns its path. */
export function onDisk(scratch: Scratch, bytes: Uint8Array, name = "file.pdf"): string {
  const path = scratch.path(name);
  writeFileSync(path, bytes);
  return path;
}

/** Reads a file that a native program wrote. */
export function fromDisk(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

/** Returns the ServiceError with which the call rejects. Throws when it rejects otherwise or succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<WireError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return error.toWire();
    throw error;
  }
  throw new Error("expected a refusal, but the call succeeded");
}
