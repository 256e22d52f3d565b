import type { ObjectCopier } from "../../copy/copier.ts";
import type { OutputNames } from "../../copy/output-names.ts";
import { IDENTIFIERS } from "../../copy/renaming.ts";
import type { PdfDocument } from "../../file/document.ts";
import type { FileWriter } from "../../file/file-writer.ts";
import { ListOwners } from "../../file/list-owners.ts";
import { latin1 } from "../../syntax/characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, PdfString } from "../../syntax/objects.ts";
import type { LazyReference } from "../lazy-reference.ts";
import { addEmptyElements } from "./empty-elements.ts";
import type { StructureEntries } from "./structure-entries.ts";
import type { Kids, PlacedKid, StructuredPart, StructureTree } from "./structure-tree.ts";

/** The most steps in the role map from one structure type. */
const ROLE_CHAIN = 32;
/** The entries of an element that are written anew or not copied: its place, and associated files. */
const DROPPED_FROM_ELEMENT = ["K", "P", "Ref", "AF"];
/**
 * Entries that replace or describe an element's whole content. They may describe content that is not copied.
 */
const STANDS_FOR_CONTENT = ["ActualText", "Alt", "E", "Phoneme", "T", "Summary"];
/** The most nested lists in an attribute. An example is a color for each side of a box. */
const ATTRIBUTE_DEPTH = 2;

/** The output for {@link writeStructure}. */
interface StructureCopy {
  readonly copier: ObjectCopier;
  readonly writer: FileWriter;
  readonly names: OutputNames;
  /** The root of the output's structure tree. The caller writes it. */
  readonly root: LazyReference;
  /** The language of elements at the top that name none. Undefined when it is in the catalog. */
  readonly language: PdfString | undefined;
  /** The indices of the kept pages. */
  readonly pages: ReadonlySet<number>;
  /** Returns whether the page with an old object number is kept. */
  keepsPage(num: number): boolean;
}

/** The kept kids of an element. */
interface KeptKids {
  readonly kids: readonly PdfObject[];
  /** Whether content of the element or its descendants is not copied. */
  readonly lacksContent: boolean;
}

/**
 * Writes the elements of the structure tree (ISO 32000-2, 14.7) with content on the kept pages.
 *
 * @param part the copied objects
 * @returns what the root needs; undefined when no element is kept
 */
export function writeStructure(
  document: PdfDocument,
  tree: StructureTree,
  part: StructuredPart & { readonly keys: ReadonlySet<number> },
  copy: StructureCopy,
): StructureEntries | undefined {
  const kept = tree.root ? tree.elementsOf(part) : new Set<number>();
  if (!tree.root || kept.size === 0) return undefined;
  addEmptyElements(document.budget, tree, kept, (page) => page instanceof PdfRef && copy.keepsPage(page.num));
  return new StructureWriter(document, tree, kept, copy).write(tree.root, part.keys);
}

class StructureWriter {
  readonly #document: PdfDocument;
  readonly #tree: StructureTree;
  readonly #kept: ReadonlySet<number>;
  readonly #copy: StructureCopy;
  /** The kept elements below each element; 0 stands for the root. */
  readonly #below = new Map<number, number[]>();
  readonly #roles: PdfDict | undefined;
  /** The structure types of the kept elements. */
  readonly #types = new Set<string>();

  constructor(document: PdfDocument, tree: StructureTree, kept: ReadonlySet<number>, copy: StructureCopy) {
    this.#document = document;
    this.#tree = tree;
    this.#kept = kept;
    this.#copy = copy;
    this.#roles = document.dict(tree.root?.get("RoleMap"));
    for (const num of kept) {
      const above = this.#parentOf(num);
      const siblings = this.#below.get(above);
      if (siblings) siblings.push(num);
      else this.#below.set(above, [num]);
    }
  }

