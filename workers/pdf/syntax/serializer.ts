import { CHARACTER_CLASS, latin1, REGULAR } from "./characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfReal, PdfRef, PdfStream, PdfString } from "./objects.ts";

const HEX_DIGITS = new Uint8Array([..."0123456789abcdef"].map((digit) => digit.charCodeAt(0)));
const LITERAL_STRING_LIMIT = 1 << 16;

/** Buffers of writers that have ended, for new writers. A split makes thousands of writers, a few at a time. */
const spareBuffers: Uint8Array[] = [];
const MOST_SPARE = 4;
const LARGEST_SPARE = 1 << 20;

/** A growing buffer for objects. */
export class ByteWriter {
  /** Collects the object numbers of written references. */
  referenced: { add(num: number): void } | undefined;
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1024) {
    const spare = spareBuffers.findLastIndex(({ length }) => length >= capacity);
    const [buffer] = spare < 0 ? [] : spareBuffers.splice(spare, 1);
    this.#bytes = buffer ?? new Uint8Array(capacity);
  }

  /** Ends the writer and drops its bytes. */
  end(): void {
    const isWorthKeeping = this.#bytes.length > 0 && this.#bytes.length <= LARGEST_SPARE;
    if (isWorthKeeping && spareBuffers.length < MOST_SPARE) spareBuffers.push(this.#bytes);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }

  /** The number of bytes since the last {@link take}. */
  get length(): number {
    return this.#length;
  }

  /** Returns the bytes since the last call. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Like {@link take}, without a copy. The bytes are valid until the next write. */
  takeView(): Uint8Array {
    const view = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return view;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes characters below 256, one byte each. */
  text(text: string): void {
    const { length } = text;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    for (let index = 0; index < length; index++) this.#bytes[this.#length++] = text.charCodeAt(index);
  }

  /** Writes a whole number with leading zeros and `count` digits. */
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

  /** Writes a number. Common ones need no string, because most tokens are numbers. */
  number(value: number): void {
    if (value < 0 || value !== (value | 0)) this.text(String(value));
    else {
      let count = 1;
      for (let limit = 10; value >= limit; limit *= 10) count++;
      this.digits(value, count);
    }
  }

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

/** Integers with at least this many digits may exceed 64 bits. */
const DIGITS_OF_64_BITS = 19;

/**
 * Writes an object (ISO 32000-2, 7.3). From a stream, writes the dictionary only. The parser bounds the depth.
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

/** Returns the text of a number. An integer beyond 64 bits becomes a real, because qpdf rejects files with one. */
function readableNumber(text: string): string {
  return text.length >= DIGITS_OF_64_BITS && /^[-+]?\d+$/.test(text) ? `${text}.0` : text;
}

/** Returns a name as content and objects have it, with its escapes. */
export function nameText(name: string): string {
  const out = new ByteWriter();
  writeName(out, name);
  const text = latin1(out.takeView());
  out.end();
  return text;
}

function writeReference(out: ByteWriter, { num, gen }: PdfRef): void {
  out.referenced?.add(num);
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
