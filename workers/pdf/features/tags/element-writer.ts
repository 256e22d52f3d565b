import { ListOwners } from "../../file/list-owners.ts";
import { latin1 } from "../../syntax/characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, resolved } from "../../syntax/objects.ts";
import type { DocumentPart } from "../document-part.ts";
import { withoutTexts } from "./reduced-attributes.ts";
import type { StructureTree } from "./structure-tree.ts";
import { StructureTypes } from "./structure-types.ts";

/** The entries of an element that are written anew or not copied: its place, and associated files. */
const DROPPED_FROM_ELEMENT = ["K", "P", "Ref", "AF"];
/** Entries that replace or describe an element's whole content. They may describe content that is not copied. */
const STANDS_FOR_CONTENT = ["ActualText", "Alt", "E", "Phoneme", "T", "Summary"];

/** The entries of a document in the root of the output's structure tree (ISO 32000-2, Table 354). */
export interface StructureEntries {
  readonly kids: readonly PdfObject[];
  /** The entries of the parent tree, with keys of the output. */
  readonly parents: readonly (readonly [key: number, elements: PdfObject])[];
  /** The elements with an identifier. */
  readonly ids: readonly (readonly [id: string, element: PdfRef])[];
  readonly roles: PdfDict;
  readonly classes: PdfDict;
  readonly namespaces: readonly PdfObject[];
}

/** The kept kids of an element. */
interface KeptKids {
  readonly kids: readonly PdfObject[];
  /** Whether content of the element or its descendants is not copied. */
  readonly lacksContent: boolean;
}

/** Writes elements of a structure tree (ISO 32000-2, 14.7) into an output. */
export class ElementWriter {
  readonly #tree: StructureTree;
  readonly #kept: ReadonlySet<number>;
  readonly #part: DocumentPart;
  readonly #types: StructureTypes;
  /** The language of elements at the top that name none. The catalog of a merged document may name another one. */
  readonly #language: PdfObject | undefined;
  /** The kept elements below each element; 0 stands for the root. */
  readonly #below = new Map<number, number[]>();

  /** @param kept the object numbers of the elements to write */
  constructor(tree: StructureTree, kept: ReadonlySet<number>, part: DocumentPart) {
    const { names } = part.output;
    this.#tree = tree;
    this.#kept = kept;
    this.#part = part;
    this.#types = new StructureTypes(tree.root?.dict("RoleMap"), names);
    this.#language = names.isMerge ? part.document.catalog?.string("Lang") : undefined;
    for (const num of kept) {
      const above = this.#parentOf(num);
      const siblings = this.#below.get(above);
      if (siblings) siblings.push(num);
      else this.#below.set(above, [num]);
    }
  }

