import { type PdfObject, PdfRef } from "../syntax/objects.ts";
import type { PdfDocument } from "./document.ts";

/**
 * Tracks the owners of lists that are indirect objects. By the standard, a list of kids (of a node, a field,
 * a structure element) has one owner. A hostile file may refer to one list from very many owners. The list
 * then belongs to the first owner.
 */
export class ListOwners {
  readonly #document: PdfDocument;
  readonly #owners = new Map<number, number>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Assigns a list to an owner, unless the list has another owner.
   *
   * @param owner the owner's object number
   * @returns whether the owner has the list; a direct list always belongs to the object that contains it
   */
  claim(list: PdfObject | undefined, owner: number): boolean {
    if (!(list instanceof PdfRef)) return true;
    const { num } = this.#document.lastReference(list);
    const first = this.#owners.get(num);
    if (first === undefined) this.#owners.set(num, owner);
    return first === undefined || first === owner;
  }

  /** Returns the owner of a list; undefined when the list has no owner or is a direct object. */
  ownerOf(list: PdfObject | undefined): number | undefined {
    if (!(list instanceof PdfRef) || this.#owners.size === 0) return undefined;
    return this.#owners.get(this.#document.lastReference(list).num);
  }
}

/** The lists that were read. Objects may share a list by reference; it is then read with the first of them only. */
export class KnownLists {
  readonly #document: PdfDocument;
  readonly #numbers = new Set<number>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Adds a list. Returns whether it is new; a direct list always is. */
  add(list: PdfObject | undefined): boolean {
    if (!(list instanceof PdfRef)) return true;
    const { num } = this.#document.lastReference(list);
    if (this.#numbers.has(num)) return false;
    this.#numbers.add(num);
    return true;
  }
}
