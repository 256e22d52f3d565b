import { strToU8, zipSync } from "fflate";

/** A minimal OOXML document: a zip of short files with these names. */
export function zipOf(names: readonly string[], content = "<xml/>"): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync(Object.fromEntries(names.map((name) => [name, strToU8(content)]))));
}

/** A zip of stored files, like the result of a split. */
export function storedZip(files: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync(files, { level: 0 }));
}

/** A tar of these files (POSIX.1-1988, ustar), without checksums. */
export function tarOf(files: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const records = Object.entries(files).flatMap(([name, content]) => {
    const header = new Uint8Array(512);
    header.set(strToU8(name));
    header.set(strToU8(`0000644\0`), 100);
    header.set(strToU8(`${content.length.toString(8).padStart(11, "0")}\0`), 124);
    header.set(strToU8("0"), 156);
    header.set(strToU8("ustar\x0000"), 257);
    return [header, content, new Uint8Array(-content.length & 511)];
  });
  return new Uint8Array(Buffer.concat([...records, new Uint8Array(1024)]));
}

/** A minimal OpenDocument file: its first entry is the stored `mimetype`. */
export function openDocument(type: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    zipSync({ mimetype: [strToU8(type), { level: 0 }], "content.xml": strToU8("<office:document/>") }),
  );
}

/** A minimal OLE compound file: a header and a directory with these entries ([MS-CFB] 2.2, 2.6). */
export function compoundFile(
  names: readonly string[],
  { sectorShift = 9, directorySector = 3 } = {},
): Uint8Array<ArrayBuffer> {
  const start = (directorySector + 1) * 2 ** sectorShift;
  const bytes = new Uint8Array(start + names.length * 128);
  const view = new DataView(bytes.buffer);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  view.setUint16(30, sectorShift, true);
  view.setUint32(48, directorySector, true);
  names.forEach((name, entry) => {
    const at = start + entry * 128;
    for (let index = 0; index < name.length; index++)
      view.setUint16(at + 2 * index, name.charCodeAt(index), true);
    view.setUint16(at + 64, 2 * name.length + 2, true);
  });
  return bytes;
}
