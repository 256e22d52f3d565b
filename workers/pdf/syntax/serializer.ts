import { CHARACTER_CLASS, REGULAR } from "./characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfReal, PdfRef, PdfStream, PdfString } from "./objects.ts";

const HEX_DIGITS = new Uint8Array([..."0123456789abcdef"].map((digit) => digit.charCodeAt(0)));
const LITERAL_STRING_LIMIT = 1 << 16;

/** What writers wrote into that have ended, for the next: a split makes thousands of writers, a few at a time. */
const spareRooms: Uint8Array[] = [];
const MOST_SPARE = 4;
const LARGEST_SPARE = 1 << 20;

/** A growing run of bytes to write objects into. */
export class ByteWriter {
  /** Is given the number that each reference names which is written. */
  named: { add(num: number): void } | undefined;
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1024) {
    const spare = spareRooms.findLastIndex(({ length }) => length >= capacity);
    const [room] = spare < 0 ? [] : spareRooms.splice(spare, 1);
    this.#bytes = room ?? new Uint8Array(capacity);
  }

  /** Ends the writing; what was not taken is lost. */
  end(): void {
    const isWorthKeeping = this.#bytes.length > 0 && this.#bytes.length <= LARGEST_SPARE;
    if (isWorthKeeping && spareRooms.length < MOST_SPARE) spareRooms.push(this.#bytes);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }

  /** How many bytes have been written since the last {@link take}. */
  get length(): number {
    return this.#length;
  }

  /** What was written since the last call; the writer starts anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** What {@link take} gives, without a copy: it lasts until the next thing is written. */
  takeView(): Uint8Array {
    const view = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return view;
  }

  /** One byte. */
  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Characters below 256, one byte each. */
  text(text: string): void {
    const { length } = text;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    for (let index = 0; index < length; index++) this.#bytes[this.#length++] = text.charCodeAt(index);
  }

  /** A whole number with zeros in front, so many digits. */
  digits(value: number, count: number): void {
    if (this.#length + count > this.#bytes.length) this.#grow(count);
    let rest = value;
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const tenth = Math.floor(rest / 10);
      this.#bytes[at] = 0x30 + rest - 10 * tenth;
      rest = tenth;
    }
    this.#length += count;
  }

  /** A number with the digits that it has: most of what is written are numbers, so no text is made of common ones. */
  number(value: number): void {
    if (value < 0 || value !== (value | 0)) this.text(String(value));
    else {
      let count = 1;
      for (let limit = 10; value >= limit; limit *= 10) count++;
      this.digits(value, count);
    }
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #grow(more: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** An integer that has as many digits, or more, may be past 64 bits. */
const DIGITS_OF_64_BITS = 19;

/**
 * Writes an object as it stands in a file (ISO 32000-2, 7.3). For a stream only the dictionary is written: its data is
 * the caller's. Depth is bounded by what the parser lets in.
 */
export function writeObject(out: ByteWriter, object: PdfObject): void {
  if (object === null) out.text("null");
  else if (typeof object === "number") out.number(object);
  else if (object instanceof PdfName) writeName(out, object.value);
  else if (object instanceof PdfRef) writeReference(out, object);
  else if (object instanceof PdfString) writeString(out, object);
  else if (object instanceof PdfDict) writeDict(out, object);
  else if (object instanceof PdfReal) out.text(readableNumber(object.text));
  else if (Array.isArray(object)) writeArray(out, object);
  else if (object instanceof PdfStream) writeDict(out, object.dict);
  else out.text(object ? "true" : "false");
}

/** What is past 64 bits, marked as a real: native qpdf reads no file, or no object stream, with such an integer in it. */
function readableNumber(text: string): string {
  return text.length >= DIGITS_OF_64_BITS && /^[-+]?\d+$/.test(text) ? `${text}.0` : text;
}

function writeReference(out: ByteWriter, { num, gen }: PdfRef): void {
  out.named?.add(num);
  out.number(num);
  out.byte(0x20);
  out.number(gen);
  out.byte(0x20);
  out.byte(0x52);
}

function writeArray(out: ByteWriter, items: readonly PdfObject[]): void {
  out.byte(0x5b);
  let first = true;
  for (const item of items) {
    if (!first) out.byte(0x20);
    first = false;
    writeObject(out, item);
  }
  out.byte(0x5d);
}

function writeDict(out: ByteWriter, dict: PdfDict): void {
  out.text("<<");
  const { size } = dict;
  for (let index = 0; index < size; index++) {
    writeName(out, dict.keyAt(index));
    out.byte(0x20);
    writeObject(out, dict.valueAt(index));
  }
  out.text(">>");
}

function writeName(out: ByteWriter, name: string): void {
  out.byte(0x2f);
  for (let index = 0; index < name.length; index++) {
    const byte = name.charCodeAt(index) & 255;
    if (CHARACTER_CLASS[byte] === REGULAR && byte > 0x20 && byte < 0x7f && byte !== 0x23) {
      out.byte(byte);
    } else {
      out.byte(0x23);
      writeHex(out, byte);
    }
  }
}

function writeHex(out: ByteWriter, byte: number): void {
  out.byte(HEX_DIGITS[byte >> 4] as number);
  out.byte(HEX_DIGITS[byte & 15] as number);
}

function writeString(out: ByteWriter, { bytes, hex }: PdfString): void {
  if (hex || bytes.length > LITERAL_STRING_LIMIT) {
    out.byte(0x3c);
    for (const byte of bytes) writeHex(out, byte);
    out.byte(0x3e);
    return;
  }
  out.byte(0x28);
  for (const byte of bytes) {
    if (byte === 0x28 || byte === 0x29 || byte === 0x5c) out.byte(0x5c);
    if (byte === 0x0d) out.text("\\r");
    else out.byte(byte);
  }
  out.byte(0x29);
}
