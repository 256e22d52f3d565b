import { ServiceError } from "../../../src/shared/errors.ts";
import { PART_BYTES } from "../syntax/objects.ts";
import type { PartBudget } from "../syntax/parser.ts";

/**
 * Reading may look at each byte of a file this often, its object streams counted as they are unpacked. Honest files
 * need 2 to 8.
 */
const LOOKS_PER_BYTE = 12;
/** What an array, a dictionary or a string costs, beside its bytes, each time that it is read. */
const PART_WORK = 8;
/**
 * Each byte of a file may become so many bytes of memory before that counts as work, too. Honest files need 3 to 16:
 * one that is nothing but names and destinations has a part in ten bytes.
 */
const MEMORY_PER_BYTE = 16;
/**
 * The work of one entry of an array or a dictionary, each time that code asks for the list. Many objects may
 * share one list by reference, and the list is read with each of them.
 */
const ENTRY_WORK = 8;
/** The work of one entry that is added to a list, a map or a copy: about the memory that it takes. */
const KEPT_ENTRY_WORK = 64;
/** Object streams count as at most so many times the file's length: such text is packed 5 to 20 times. */
const MOST_UNPACKED = 32;
/** Each of many outputs may cost this part of the budget, on average. */
const SHARE_OF_OUTPUT = 16;
/** All outputs together may cost the budget this many times. */
const MOST_TIMES = 2;
const FREE_BYTES = 48 * 1024 * 1024;
/**
 * The bytes of page content that are free of charge, in addition to {@link MOST_UNPACKED} times the file's
 * length. Maps and drawings compress well.
 */
const FREE_CONTENT = 64 * 1024 * 1024;

/** Takes account of reading objects. */
export interface ReadingBudget extends PartBudget {
  /** @throws {ServiceError} `damaged_file` when the budget is used up */
  spend(bytes: number): void;
  /**
   * The parts that were counted lately take memory.
   *
   * @throws {ServiceError} `damaged_file` when the budget is used up
   */
  keep(): void;
  /** The parts that were counted lately are read once more, with what follows them. */
  discard(): void;
}

/**
 * Bounds the work on one file. Stayput may read bytes again: overlapping objects, unclosed strings, objects
 * that are asked for twice, and lists that objects share by reference. A hostile file can make this work
 * quadratic. Reading stops when the budget is used up.
 */
export class WorkBudget implements ReadingBudget {
  /** The same budget for what is read again, or not to be kept: it takes no memory that is not accounted for. */
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
  #memory: number;
  #parts = 0;
  #replenished = 0;

  /** @param size the file's length in bytes */
  constructor(size: number) {
    this.#whole = FREE_BYTES + size * LOOKS_PER_BYTE;
    this.#left = this.#whole;
    this.#mayUnpack = size * MOST_UNPACKED;
    this.#memory = size * MEMORY_PER_BYTE;
    this.#freeContent = FREE_CONTENT + size * MOST_UNPACKED;
    this.#contentLeft = this.#freeContent;
  }

  #spendOnContent(bytes: number): void {
    const free = Math.min(bytes, this.#contentLeft);
    this.#contentLeft -= free;
    if (free < bytes) this.spend(bytes - free);
  }

  /** Takes account of an object stream, the first time that it is unpacked, whose bytes are the file's, too. */
  unpacked(bytes: number): void {
    const counted = Math.min(bytes, this.#mayUnpack);
    this.#mayUnpack -= counted;
    this.#whole += counted * LOOKS_PER_BYTE;
    this.#left += counted * LOOKS_PER_BYTE;
    this.#memory += counted * MEMORY_PER_BYTE;
  }

  /** Begins anew, as often as the file is read anew from the beginning. */
  renew(): void {
    this.#left = this.#whole;
    this.#contentLeft = this.#freeContent;
    this.#replenished = 0;
  }

  /** Adds to what is left, for the next of several outputs, each of which may look at what they share. */
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
