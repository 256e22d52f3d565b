import { inflateSync } from "node:zlib";
import { protectBytes, repairBytes, splitBytes, unlockBytes } from "./engine.ts";

/** A file as text, one character for each byte. */
export const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** A text as bytes, one byte for each character. */
export const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

/** Splits a document and returns the files as texts. */
export async function splitTexts(input: Uint8Array, pages = "1"): Promise<string[]> {
  return (await splitBytes(input, { pages })).map(({ bytes }) => textOf(bytes));
}

/** Repairs a document and returns it as text. */
export async function repairedText(input: Uint8Array): Promise<string> {
  return textOf(await repairBytes(input));
}

/** Protects and unlocks a document and returns it as text, with its packed objects after the file. */
export async function unlockedText(input: Uint8Array): Promise<string> {
  return readableText(await unlockBytes(await protectBytes(input, { password: "x" }), "x"));
}

/** A file that is not encrypted as text, and after it the objects of its object streams as if they were not packed. */
export function readableText(bytes: Uint8Array): string {
  const objects = [...objectTexts(bytes)].map(([num, text]) => `${num} 0 obj\n${text}\nendobj\n`);
  return textOf(bytes) + objects.join("");
}

/**
 * The objects of a file as texts, by number. Reads object streams, too. Streams are without their data, and the file must
 * not be encrypted.
 */
export function objectTexts(bytes: Uint8Array): ReadonlyMap<number, string> {
  const text = textOf(bytes);
  const objects = new Map<number, string>();
  for (const [, num, body = "", data = ""] of text.matchAll(OBJECT)) {
    objects.set(Number(num), body.trim());
    if (!body.includes("/Type /ObjStm")) continue;
    const unpacked = textOf(inflateSync(bytesOf(data)));
    const [, count = "", start = ""] = /\/N (\d+)\/First (\d+)/.exec(body) ?? [];
    const places = unpacked.slice(0, Number(start)).trim().split(/\s+/).map(Number);
    for (let index = 0; index < Number(count); index++) {
      const [own = 0, offset = 0, , next] = places.slice(2 * index);
      const end = next === undefined ? undefined : Number(start) + next;
      objects.set(own, unpacked.slice(Number(start) + offset, end).trim());
    }
  }
  return objects;
}

const OBJECT = /(\d+) 0 obj\n(.*?)(?:\nstream\n(.*?)\nendstream)?\nendobj/gs;