  /**
   * Writes the elements.
   *
   * @returns what the root needs
   */
  write(oldRoot: PdfDict): StructureEntries {
    const { copier, output } = this.#part;
    const root = output.rootOf("StructTreeRoot");
    for (const num of this.#kept) copier.assign(num, output.writer.allocate());
    const kidsOf = new Map([...this.#kept].map((num) => [num, this.#kids(num)] as const));
    const lacking = this.#lacking(kidsOf);
    const ids: [string, PdfRef][] = [];
    for (const num of this.#kept) {
      const newNumber = copier.copied.get(num);
      const element = this.#tree.element(num);
      if (newNumber === undefined || !element) continue;
      const copy = this.#element(element, kidsOf.get(num)?.kids ?? [], lacking.has(num));
      const parent = copier.copied.get(this.#parentOf(num));
      copy.set("P", parent === undefined ? root : new PdfRef(parent, 0));
      if (parent === undefined && this.#language && !copy.has("Lang")) copy.set("Lang", this.#language);
      const id = element.string("ID");
      if (id) ids.push([output.names.of("element", latin1(id.bytes)), new PdfRef(newNumber, 0)]);
      output.writer.object(newNumber, 0, copy);
    }
    const namespaces = oldRoot.array("Namespaces").map((namespace) => copier.map(namespace, "description"));
    return {
      kids: this.#kids(0).kids,
      parents: this.#parentEntries(),
      ids,
      roles: this.#types.usedRoles(),
      classes: this.#part.map(this.#usedClasses(oldRoot, lacking), "attribute classes") ?? new PdfDict(),
      namespaces: namespaces.filter((namespace) => namespace !== null),
    };
  }

  /**
   * Returns the attribute classes that kept elements name. If an element lacks some of its content, its
   * classes lose the attributes that may describe the missing content.
   */
  #usedClasses(oldRoot: PdfDict, lacking: ReadonlySet<number>): PdfDict {
    const all = oldRoot.dict("ClassMap");
    const used = new PdfDict();
    const lists = new ListOwners();
    const reduced = new Set<string>();
    for (const num of all ? this.#kept : []) {
      const element = this.#tree.element(num);
      if (!element || !lists.claim(element.get("C"))) continue;
      const named = element.value("C");
      // A class or several classes. A revision number may follow each.
      for (const name of Array.isArray(named) ? named : [named]) {
        const attributes = name instanceof PdfName ? all?.get(name.value) : undefined;
        if (!(name instanceof PdfName) || attributes === undefined || reduced.has(name.value)) continue;
        if (lacking.has(num)) reduced.add(name.value);
        used.set(
          this.#part.output.names.of("attribute class", name.value),
          lacking.has(num) ? withoutTexts(attributes) : attributes,
        );
      }
    }
    return used;
  }

  /** Returns the kept parent of an element, 0 for the root. */
  #parentOf(num: number): number {
    const parent = this.#tree.parentOf(num);
    return this.#kept.has(parent) ? parent : 0;
  }

  /** Returns the kept elements that lack some of their content. */
  #lacking(kidsOf: ReadonlyMap<number, KeptKids>): ReadonlySet<number> {
    const lacking = new Set<number>();
    for (const [num, { lacksContent }] of kidsOf) {
      if (!lacksContent) continue;
      for (let next = num; next !== 0 && !lacking.has(next); next = this.#parentOf(next)) lacking.add(next);
    }
    return lacking;
  }

  /** Returns an element for the output, without its parent. */
  #element(element: PdfDict, kids: readonly PdfObject[], lacksContent: boolean): PdfDict {
    const { copier } = this.#part;
    const reduced = element.clone();
    for (const key of DROPPED_FROM_ELEMENT) reduced.delete(key);
    const attributes = reduced.get("A");
    // The replacement text of a paragraph that continues on another page describes that page too.
    if (lacksContent) {
      for (const key of STANDS_FOR_CONTENT) reduced.delete(key);
      if (attributes !== undefined) reduced.set("A", withoutTexts(attributes));
    }
    const type = reduced.name("S");
    if (type !== undefined) {
      this.#types.use(type);
      // A type of a namespace has its role there.
      if (!reduced.has("NS")) reduced.set("S", PdfName.of(this.#types.nameOf(type)));
    }
    this.#rename(reduced);
    const copy = this.#part.map(reduced, "element") ?? new PdfDict();
    if (kids.length > 0) copy.set("K", [...kids]);
    const related = element
      .array("Ref")
      .filter((other) => other instanceof PdfRef && this.#kept.has(other.num))
      .map((other) => copier.map(other, "element"));
    if (related.length > 0) copy.set("Ref", related);
    return copy;
  }

  /** Gives an element the names that an earlier document has not taken. */
  #rename(element: PdfDict): void {
    const { names } = this.#part.output;
    if (!names.hasEarlierDocuments) return;
    const id = element.value("ID");
    if (id !== null) element.set("ID", names.renamed("element", id));
    const classes = element.value("C");
    if (Array.isArray(classes)) {
      element.set(
        "C",
        classes.map((name) => names.renamed("attribute class", resolved(name))),
      );
    } else if (classes !== null) element.set("C", names.renamed("attribute class", classes));
  }

  /** Returns the kept kids of an element in their order. */
  #kids(num: number): KeptKids {
    const { copier, pages } = this.#part;
    const { places, contentful, contentCount } = this.#tree.kidsOf(num);
    const below = this.#below.get(num) ?? [];
    const kids: { readonly place: number; readonly kid: PdfObject }[] = [];
    for (const element of below) {
      // An element that its parent does not list stands last.
      const place = places.get(element) ?? Number.POSITIVE_INFINITY;
      kids.push({ place, kid: new PdfRef(copier.copied.get(element) ?? 0, 0) });
    }
    const listed = below.filter((element) => places.has(element) && this.#tree.hasContent(element));
    let kept = 0;
    for (const { place, kid } of [...this.#tree.contentIn(num, pages.all, copier.copied)]) {
      const found = resolved(kid);
      kids.push({ place, kid: typeof found === "number" ? found : copier.map(found, "description") });
      kept++;
    }
    kids.sort((one, other) => one.place - other.place);
    const lacksContent = listed.length < contentful || kept < contentCount;
    return { kids: kids.map(({ kid }) => kid), lacksContent };
  }

  #parentEntries(): StructureEntries["parents"] {
    const first = this.#part.output.names.nextStructureKey;
    const entries: [number, PdfObject][] = [];
    for (const key of this.#part.structureKeys) {
      const value = this.#tree.parentsOf(key);
      const found = resolved(value);
      if (value !== undefined)
        entries.push([first + key, this.#parents(Array.isArray(found) ? found : value)]);
    }
    return entries;
  }

  /** Replaces elements that are not kept by null, so that the others keep their positions. */
  #parents(value: PdfObject): PdfObject {
    if (Array.isArray(value)) return value.map((element) => this.#parents(element));
    return value instanceof PdfRef && this.#kept.has(value.num) ? this.#part.map(value, "element") : null;
  }
}
