import type { PdfDocument } from "../file/document.ts";
import { ListOwners } from "../file/list-owners.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { FormResources } from "./form-resources.ts";

/** Fields may nest this deep. */
const DEPTH_LIMIT = 64;
/** The entries of the form's dictionary that are copied (ISO 32000-2, Table 224), beside its fields. */
const KEPT_IN_FORM = ["NeedAppearances", "CO", "DR", "DA", "Q"];
/** A form may have this many fields. */
const FIELD_LIMIT = 1_000_000;

/** What is still to be read. */
interface UnreadField {
  readonly field: PdfObject;
  readonly parent: number;
  readonly depth: number;
}

/** A field that is not known yet, with the number of the one above it, 0 at the top. */
interface UnknownField {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  readonly parent: number;
}

/** A document's form (ISO 32000-2, 12.7) as far as taking it apart needs. */
export class FormFields {
  /** The form's dictionary, undefined when the document has none. */
  readonly dict: PdfDict | undefined;
  readonly #document: PdfDocument;
  readonly #resources: FormResources;
  readonly #roots: PdfRef[];
  /** The owner of each list of kids that is an indirect object. */
  readonly #lists: ListOwners;
  /** The parent of every field and widget, 0 at the top; of those that the form does not list, once it is asked for. */
  readonly #parents = new Map<number, number>();

  constructor(document: PdfDocument) {
    this.#document = document;
    this.#lists = new ListOwners(document);
    this.dict = document.dict(document.catalog?.get("AcroForm"));
    this.#resources = new FormResources(document, this.dict);
    const listed = document.array(this.dict?.get("Fields")).filter((field) => field instanceof PdfRef);
    /** The topmost fields above those that are listed without them. */
    const tops: PdfRef[] = [];
    const stack = listed.map((field): UnreadField => ({ field, parent: 0, depth: 0 }));
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { field, parent, depth } = next;
      if (!(field instanceof PdfRef) || this.#parents.has(field.num)) continue;
      if (depth > DEPTH_LIMIT || this.#parents.size > FIELD_LIMIT) continue;
      const found = document.read(field);
      const dict = document.dict(found);
      const line = depth === 0 && dict?.has("Parent") ? this.#lineUp(field) : [];
      const top = line.at(-1);
      if (top && (line.length > 1 || top.parent !== 0)) {
        // From the top down: those above list it, too, if they are sound.
        for (const [index, { ref, parent: above }] of line.entries()) {
          stack.push({ field: ref, parent: above, depth: above === 0 ? 0 : line.length - index });
        }
        if (top.parent === 0) tops.push(top.ref);
        continue;
      }
      this.#parents.set(field.num, parent);
      // What is but a reference counts as above what it leads to.
      const kids = found instanceof PdfRef ? [found] : this.#kidsOf(field.num, dict?.get("Kids"));
      for (const kid of kids) stack.push({ field: kid, parent: field.num, depth: depth + 1 });
    }
    const candidates = new Map([...listed, ...tops].map((field) => [field.num, field]));
    // One that another lists by mistake stays where the form lists it.
    this.#roots = [...candidates.values()].filter(
      (field) => this.#parents.get(field.num) === 0 || !document.dict(field)?.has("Parent"),
    );
  }

