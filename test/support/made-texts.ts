import { normalizeBytes, protectBytes, splitBytes, unlockBytes } from "./engine.ts";

/** A file as text, one character for each byte. */
export const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** A text as bytes, one byte for each character. */
export const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

/** Splits a document and returns the files as texts. */
export async function splitTexts(input: Uint8Array, pages = "1"): Promise<string[]> {
  return (await splitBytes(input, { pages })).map(({ bytes }) => textOf(bytes));
}

/** Rewrites a document and returns it as text. */
export async function rewrittenText(input: Uint8Array): Promise<string> {
  return textOf(await normalizeBytes(input));
}

/** Protects and unlocks a document and returns it as text. */
export async function unlockedText(input: Uint8Array): Promise<string> {
  return textOf(await unlockBytes(await protectBytes(input, { password: "x" }), "x"));
}
