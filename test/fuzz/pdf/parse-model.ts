import { inflateSync } from "node:zlib";
import {
  endOfValue,
  type Model,
  type ModelObject,
  placeOfValue,
  plainLayout,
  withoutEntry,
} from "./model.ts";

/** What a cross-reference section says of itself: a new layout says it anew. */
const SECTION_KEYS = ["Type", "Size", "Prev", "XRefStm", "W", "Index", "Filter", "DecodeParms", "Length"];

/**
 * Takes a file apart, by nothing but its keywords. Undefined where that gives no document: encrypted object streams,
 * no trailer.
 */
export function parseModel(bytes: Uint8Array): Model | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const objects = new Map<number, ModelObject>();
  let trailer = "";
  let usesStream = false;
  for (const object of indirectObjects(text, bytes)) {
    if (/\/Type\s*\/XRef\b/.test(object.text) && object.data) {
      trailer = ownTrailer(object.text.trim()) || trailer;
      usesStream = true;
    } else if (/\/Type\s*\/ObjStm\b/.test(object.text) && object.data) {
      const packed = unpack(object.text, object.data);
      if (!packed) return undefined;
      for (const inner of packed) objects.set(inner.num, inner);
    } else {
      objects.set(object.num, object);
    }
  }
  for (const { index } of text.matchAll(/\btrailer\s*<</g)) {
    const start = text.indexOf("<<", index);
    const own = ownTrailer(text.slice(start, endOfValue(text, start)));
    if (own.includes("/Root")) trailer = own;
  }
  if (!trailer.includes("/Root") || objects.size === 0) return undefined;
  const header = /%PDF-[^\r\n]*[\r\n]+(%[^\r\n]*[\r\n]+)?/.exec(text.slice(0, 1100))?.[0] ?? "%PDF-1.4\n";
  const layout = plainLayout(usesStream ? "stream" : "table");
  return { header, objects: [...objects.values()], trailer, layout };
}

function* indirectObjects(text: string, bytes: Uint8Array): Generator<ModelObject> {
  const headings = /(?:^|[^\d.+-])(\d{1,10})\s+(\d{1,5})\s+obj\b/g;
  for (let found = headings.exec(text); found; found = headings.exec(text)) {
    const start = headings.lastIndex;
    const end = text.indexOf("endobj", start);
    const body = text.slice(start, end < 0 ? text.length : end);
    const place = { num: Number(found[1]), gen: Number(found[2]), packed: false };
    const stream = /(?<=>>\s*)stream(\r\n|\n|\r)/.exec(body);
    if (!stream) {
      yield { ...place, text: body, data: undefined };
      continue;
    }
    const dict = body.slice(0, stream.index);
    const from = start + stream.index + stream[0].length;
    const to = streamEnd(text, from, dict);
    yield { ...place, text: withoutEntry(dict, "Length"), data: bytes.slice(from, to) };
    headings.lastIndex = to;
  }
}

function streamEnd(text: string, from: number, dict: string): number {
  const length = /\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dict)?.[1];
  if (length !== undefined) {
    const to = from + Number(length);
    if (/^\s*endstream/.test(text.slice(to, to + 16))) return to;
  }
  const found = text.indexOf("endstream", from);
  if (found < 0) return text.length;
  return text[found - 1] === "\n" ? found - (text[found - 2] === "\r" ? 2 : 1) : found;
}

function unpack(dict: string, data: Uint8Array): ModelObject[] | undefined {
  const entry = (key: string) => {
    const place = placeOfValue(dict, key);
    return place ? Number(dict.slice(place.start, place.end)) : Number.NaN;
  };
  const count = entry("N");
  const first = entry("First");
  let text: string;
  try {
    const plain = dict.includes("/Filter") ? inflateSync(data) : Buffer.from(data);
    text = plain.toString("latin1");
  } catch {
    // Encrypted, most likely: such a file is only mutated as bytes.
    return undefined;
  }
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number);
  if (numbers.length < 2 * count || numbers.some(Number.isNaN)) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const start = first + (numbers[2 * index + 1] ?? 0);
    const end = index + 1 < count ? first + (numbers[2 * index + 3] ?? 0) : text.length;
    return {
      num: numbers[2 * index] ?? 0,
      gen: 0,
      text: text.slice(start, end),
      data: undefined,
      packed: true,
    };
  });
}

/** A section's dictionary without its brackets and without what the section says of itself. */
function ownTrailer(dict: string): string {
  const inside = dict.replace(/^\s*<</, "").replace(/>>\s*$/, "");
  return SECTION_KEYS.reduce((own, key) => withoutEntry(own, key), inside);
}
