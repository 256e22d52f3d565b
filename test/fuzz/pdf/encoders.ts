import { deflateSync } from "node:zlib";

/** The reverse of what the engine undoes, by the filter's name. */
export const ENCODERS: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = {
  FlateDecode: (data) => deflateSync(data),
  ASCIIHexDecode: (data) => Buffer.from(`${Buffer.from(data).toString("hex")}>`),
  ASCII85Decode: ascii85,
  RunLengthDecode: runLength,
  LZWDecode: lzw,
};

function ascii85(data: Uint8Array): Uint8Array {
  let text = "";
  for (let at = 0; at < data.length; at += 4) {
    const count = Math.min(4, data.length - at);
    let group = 0;
    for (let byte = 0; byte < 4; byte++) group = group * 256 + (data[at + byte] ?? 0);
    if (group === 0 && count === 4) {
      text += "z";
      continue;
    }
    let digits = "";
    for (let digit = 0; digit < 5; digit++) {
      digits = String.fromCharCode(33 + (group % 85)) + digits;
      group = Math.floor(group / 85);
    }
    text += digits.slice(0, count + 1);
  }
  return Buffer.from(`${text}~>`, "latin1");
}

function runLength(data: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < data.length; ) {
    let run = 1;
    while (run < 128 && data[at + run] === data[at]) run++;
    if (run > 1) {
      out.push(257 - run, data[at] ?? 0);
      at += run;
    } else {
      out.push(0, data[at++] ?? 0);
    }
  }
  return Uint8Array.from([...out, 128]);
}

/** Codes of 9 to 12 bits, the table cleared when it is full. */
function lzw(data: Uint8Array): Uint8Array {
  const out: number[] = [];
  let held = 0;
  let bits = 0;
  let width = 9;
  const emit = (code: number) => {
    held = (held << width) | code;
    bits += width;
    while (bits >= 8) {
      bits -= 8;
      out.push((held >> bits) & 255);
    }
    held &= (1 << bits) - 1;
  };
  let table = new Map<number, number>();
  let next = 258;
  const clear = () => {
    emit(256);
    table = new Map();
    next = 258;
    width = 9;
  };
  clear();
  let prefix = -1;
  for (const byte of data) {
    if (prefix < 0) {
      prefix = byte;
      continue;
    }
    const known = table.get(prefix * 256 + byte);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    table.set(prefix * 256 + byte, next++);
    if (next >= 4095) clear();
    else if (next + 1 > 1 << width && width < 12) width++;
    prefix = byte;
  }
  if (prefix >= 0) emit(prefix);
  emit(257);
  emit(0);
  return Uint8Array.from(out);
}
