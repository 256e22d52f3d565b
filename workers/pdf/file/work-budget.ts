import { ServiceError } from "../../../src/shared/errors.ts";
import { PART_BYTES } from "../syntax/objects.ts";
import type { PartBudget } from "../syntax/parser.ts";

/**
 * Each byte of the file and of its decoded object streams may be read this often. Honest files need 2 to 8.
 */
const LOOKS_PER_BYTE = 12;
/** The work of reading an array, a dictionary or a string, in addition to its bytes. */
const PART_WORK = 8;
/**
 * Each byte of the file may become this many bytes of memory. More counts as work. Honest files need 3 to 16: a file with
 * little but destinations has a part in every ten bytes.
 */
const MEMORY_PER_BYTE = 16;
/**
 * The work of one entry of an array or a dictionary, each time that code asks for the list. Many objects may
 * share one list by reference, and the list is read with each of them.
 */
const ENTRY_WORK = 8;
/** The work of one entry that is added to a list, a map or a copy: about the memory that it takes. */
const KEPT_ENTRY_WORK = 64;
/** Decoded object streams add at most this many times the length of the file. Typical ratios are 5 to 20. */
const MOST_UNPACKED = 32;
/** Each output adds at most the budget divided by this number: see {@link WorkBudget.replenish}. */
const SHARE_OF_OUTPUT = 16;
/** All outputs together add at most this many times the budget. */
const MOST_TIMES = 2;
/** The bytes that may be read in addition to a multiple of the length of the file. */
const FREE_BYTES = 48 * 1024 * 1024;
/** The bytes of page content that are free of charge: maps and drawings compress well. */
const FREE_CONTENT = 64 * 1024 * 1024;
/** The bytes of page content that are free of charge for each byte of the file. */
const FREE_CONTENT_PER_BYTE = 8;
/** The work of each byte of page content that is not free. A byte of many short names takes this much longer to read. */
const CONTENT_WORK = 4;

/** Counts the work of reading objects. */
export interface ReadingBudget extends PartBudget {
  /** @throws {ServiceError} `damaged_file` when the budget is used up */
  spend(bytes: number): void;
  /**
   * Charges the memory of the parts since the last call.
   *
   * @throws {ServiceError} `damaged_file` when the budget is used up
   */
  keep(): void;
  /** Forgets the parts since the last call, because they are read again. */
  discard(): void;
}

/**
 * Bounds the work on one file. Stayput may read bytes again: overlapping objects, unclosed strings, objects
 * that are asked for twice, and lists that objects share by reference. A hostile file can make this work
 * quadratic. Reading stops when the budget is used up.
 */
export class WorkBudget implements ReadingBudget {
  /** The same budget without a charge for memory, for objects that are read again or not kept. */
  readonly repeated: ReadingBudget = {
    spend: (bytes) => this.spend(bytes),
    part: () => this.spend(PART_WORK),
    keep: () => undefined,
    discard: () => undefined,
  };
  /** The same budget for page content, a part of which is free of charge. */
  readonly content = { spend: (bytes: number) => this.#spendOnContent(bytes) };
  #whole: number;
  #left: number;
  readonly #freeContent: number;
  #contentLeft: number;
  #mayUnpack: number;
  #freeMemory: number;
  #memory: number;
  #parts = 0;
  #replenished = 0;

  /** @param size the file's length in bytes */
  constructor(size: number) {
    this.#whole = FREE_BYTES + size * LOOKS_PER_BYTE;
    this.#left = this.#whole;
    this.#mayUnpack = size * MOST_UNPACKED;
    this.#freeMemory = size * MEMORY_PER_BYTE;
    this.#memory = this.#freeMemory;
    this.#freeContent = FREE_CONTENT + size * FREE_CONTENT_PER_BYTE;
    this.#contentLeft = this.#freeContent;
  }

  #spendOnContent(bytes: number): void {
    const free = Math.min(bytes, this.#contentLeft);
    this.#contentLeft -= free;
    if (free < bytes) this.spend((bytes - free) * CONTENT_WORK);
  }

  /** Adds the bytes of an object stream to the size of the file, when it is decoded for the first time. */
  unpacked(bytes: number): void {
    const counted = Math.min(bytes, this.#mayUnpack);
    this.#mayUnpack -= counted;
    this.#whole += counted * LOOKS_PER_BYTE;
    this.#left += counted * LOOKS_PER_BYTE;
    this.#freeMemory += counted * MEMORY_PER_BYTE;
    this.#memory += counted * MEMORY_PER_BYTE;
  }

  /** Resets the budget when a new document is made of the file. */
  renew(): void {
    this.#left = this.#whole;
    this.#memory = this.#freeMemory;
    this.#parts = 0;
    this.#contentLeft = this.#freeContent;
    this.#replenished = 0;
  }

  /** Adds a share for the next output. Each output may read the objects that outputs share. */
  replenish(): void {
    const missing = this.#whole - this.#left;
    const share = Math.min(
      missing,
      this.#whole / SHARE_OF_OUTPUT,
      this.#whole * MOST_TIMES - this.#replenished,
    );
    this.#left += share;
    this.#replenished += share;
  }

  part(): void {
    this.#parts++;
    this.spend(PART_WORK);
  }

  keep(): void {
    this.#memory -= this.#parts * PART_BYTES;
    this.#parts = 0;
    if (this.#memory >= 0) return;
    this.spend(-this.#memory);
    this.#memory = 0;
  }

  discard(): void {
    this.#parts = 0;
  }

  /** Charges the budget for reading a list. */
  list(entries: number): void {
    this.spend(ENTRY_WORK * entries);
  }

  /** Charges the budget for entries that are added to another list, a map or a copy. */
  keepEntries(entries: number): void {
    this.spend(KEPT_ENTRY_WORK * entries);
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) {
      throw new ServiceError(
        "damaged_file",
        "The PDF's objects overlap, or share lists, so much that reading them would not end. Ask its sender for another copy.",
      );
    }
  }
}
