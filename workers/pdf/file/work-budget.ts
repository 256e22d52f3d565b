import type { ServiceError } from "../../../src/shared/errors.ts";
import { limitReached } from "../../call-budget.ts";
import { PART_BYTES } from "../syntax/parts.ts";

/** The work of one unit of each kind. Reading a byte is 1. */
const WORK = {
  byte: 1,
  /** An object that is read, or visited again. */
  object: 64,
  /** An array, a dictionary or a string that is read, in addition to its bytes. */
  part: 8,
  /** An entry of a list that is visited. Many objects may share one list by reference, and it is visited with each. */
  entry: 8,
  /** An entry that is added to a list, a map or a copy: about the memory that it takes. */
  keptEntry: 64,
  /** A reference that is copied, in addition to its object. */
  copy: 32,
  /** A stream that is decoded, in addition to its bytes. */
  stream: 2048,
  /** A byte of page content that is not free. A byte of many short names takes this much longer to read. */
  contentByte: 4,
  /** A byte that is written. Objects that outputs share are read once and written for each, which takes less time. */
  writtenByte: 1 / 2,
} as const;

/** A kind of work. */
type WorkKind = keyof typeof WORK;

/**
 * Each byte of the file and of its decoded object streams may be read this often. Honest files need 2 to 8.
 */
const LOOKS_PER_BYTE = 12;
/**
 * Each byte of the file may become this many bytes of memory. More counts as work. Honest files need 3 to 16: a file with
 * little but destinations has a part in every ten bytes.
 */
const MEMORY_PER_BYTE = 16;
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

/** Counts work. */
export interface WorkMeter {
  /**
   * Charges the budget for `count` units of work.
   *
   * @throws {ServiceError} `input_too_large` when the budget is used up
   */
  charge(kind: WorkKind, count?: number): void;
}

/**
 * Bounds the work on one file. Stayput may read bytes again: overlapping objects, unclosed strings, objects
 * that are asked for twice, and lists that objects share by reference. A hostile file can make this work
 * quadratic. Reading stops when the budget is used up.
 */
export class WorkBudget implements WorkMeter {
  /** The same budget without a charge for memory, for objects that are read again or not kept. */
  readonly repeated: WorkMeter = {
    charge: (kind, count = 1) => this.#spend(WORK[kind] * count, tooManyObjects),
  };
  /** The same budget for the bytes of page content, a part of which is free of charge. */
  readonly content: WorkMeter = { charge: (kind, count = 1) => this.#chargeContent(WORK[kind] * count) };
  #whole: number;
  #left: number;
  readonly #freeContent: number;
  #contentLeft: number;
  #mayUnpack: number;
  #freeMemory: number;
  #memoryLeft: number;
  #replenished = 0;

  /** @param size the file's length in bytes */
  constructor(size: number) {
    this.#whole = FREE_BYTES + size * LOOKS_PER_BYTE;
    this.#left = this.#whole;
    this.#mayUnpack = size * MOST_UNPACKED;
    this.#freeMemory = size * MEMORY_PER_BYTE;
    this.#memoryLeft = this.#freeMemory;
    this.#freeContent = FREE_CONTENT + size * FREE_CONTENT_PER_BYTE;
    this.#contentLeft = this.#freeContent;
  }

  charge(kind: WorkKind, count = 1): void {
    if (kind === "part") this.#chargeMemory(count * PART_BYTES);
    this.#spend(WORK[kind] * count, tooManyObjects);
  }

  #chargeMemory(bytes: number): void {
    const free = Math.min(bytes, this.#memoryLeft);
    this.#memoryLeft -= free;
    if (free < bytes) this.#spend(bytes - free, tooManyObjects);
  }

  #chargeContent(bytes: number): void {
    const free = Math.min(bytes, this.#contentLeft);
    this.#contentLeft -= free;
    if (free < bytes) this.#spend((bytes - free) * WORK.contentByte, tooMuchContent);
  }

  #spend(work: number, refusal: () => ServiceError): void {
    this.#left -= work;
    if (this.#left < 0) throw refusal();
  }

  /** Adds the bytes of an object stream to the size of the file, when it is decoded for the first time. */
  unpacked(bytes: number): void {
    const counted = Math.min(bytes, this.#mayUnpack);
    this.#mayUnpack -= counted;
    this.#whole += counted * LOOKS_PER_BYTE;
    this.#left += counted * LOOKS_PER_BYTE;
    this.#freeMemory += counted * MEMORY_PER_BYTE;
    this.#memoryLeft += counted * MEMORY_PER_BYTE;
  }

  /** Resets the budget when a new document is made of the file. */
  renew(): void {
    this.#left = this.#whole;
    this.#contentLeft = this.#freeContent;
    this.#memoryLeft = this.#freeMemory;
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
}

function tooManyObjects(): ServiceError {
  return limitReached(
    "parser_work",
    "The PDF's objects overlap, or share lists, so much that reading them would not end. Ask its sender for another copy.",
  );
}

function tooMuchContent(): ServiceError {
  return limitReached(
    "content_work",
    "The PDF's pages unpack to so much content that reading it would not end. Split fewer pages at a time, or ask its sender for another copy.",
  );
}
