import { FormResources } from "../../content/form-resources.ts";
import type { PdfDocument } from "../../file/document.ts";
import { ListOwners } from "../../file/list-owners.ts";
import { dictOf, nameOf, PdfDict, type PdfObject, PdfRef } from "../../syntax/objects.ts";

/** The most nested fields. */
const DEPTH_LIMIT = 64;
/** The entries of the form that are copied (ISO 32000-2, Table 224), in addition to its fields. */
const KEPT_IN_FORM = ["NeedAppearances", "CO", "DR", "DA", "Q"];
/** The most fields of a form. */
const FIELD_LIMIT = 1_000_000;

/** A field in the queue. */
interface UnreadField {
  readonly field: PdfObject;
  readonly parent: number;
  readonly depth: number;
}

/** A new field with the object number of its parent, 0 at the top. */
interface UnknownField {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  readonly parent: number;
}

/** The fields of a document's form (ISO 32000-2, 12.7). */
export class FormFields {
  /** The form's dictionary, if there is one. */
  readonly dict: PdfDict | undefined;
  readonly #document: PdfDocument;
  readonly #resources: FormResources;
  readonly #roots: PdfRef[];
  /** The owner of each list of kids that is an indirect object. */
  readonly #lists = new ListOwners();
  /** The parent of each field and widget, 0 at the top. Fields that the form does not list are added on request. */
  readonly #parents = new Map<number, number>();

  constructor(document: PdfDocument) {
    this.#document = document;
    this.dict = document.catalog?.dict("AcroForm");
    this.#resources = new FormResources(document, this.dict);
    const listed = (this.dict?.array("Fields") ?? []).filter((field) => field instanceof PdfRef);
    /** The topmost ancestors of fields that the form lists by mistake. */
    const tops: PdfRef[] = [];
    const stack = listed.map((field): UnreadField => ({ field, parent: 0, depth: 0 }));
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { field, parent, depth } = next;
      if (!(field instanceof PdfRef) || this.#parents.has(field.num)) continue;
      if (depth > DEPTH_LIMIT || this.#parents.size > FIELD_LIMIT) continue;
      const dict = dictOf(field);
      const lineage = depth === 0 && dict?.has("Parent") ? this.#lineage(field) : [];
      const top = lineage.at(-1);
      if (top && (lineage.length > 1 || top.parent !== 0)) {
        // Read from the top down, because a valid ancestor lists the field too.
        for (const [index, { ref, parent: above }] of lineage.entries()) {
          stack.push({ field: ref, parent: above, depth: above === 0 ? 0 : lineage.length - index });
        }
        if (top.parent === 0) tops.push(top.ref);
        continue;
      }
      this.#parents.set(field.num, parent);
      for (const kid of this.#kidsOf(field.num, dict)) {
        stack.push({ field: kid, parent: field.num, depth: depth + 1 });
      }
    }
    const candidates = new Map([...listed, ...tops].map((field) => [field.num, field]));
    // A root that another field lists by mistake stays a root.
    this.#roots = [...candidates.values()].filter(
      (field) => this.#parents.get(field.num) === 0 || !dictOf(field)?.has("Parent"),
    );
  }

  /** Returns the kids of a field; none when the list belongs to another field. */
  #kidsOf(num: number, field: PdfDict | undefined): readonly PdfObject[] {
    return field && this.#lists.claim(field.get("Kids"), num) ? field.array("Kids") : [];
  }

  /** Returns whether an object is a field or a widget of the form. */
  has(num: number): boolean {
    return this.#parents.has(num);
  }

  /** Returns the given annotations that are widgets of fields, and their ancestors. */
  withAncestors(annotations: Iterable<number>): Set<number> {
    const kept = new Set<number>();
    for (const annotation of annotations) {
      if (!this.#parents.has(annotation)) this.#adopt(this.#document.referenceTo(annotation));
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

  /** Adds the field of a widget that the form does not list. Readers show such fields. */
  #adopt(widget: PdfRef): void {
    if (!dictOf(widget)?.is("Subtype", "Widget")) return;
    const lineage = this.#lineage(widget);
    const top = lineage.at(-1);
    if (!top) return;
    if (top.parent === 0 && !lineage.some(({ dict }) => dict.has("FT"))) return;
    for (const { ref, parent } of lineage) this.#parents.set(ref.num, parent);
    if (top.parent === 0) this.#roots.push(top.ref);
  }

  /** Returns a field and its new ancestors; an empty list when they form a circle. */
  #lineage(first: PdfRef): UnknownField[] {
    const lineage: { readonly ref: PdfRef; readonly dict: PdfDict; parent: number }[] = [];
    const passed = new Set<number>();
    let next: PdfObject | undefined = first;
    while (next instanceof PdfRef) {
      const ref: PdfRef = next;
      const isKnown = this.#parents.has(ref.num);
      const dict = isKnown ? undefined : dictOf(ref);
      // Some writers set `Parent` to the page.
      const isField = isKnown || (dict && !dict.is("Type", "Page") && !dict.is("Type", "Pages"));
      if (!isField) break;
      const below = lineage.at(-1);
      if (below) below.parent = ref.num;
      if (!dict) break;
      if (lineage.length === DEPTH_LIMIT || passed.has(ref.num)) return [];
      passed.add(ref.num);
      lineage.push({ ref, dict, parent: 0 });
      next = dict.get("Parent");
    }
    return lineage;
  }

  /**
   * Returns the form's dictionary for the fields in `kept`; undefined when there are none. Does not copy XFA, which
   * holds the whole form, and signature flags.
   *
   * @param annotations the kept annotations, whose text may use the form's fonts
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
    const order = this.#onlyKept(this.dict.array("CO"), kept);
    if (order.length > 0) form.set("CO", order);
    else form.delete("CO");
    return form;
  }

  /**
   * Returns a field's dictionary with only the kept parent and kids, and without a signature.
   *
   * @param num the field's object number
   */
  fieldOf(field: PdfDict, num: number, kept: ReadonlySet<number>): PdfDict {
    const reduced = field.clone();
    const parent = reduced.reference("Parent");
    if (parent && !kept.has(parent.num)) reduced.delete("Parent");
    if (reduced.has("Kids")) reduced.set("Kids", this.#onlyKept(this.#kidsOf(num, field), kept));
    const resources = this.#resources.neededBy(kept, reduced.get("DR") ?? null);
    if (resources) reduced.set("DR", resources);
    if (nameOf(this.inherited("FT", field, num)) === "Sig") {
      for (const key of ["V", "Lock", "SV"]) reduced.delete(key);
    }
    return reduced;
  }

  /**
   * Returns an entry of a field, of the nearest field above it, or of the form; null when none of them has it.
   *
   * @param num the field's object number; undefined for a direct object
   */
  inherited(key: string, field: PdfDict, num: number | undefined): PdfObject {
    let found = field.value(key);
    let parent = this.#parents.get(num ?? 0) ?? field.reference("Parent")?.num ?? 0;
    for (let depth = 0; found === null && parent !== 0 && depth < DEPTH_LIMIT; depth++) {
      found = dictOf(this.#document.referenceTo(parent))?.value(key) ?? null;
      parent = this.#parents.get(parent) ?? 0;
    }
    return found ?? this.dict?.value(key) ?? null;
  }

  /** Whether readers are to draw all fields anew. */
  get needsAppearances(): boolean {
    return this.dict?.value("NeedAppearances") === true;
  }

  #onlyKept(objects: readonly PdfObject[], kept: ReadonlySet<number>): PdfObject[] {
    return objects.filter((object) => object instanceof PdfRef && kept.has(object.num));
  }
}
