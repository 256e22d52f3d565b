import { type PdfObject, PdfRef } from "../syntax/objects.ts";
import type { PdfDocument } from "./document.ts";

/**
 * Tells lists apart that are objects of their own. Where a list has one owner by the standard (the kids of a node, a
 * field, a structure element), a hostile file may name one list in very many owners: it belongs to the first.
 */
export class ListOwners {
  readonly #document: PdfDocument;
  readonly #owners = new Map<number, number>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Gives a list to an owner, unless another has it.
   *
   * @param owner the owner's object number
   * @returns whether the owner has it; a list that stands in its owner always belongs to it
   */
  claim(list: PdfObject | undefined, owner: number): boolean {
    if (!(list instanceof PdfRef)) return true;
    const { num } = this.#document.lastReference(list);
    const first = this.#owners.get(num);
    if (first === undefined) this.#owners.set(num, owner);
    return first === undefined || first === owner;
  }

  /** The owner that has a list; undefined when none has, or it is no object of its own. */
  ownerOf(list: PdfObject | undefined): number | undefined {
    if (!(list instanceof PdfRef) || this.#owners.size === 0) return undefined;
    return this.#owners.get(this.#document.lastReference(list).num);
  }

  /** Whether a list is met for the first time. One that is no object of its own always is. */
  isNew(list: PdfObject | undefined): boolean {
    if (!(list instanceof PdfRef)) return true;
    const { num } = this.#document.lastReference(list);
    if (this.#owners.has(num)) return false;
    this.#owners.set(num, 0);
    return true;
  }
}