  write(oldRoot: PdfDict, keys: ReadonlySet<number>): StructureEntries {
    const { copier, writer, language, names } = this.#copy;
    const root = this.#copy.root.ref;
    for (const num of this.#kept) copier.assign(num, writer.allocate());
    const kidsOf = new Map([...this.#kept].map((num) => [num, this.#kids(num)] as const));
    const lacking = this.#lacking(kidsOf);
    const ids: [string, PdfRef][] = [];
    for (const num of this.#kept) {
      const own = copier.numberOf(num);
      const element = this.#tree.element(num);
      if (own === undefined || !element) continue;
      const mapped = this.#element(element, kidsOf.get(num)?.kids ?? [], lacking.has(num));
      const parent = copier.numberOf(this.#parentOf(num));
      mapped.set("P", parent === undefined ? root : new PdfRef(parent, 0));
      if (parent === undefined && language && !mapped.has("Lang")) mapped.set("Lang", language);
      const id = this.#document.resolve(element.get("ID"));
      if (id instanceof PdfString) {
        // Elements may share a long identifier, which is sorted for each of them.
        this.#document.budget.charge("byte", 4 * id.bytes.length);
        ids.push([names.of("element", latin1(id.bytes)), new PdfRef(own, 0)]);
      }
      writer.object(own, 0, mapped);
    }
    const namespaces = copier.map([...this.#document.array(oldRoot.get("Namespaces"))], "description");
    const classes = copier.map(this.#usedClasses(oldRoot, lacking), "attribute classes");
    return {
      kids: this.#kids(0).kids,
      parents: this.#parentEntries(keys),
      ids,
      roles: this.#usedRoles(),
      classes: classes instanceof PdfDict ? classes : new PdfDict(),
      namespaces: Array.isArray(namespaces) ? namespaces.filter((namespace) => namespace !== null) : [],
    };
  }

  /** Returns the entries of the role map for the structure types of kept elements. */
  #usedRoles(): PdfDict {
    const used = new PdfDict();
    for (const type of this.#roles ? this.#types : []) {
      let name = type;
      for (let step = 0; step < ROLE_CHAIN && !used.has(this.#typeOf(name)); step++) {
        const role = this.#document.resolve(this.#roles?.get(name));
        if (!(role instanceof PdfName)) break;
        used.set(this.#typeOf(name), PdfName.of(this.#typeOf(role.value)));
        name = role.value;
      }
    }
    return used;
  }

  /** Returns the name of a structure type in the output. A type without a role keeps its name, as standard types do. */
  #typeOf(name: string): string {
    const role = this.#document.resolve(this.#roles?.get(name));
    const hasRole = role instanceof PdfName && role.value !== name;
    return hasRole ? this.#copy.names.of("structure type", name, role.value) : name;
  }

  /**
   * Returns the attribute classes that kept elements name. If an element lacks some of its content, its
   * classes lose the attributes that may describe the missing content.
   */
  #usedClasses(oldRoot: PdfDict, lacking: ReadonlySet<number>): PdfDict {
    const all = this.#document.dict(oldRoot.get("ClassMap"));
    const used = new PdfDict();
    const lists = new ListOwners();
    const reduced = new Set<string>();
    for (const num of all ? this.#kept : []) {
      if (!lists.claim(this.#tree.element(num)?.get("C"))) continue;
      const named = this.#document.resolve(this.#tree.element(num)?.get("C"));
      // A class or several classes. A revision number may follow each.
      for (const name of Array.isArray(named) ? named : [named]) {
        const attributes = name instanceof PdfName ? all?.get(name.value) : undefined;
        if (!(name instanceof PdfName) || attributes === undefined || reduced.has(name.value)) continue;
        if (lacking.has(num)) reduced.add(name.value);
        used.set(
          this.#copy.names.of("attribute class", name.value),
          lacking.has(num) ? this.#withoutTexts(attributes) : attributes,
        );
      }
    }
    return used;
  }

  /**
   * Returns the attributes (ISO 32000-2, 14.7.6) whose values are numbers, names or identifiers of elements.
   * User properties, streams and other texts may describe content.
   */
  #withoutTexts(attributes: PdfObject): PdfObject[] {
    const found = this.#document.resolve(attributes);
    const kept: PdfObject[] = [];
    let isAfterKept = false;
    for (const item of Array.isArray(found) ? found : [found]) {
      const object = this.#document.resolve(item);
      // A revision number may follow an attribute object.
      if (typeof object === "number" && isAfterKept) kept.push(object);
      isAfterKept = object instanceof PdfDict && !object.is("O", "UserProperties");
      if (!isAfterKept || !(object instanceof PdfDict)) continue;
      // Elements may share a dictionary.
      this.#document.budget.charge("entry", object.size);
      const entries = [...object.entries()];
      kept.push(
        PdfDict.from(entries.filter(([key, value]) => IDENTIFIERS.includes(key) || this.#isPlain(value, 0))),
      );
    }
    return kept;
  }

  #isPlain(value: PdfObject, depth: number): boolean {
    const found = this.#document.resolve(value);
    if (Array.isArray(found)) {
      this.#document.budget.charge("byte", found.length);
      return depth < ATTRIBUTE_DEPTH && found.every((item) => this.#isPlain(item, depth + 1));
    }
    return !(found instanceof PdfString || found instanceof PdfDict || found instanceof PdfStream);
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
    const { copier } = this.#copy;
    const own = element.clone();
    for (const key of DROPPED_FROM_ELEMENT) own.delete(key);
    const attributes = own.get("A");
    // The replacement text of a paragraph that continues on another page describes that page too.
    if (lacksContent) {
      for (const key of STANDS_FOR_CONTENT) own.delete(key);
      if (attributes !== undefined) own.set("A", this.#withoutTexts(attributes));
    }
    const type = this.#document.resolve(own.get("S"));
    if (type instanceof PdfName) {
      this.#types.add(type.value);
      // A type of a namespace has its role there.
      if (!own.has("NS")) own.set("S", PdfName.of(this.#typeOf(type.value)));
    }
    if (this.#copy.names.hasEarlierDocuments) this.#rename(own);
    const mapped = copier.map(own, "element");
    const result = mapped instanceof PdfDict ? mapped : new PdfDict();
    if (kids.length > 0) result.set("K", [...kids]);
    const related = this.#document
      .array(element.get("Ref"))
      .filter((other) => other instanceof PdfRef && this.#kept.has(other.num));
    if (related.length > 0)
      result.set(
        "Ref",
        related.map((other) => copier.map(other, "element")),
      );
    return result;
  }

  /** Gives an element the names that an earlier document has not taken. */
  #rename(element: PdfDict): void {
    const { names } = this.#copy;
    const id = this.#document.resolve(element.get("ID"));
    if (id !== null) element.set("ID", names.renamed("element", id));
    const classes = this.#document.resolve(element.get("C"));
    if (Array.isArray(classes)) {
      this.#document.budget.charge("keptEntry", classes.length);
      const renamed = classes.map((name) => names.renamed("attribute class", this.#document.resolve(name)));
      element.set("C", renamed);
    } else if (classes !== null) element.set("C", names.renamed("attribute class", classes));
  }

  /** Returns the kept kids of an element in their order. */
  #kids(num: number): KeptKids {
    const { places, contentful, contentCount } = this.#tree.kidsOf(num);
    const { copier } = this.#copy;
    const kids: { readonly place: number; readonly kid: PdfObject }[] = [];
    for (const below of this.#below.get(num) ?? []) {
      // An element that its parent does not list stands last.
      const place = places.get(below) ?? Number.POSITIVE_INFINITY;
      kids.push({ place, kid: new PdfRef(copier.numberOf(below) ?? 0, 0) });
    }
    const listed = (this.#below.get(num) ?? []).filter(
      (below) => places.has(below) && this.#tree.hasContent(below),
    );
    let kept = 0;
    for (const { place, kid } of [...this.#keptContent(this.#tree.kidsOf(num))]) {
      const found = this.#document.resolve(kid);
      kids.push({ place, kid: typeof found === "number" ? found : copier.map(found, "description") });
      kept++;
    }
    this.#document.budget.charge("keptEntry", kept);
    const lacksContent = listed.length < contentful || kept < contentCount;
    kids.sort((one, other) => one.place - other.place);
    return { kids: kids.map(({ kid }) => kid), lacksContent };
  }

  /**
   * Generates the kept content of an element. Loops over the shorter list: the pages and objects of the
   * output, or those of the element.
   */
  *#keptContent({ content, objects }: Kids): Generator<PlacedKid> {
    const { copier, pages } = this.#copy;
    const { budget } = this.#document;
    const isByPage = pages.size < content.size;
    budget.charge("entry", isByPage ? pages.size : content.size);
    for (const page of isByPage ? pages : content.keys()) {
      if (pages.has(page)) yield* content.get(page) ?? [];
    }
    const isByObject = copier.copiedCount < objects.size;
    budget.charge("entry", isByObject ? copier.copiedCount : objects.size);
    for (const num of isByObject ? copier.copiedNumbers() : objects.keys()) {
      if (copier.numberOf(num) !== undefined) yield* objects.get(num) ?? [];
    }
  }

  #parentEntries(keys: ReadonlySet<number>): StructureEntries["parents"] {
    const first = this.#copy.names.nextStructureKey;
    const entries: [number, PdfObject][] = [];
    for (const key of keys) {
      const value = this.#tree.parentsOf(key);
      const resolved = this.#document.resolve(value);
      if (value !== undefined)
        entries.push([first + key, this.#parents(Array.isArray(resolved) ? resolved : value)]);
    }
    return entries;
  }

  /** Replaces elements that are not kept by null, so that the others keep their positions. */
  #parents(value: PdfObject): PdfObject {
    if (Array.isArray(value)) return value.map((element) => this.#parents(element));
    return value instanceof PdfRef && this.#kept.has(value.num)
      ? this.#copy.copier.map(value, "element")
      : null;
  }
}
