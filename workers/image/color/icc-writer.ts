import { equalBytes } from "../../io/equal-bytes.ts";
import { HEADER_BYTES, TAG_BYTES } from "./icc.ts";

/** A tag: its name of four letters, and its data from the type signature on. */
export type ProfileTag = readonly [name: string, data: Uint8Array];

const FIRST_WITH_UNICODE = 4;
/**
 * The bytes after the ASCII text of a description. They hold no Unicode and no ScriptCode text
 * (ICC.1:2001-04, 6.5.17).
 */
const OTHER_SCRIPTS_BYTES = 78;
const COPYRIGHT = "none";
const ASCII = new TextEncoder();

/**
 * Writes an ICC profile (ICC.1:2022, 7). Tags with equal data share one copy of it.
 *
 * @param header 128 bytes; the function sets the profile's size
 */
export function writeProfile(header: Uint8Array, tags: readonly ProfileTag[]): Uint8Array<ArrayBuffer> {
  const places = new Map<Uint8Array, number>();
  let size = HEADER_BYTES + 4 + TAG_BYTES * tags.length;
  const placed = tags.map(([name, data]) => {
    const same = [...places.keys()].find((one) => equalBytes(one, data));
    const at = same && places.get(same);
    if (at !== undefined) return { name, length: data.length, at };
    const entry = { name, length: data.length, at: size };
    places.set(data, size);
    size += Math.ceil(data.length / 4) * 4;
    return entry;
  });
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(header);
  view.setUint32(0, size);
  view.setUint32(HEADER_BYTES, tags.length);
  for (const [index, { name, length, at }] of placed.entries()) {
    const entry = HEADER_BYTES + 4 + TAG_BYTES * index;
    bytes.set(ASCII.encode(name), entry);
    view.setUint32(entry + 4, at);
    view.setUint32(entry + 8, length);
  }
  for (const [data, at] of places) bytes.set(data, at);
  return bytes;
}

/**
 * Returns the description and the copyright tag, which every profile must have (ICC.1:2022, 8.2).
 *
 * @param version the major version of the profile, which decides the type of the texts
 */
export function requiredTags(version: number, description: string): readonly ProfileTag[] {
  return version < FIRST_WITH_UNICODE
    ? [
        ["desc", asciiDescription(description)],
        ["cprt", tagData("text", ASCII.encode(`${COPYRIGHT}\0`))],
      ]
    : [
        ["desc", unicodeText(description)],
        ["cprt", unicodeText(COPYRIGHT)],
      ];
}

/** Returns tag data: the type signature, four reserved bytes, and the content. */
export function tagData(type: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(8 + content.length);
  data.set(ASCII.encode(type));
  data.set(content, 8);
  return data;
}

function asciiDescription(text: string): Uint8Array {
  const content = new Uint8Array(4 + text.length + 1 + OTHER_SCRIPTS_BYTES);
  new DataView(content.buffer).setUint32(0, text.length + 1);
  content.set(ASCII.encode(text), 4);
  return tagData("desc", content);
}

/** Returns a text in one language as tag data (ICC.1:2022, 10.15). */
function unicodeText(text: string): Uint8Array {
  const textAt = 28;
  const view = new DataView(new ArrayBuffer(textAt - 8 + 2 * text.length));
  // One record of 12 bytes: the language "enUS", the length and the offset of the text.
  for (const [index, value] of [1, 12, 0x656e5553, 2 * text.length, textAt].entries())
    view.setUint32(4 * index, value);
  for (let index = 0; index < text.length; index++)
    view.setUint16(textAt - 8 + 2 * index, text.charCodeAt(index));
  return tagData("mluc", new Uint8Array(view.buffer));
}