  /** Returns the kids of a field; none when the list belongs to another field. */
  #kidsOf(field: number, list: PdfObject | undefined): readonly PdfObject[] {
    return this.#lists.claim(list, field) ? this.#document.array(list) : [];
  }

  /** Whether an object is a field or a widget of the form. */
  has(num: number): boolean {
    return this.#parents.has(num);
  }

  /** The annotations given that are widgets of fields, and the fields above them. */
  withAncestors(annotations: Iterable<number>): Set<number> {
    const kept = new Set<number>();
    for (const annotation of annotations) {
      if (!this.#parents.has(annotation)) this.#adopt(annotation);
      for (
        let num = annotation;
        this.#parents.has(num) && !kept.has(num);
        num = this.#parents.get(num) ?? 0
      ) {
        kept.add(num);
      }
    }
    return kept;
  }

  /** Takes in the field of a widget that the form does not list: readers show such, and let them be filled in. */
  #adopt(annotation: number): void {
    const own = this.#document.lastReference(this.#document.referenceTo(annotation));
    if (!this.#parents.has(own.num)) this.#adoptWidget(own);
    // What is but a reference counts as below what it leads to: they travel together.
    if (own.num !== annotation && this.#parents.has(own.num)) this.#parents.set(annotation, own.num);
  }

  #adoptWidget(widget: PdfRef): void {
    if (!this.#document.dict(widget)?.is("Subtype", "Widget")) return;
    const line = this.#lineUp(widget);
    const top = line.at(-1);
    if (!top) return;
    if (top.parent === 0 && !line.some(({ dict }) => dict.has("FT"))) return;
    for (const { ref, parent } of line) this.#parents.set(ref.num, parent);
    if (top.parent === 0) this.#roots.push(top.ref);
  }

  /** A field and those above it as far as they are not known yet; nothing where there is no end of them. */
  #lineUp(first: PdfRef): UnknownField[] {
    const line: { readonly ref: PdfRef; readonly dict: PdfDict; parent: number }[] = [];
    const passed = new Set<number>();
    let next: PdfObject | undefined = first;
    while (next instanceof PdfRef) {
      const ref: PdfRef = this.#document.lastReference(next);
      const isKnown = this.#parents.has(ref.num);
      const dict = isKnown ? undefined : this.#document.dict(ref);
      // Some writers name the page there.
      const isField = isKnown || (dict && !dict.is("Type", "Page") && !dict.is("Type", "Pages"));
      if (!isField) break;
      const below = line.at(-1);
      if (below) below.parent = ref.num;
      if (!dict) break;
      if (line.length === DEPTH_LIMIT || passed.has(ref.num)) return [];
      passed.add(ref.num);
      line.push({ ref, dict, parent: 0 });
      next = dict.get("Parent");
    }
    return line;
  }

  /**
   * The form's dictionary for the fields in `kept`; undefined when there are none. XFA, which holds the whole form
   * once more, and signature flags do not travel.
   *
   * @param annotations those that are kept, which may set text in the form's fonts, too
   */
  formOf(kept: ReadonlySet<number>, annotations: Iterable<number>): PdfDict | undefined {
    if (!this.dict || kept.size === 0) return undefined;
    const form = PdfDict.from([["Fields", this.#onlyKept(this.#roots, kept)]]);
    for (const key of KEPT_IN_FORM) {
      const value = this.dict.get(key);
      if (value !== undefined) form.set(key, value);
    }
    const resources = this.#resources.neededBy(new Set([...kept, ...annotations]));
    if (resources) form.set("DR", resources);
    const order = this.#onlyKept(this.#document.array(form.get("CO")), kept);
    if (order.length > 0) form.set("CO", order);
    else form.delete("CO");
    return form;
  }

  /**
   * Returns a field's dictionary with only those relatives that are kept, and without a signature.
   *
   * @param num the field's object number
   */
  fieldOf(field: PdfDict, num: number, kept: ReadonlySet<number>): PdfDict {
    const own = field.clone();
    const parent = own.get("Parent");
    if (parent instanceof PdfRef && !kept.has(parent.num)) own.delete("Parent");
    if (own.has("Kids")) own.set("Kids", this.#onlyKept(this.#kidsOf(num, own.get("Kids")), kept));
    const resources = this.#resources.neededBy(kept, own.get("DR") ?? null);
    if (resources) own.set("DR", resources);
    const type = this.#document.resolve(own.get("FT"));
    if (type instanceof PdfName && type.value === "Sig")
      for (const key of ["V", "Lock", "SV"]) own.delete(key);
    return own;
  }

  /** Of a list that is gone through for each of many parts. */
  #onlyKept(objects: readonly PdfObject[], kept: ReadonlySet<number>): PdfObject[] {
    this.#document.budget.spend(objects.length);
    return objects.filter((object) => object instanceof PdfRef && kept.has(object.num));
  }
}
