import type { PdfDocument } from "../file/document.ts";
import { type PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";

/** Fields may nest this deep. */
const DEPTH_LIMIT = 64;
/** A form may have this many fields. */
const FIELD_LIMIT = 1_000_000;

/** A document's form (ISO 32000-2, 12.7) as far as taking it apart needs. */
export class FormFields {
  /** The form's dictionary, undefined when the document has none. */
  readonly dict: PdfDict | undefined;
  readonly #document: PdfDocument;
  readonly #roots: PdfObject[];
  /** The parent of every field and widget, 0 at the top; of those that the form does not list, once it is asked for. */
  readonly #parents = new Map<number, number>();

  constructor(document: PdfDocument) {
    this.#document = document;
    this.dict = document.dict(document.catalog?.get("AcroForm"));
    this.#roots = [...document.array(this.dict?.get("Fields"))];
    const stack = this.#roots.map((field) => ({ field, parent: 0, depth: 0 }));
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { field, parent, depth } = top;
      if (!(field instanceof PdfRef) || this.#parents.has(field.num)) continue;
      if (depth > DEPTH_LIMIT || this.#parents.size > FIELD_LIMIT) continue;
      this.#parents.set(field.num, parent);
      for (const kid of document.array(document.dict(field)?.get("Kids"))) {
        stack.push({ field: kid, parent: field.num, depth: depth + 1 });
      }
    }
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
    const line: PdfRef[] = [];
    let isField = false;
    let next: PdfObject | undefined = new PdfRef(annotation, 0);
    while (next instanceof PdfRef && !this.#parents.has(next.num)) {
      const { num }: PdfRef = next;
      const dict = this.#document.dict(next);
      if (!dict || line.length === DEPTH_LIMIT || line.some((below) => below.num === num)) return;
      if (line.length === 0 && !dict.is("Subtype", "Widget")) return;
      isField ||= dict.has("FT");
      line.push(next);
      next = dict.get("Parent");
    }
    const listed = next instanceof PdfRef ? next.num : 0;
    if (listed === 0 && !isField) return;
    for (const [index, { num }] of line.entries()) this.#parents.set(num, line[index + 1]?.num ?? listed);
    if (listed === 0) this.#roots.push(...line.slice(-1));
  }

  /**
   * The form's dictionary for the fields in `kept`; undefined when there are none. XFA, which holds the whole form
   * once more, and signature flags do not travel.
   */
  formOf(kept: ReadonlySet<number>): PdfDict | undefined {
    if (!this.dict || kept.size === 0) return undefined;
    const form = this.dict.clone();
    form.set("Fields", onlyKept(this.#roots, kept));
    for (const key of ["XFA", "SigFlags"]) form.delete(key);
    const resources = this.#document.dict(form.get("DR"));
    if (resources) form.set("DR", resourcesOfText(resources));
    const order = onlyKept(this.#document.array(form.get("CO")), kept);
    if (order.length > 0) form.set("CO", order);
    else form.delete("CO");
    return form;
  }

  /** A field's dictionary with only those kids that are kept, and without a signature. */
  fieldOf(field: PdfDict, kept: ReadonlySet<number>): PdfDict {
    const own = field.clone();
    if (own.has("Kids")) own.set("Kids", onlyKept(this.#document.array(own.get("Kids")), kept));
    const type = this.#document.resolve(own.get("FT"));
    if (type instanceof PdfName && type.value === "Sig")
      for (const key of ["V", "Lock", "SV"]) own.delete(key);
    return own;
  }
}

/** What default appearances can name: they set text, and draw nothing else. */
function resourcesOfText(resources: PdfDict): PdfDict {
  const own = resources.clone();
  for (const key of ["XObject", "Pattern", "Shading", "Properties"]) own.delete(key);
  return own;
}

const onlyKept = (objects: readonly PdfObject[], kept: ReadonlySet<number>) =>
  objects.filter((object) => object instanceof PdfRef && kept.has(object.num));
