import { type PdfObject, PdfRef } from "../syntax/objects.ts";

/**
 * Tracks the owners of lists that are indirect objects. By the standard, a list of kids (of a node, a field,
 * a structure element) has one owner. A hostile file may refer to one list from very many owners. The list
 * then belongs to the first owner.
 */
export class ListOwners {
  readonly #owners = new Map<number, number | undefined>();

  /**
   * Claims a list, unless another owner has it. A direct list always belongs to the object that contains it.
   *
   * @param owner the owner's object number. Absent for a list that is to be read once
   * @returns whether the list is new, or was claimed by the same owner
   */
  claim(list: PdfObject | undefined, owner?: number): boolean {
    if (!(list instanceof PdfRef)) return true;
    const { num } = list;
    if (this.#owners.has(num)) return owner !== undefined && this.#owners.get(num) === owner;
    this.#owners.set(num, owner);
    return true;
  }

  /** Returns whether another owner has a list, without reading it; false for a direct list. */
  isTaken(list: PdfObject | undefined, owner?: number): boolean {
    if (!(list instanceof PdfRef)) return false;
    return this.#owners.has(list.num) && (owner === undefined || this.#owners.get(list.num) !== owner);
  }
}
