import { concatBytes } from "../io/concat-bytes.ts";

/** The length of the magic number and the version, before the first section (WebAssembly 2.0, 5.5.16). */
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

/**
 * Returns a WebAssembly file whose memory has a limit. Code made from Rust grows its memory by an instruction, so no import
 * can refuse.
 *
 * @param file has one memory without a limit
 * @param pages of 64 KiB
 */
export function withMemoryLimit(file: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = HEADER_BYTES; at < file.length; ) {
    const length = readNumber(file, at + 1);
    const next = length.end + length.value;
    if (file[at] === MEMORY_SECTION) {
      const [count, flags] = file.subarray(length.end);
      if (count !== 1 || flags !== 0) break;
      const smallest = readNumber(file, length.end + 2);
      const limited = [1, 1, ...numberBytes(smallest.value), ...numberBytes(pages)];
      const section = Uint8Array.of(MEMORY_SECTION, limited.length, ...limited);
      return concatBytes([file.subarray(0, at), section, file.subarray(next)]);
    }
    at = next;
  }
  throw new Error("no memory without a limit");
}

/** Reads a number in LEB128. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = start;
  let byte: number;
  do {
    byte = bytes[end] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (end - start));
    end++;
  } while (byte >= 0x80);
  return { value, end };
}

/** Writes a number in LEB128. */
function numberBytes(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...numberBytes(Math.floor(value / 0x80))];
}
