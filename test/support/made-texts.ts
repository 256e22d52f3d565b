import { normalizeBytes, protectBytes, splitBytes, unlockBytes } from "./engine.ts";

/** The text of a file, a character a byte. */
export const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** A file of a text, a byte a character. */
export const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

/** The files that a document is split into, each as text. */
export async function splitTexts(input: Uint8Array, pages = "1"): Promise<string[]> {
  return (await splitBytes(input, { pages })).map(({ bytes }) => textOf(bytes));
}

/** A document written anew, as text. */
export async function rewrittenText(input: Uint8Array): Promise<string> {
  return textOf(await normalizeBytes(input));
}

/** A document protected and unlocked again, as text. */
export async function unlockedText(input: Uint8Array): Promise<string> {
  return textOf(await unlockBytes(await protectBytes(input, { password: "x" }), "x"));
}
