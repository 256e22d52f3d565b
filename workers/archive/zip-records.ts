import { concatBytes } from "../io/concat-bytes.ts";

/** A stored file in an archive. */
export interface StoredFile {
  /** In UTF-8, at most 65,535 bytes: the length field has two bytes. */
  readonly name: Uint8Array;
  readonly lastModified: Date;
  readonly crc: number;
  readonly length: number;
  /** The offset of its local header in the archive. */
  readonly offset: number;
}

/** The central directory of an archive. */
interface CentralDirectory {
  readonly entries: number;
  readonly length: number;
  readonly offset: number;
}

const SIGNATURE = {
  localHeader: 0x04034b50,
  directoryEntry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  end64Locator: 0x07064b50,
};
/** The version needed to extract: 1.0, or 4.5 for 64-bit numbers (APPNOTE 4.4.3). */
const VERSION = { plain: 10, long: 45 };
/** Made on Unix, so that {@link ATTRIBUTES} has the file mode of Unix. */
const MADE_BY = (3 << 8) | VERSION.long;
const UTF8_NAME = 1 << 11;
const STORED = 0;
/** A regular file with mode 644. */
const ATTRIBUTES = 0o100644 * 2 ** 16;
const LONG_NUMBERS = 1;
/** Placeholders for a number that a 64-bit field holds instead. */
const TOO_MANY = 0xffff;
const TOO_LONG = 0xffffffff;
const END_64_LENGTH = 56;

/** Returns the local header before a file's bytes (APPNOTE 4.3.7). */
export function localHeader(file: StoredFile): Uint8Array {
  const { name, length } = file;
  const isLong = length >= TOO_LONG;
  const extra = isLong ? extraField([length, length]) : [];
  return concatBytes([
    [...uint32(SIGNATURE.localHeader), ...sharedFields(file, isLong)],
    [...uint32(orTooLong(length)), ...uint32(orTooLong(length))],
    [...uint16(name.length), ...uint16(extra.length)],
    name,
    extra,
  ]);
}

/** Returns a file's entry in the central directory (APPNOTE 4.3.12). */
export function directoryEntry(file: StoredFile): Uint8Array {
  const { name, length, offset } = file;
  const long = [...(length >= TOO_LONG ? [length, length] : []), ...(offset >= TOO_LONG ? [offset] : [])];
  const extra = long.length > 0 ? extraField(long) : [];
  return concatBytes([
    [...uint32(SIGNATURE.directoryEntry), ...uint16(MADE_BY), ...sharedFields(file, long.length > 0)],
    [...uint32(orTooLong(length)), ...uint32(orTooLong(length))],
    // No comment, the first disk, no internal attributes.
    [...uint16(name.length), ...uint16(extra.length), ...uint16(0), ...uint16(0), ...uint16(0)],
    [...uint32(ATTRIBUTES), ...uint32(orTooLong(offset))],
    name,
    extra,
  ]);
}

/** Returns the records after the central directory (APPNOTE 4.3.14 to 4.3.16). */
export function directoryEnd({ entries, length, offset }: CentralDirectory): Uint8Array {
  const isLong = entries >= TOO_MANY || length >= TOO_LONG || offset >= TOO_LONG;
  const count = Math.min(entries, TOO_MANY);
  return concatBytes([
    isLong ? longEnd({ entries, length, offset }) : [],
    [...uint32(SIGNATURE.end), ...uint16(0), ...uint16(0), ...uint16(count), ...uint16(count)],
    [...uint32(orTooLong(length)), ...uint32(orTooLong(offset)), ...uint16(0)],
  ]);
}

function longEnd({ entries, length, offset }: CentralDirectory): readonly number[] {
  return [
    [...uint32(SIGNATURE.end64), ...uint64(END_64_LENGTH - 12)],
    [...uint16(MADE_BY), ...uint16(VERSION.long), ...uint32(0), ...uint32(0)],
    [...uint64(entries), ...uint64(entries), ...uint64(length), ...uint64(offset)],
    [...uint32(SIGNATURE.end64Locator), ...uint32(0), ...uint64(offset + length), ...uint32(1)],
  ].flat();
}

/** Returns the fields that the local header and the central directory share. */
function sharedFields({ lastModified, crc }: StoredFile, isLong: boolean): readonly number[] {
  const [date, time] = dosDate(lastModified);
  return [
    [...uint16(isLong ? VERSION.long : VERSION.plain), ...uint16(UTF8_NAME), ...uint16(STORED)],
    [...uint16(time), ...uint16(date), ...uint32(crc)],
  ].flat();
}

/**
 * Returns the date and the time in MS-DOS format (APPNOTE 4.4.6): even seconds, from 1980 on. The format has
 * no time zone. The time is in UTC, so an archive does not reveal where it was made.
 */
function dosDate(date: Date): readonly [date: number, time: number] {
  return [
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
  ];
}

/** Returns the extra field with the numbers that need 64 bits (APPNOTE 4.5.3). */
function extraField(numbers: readonly number[]): readonly number[] {
  return [...uint16(LONG_NUMBERS), ...uint16(8 * numbers.length), ...numbers.flatMap(uint64)];
}

const orTooLong = (value: number) => Math.min(value, TOO_LONG);
const uint16 = (value: number) => [value & 255, (value >> 8) & 255];
const uint32 = (value: number) => [...uint16(value), ...uint16(value >>> 16)];
const uint64 = (value: number) => [...uint32(value), ...uint32(Math.floor(value / 2 ** 32))];
