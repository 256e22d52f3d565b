import type { CodeSet } from "../content/content-use.ts";
import { PartUse } from "../content/content-use.ts";
import { textOf } from "../content/form-resources.ts";
import { type CopyRules, LATER } from "../copy/copier.ts";
import type { OutputNames } from "../copy/output-names.ts";
import { Renaming } from "../copy/renaming.ts";
import type { StreamDeflater } from "../copy/stream-deflater.ts";
import { Annotations } from "../pages/annotations.ts";
import { hasSignatureType } from "../security/decryptor.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import { FieldAppearances } from "./form/field-appearances.ts";
import { isMetadata } from "./metadata/metadata.ts";
import { structureKeyOf } from "./tags/structure-tree.ts";

/** The types of objects that lead to other pages. The output gets new ones. */
const DROPPED_TYPES = ["Page", "Pages", "Catalog", "StructElem", "DPart", "DPartRoot", "Thread", "Bead"];
/** Actions that lead to article threads and document parts. */
const DROPPED_ACTIONS = ["Thread", "GoToDp"];

/**
 * The step of the copy: the pages and the objects that they reach, then the entries of the catalog with the fonts, then
 * the structure tree and the layers.
 */
type ExtractionPhase = "pages" | "catalog" | "structure";

/** The rules by which objects of the input are copied into a document of some of its pages. */
export class ExtractionRules implements CopyRules {
  readonly keepsNumbers = false;
  readonly deflater: StreamDeflater;
  /**
   * The indices of the kept pages. For a page that the document lists again, also the first index: destinations lead
   * there.
   */
  readonly keptIndices: ReadonlySet<number>;
  readonly annotations: ReadonlySet<number>;
  /** The form fields that have a widget on a kept page, and their ancestors. */
  readonly fields: ReadonlySet<number>;
  /** The structure parent keys of copied objects. */
  readonly structureKeys = new Set<number>();
  /** The glyphs and layers that copied content uses. */
  readonly use = new PartUse();
  /** Type 3 fonts and layers to copy. They are written after all content that may use them has been read. */
  readonly fonts = new Set<number>();
  readonly layers = new Set<number>();
  phase: ExtractionPhase = "pages";
  readonly renaming: Renaming;
  readonly #source: ExtractionSource;
  readonly #appearances: FieldAppearances | undefined;
  readonly #indices: readonly number[];
  /** The first position of each page index, computed on first use. */
  #positions: ReadonlyMap<number, number> | undefined;
  #formText: CodeSet | undefined;

  /**
   * @param indices the indices of the kept pages in the document, in the order of the output
   * @param names the names in the output
   */
  constructor(source: ExtractionSource, indices: readonly number[], names: OutputNames) {
    const { document, pages, pageIndices, form, contents } = source;
    this.#source = source;
    this.#indices = indices;
    this.renaming = new Renaming(document, form.dict, names);
    const drawsFields = names.isMerge && form.needsAppearances;
    this.#appearances = drawsFields ? new FieldAppearances(document, form, contents) : undefined;
    this.deflater = source.deflater;
    const chosen = indices.flatMap((index) => pages[index] ?? []);
    const firstIndices = chosen.flatMap(({ ref }) => (ref ? (pageIndices.get(ref.num) ?? []) : []));
    this.keptIndices = new Set([...firstIndices, ...indices]);
    const annotations = new Annotations(document);
    for (const { dict } of chosen) annotations.add(dict);
    this.annotations = annotations.numbers;
    this.fields = form.withAncestors(this.annotations);
  }

  /** Returns false for other pages and their annotations, fields without a kept widget, and the structure tree. */
  mayCopy(num: number): boolean {
    const { pageIndices, annotations, form, structure } = this.#source;
    return (
      !pageIndices.has(num) &&
      (this.annotations.has(num) || !annotations.numbers.has(num)) &&
      (this.fields.has(num) || !form.has(num)) &&
      !structure.isRoot(num) &&
      !structure.isElement(num)
    );
  }

  #isKeptAnnotation(object: PdfObject | undefined): boolean {
    return object instanceof PdfRef && this.annotations.has(object.num);
  }

  /** Returns whether a dictionary is the popup of a kept annotation. Some pages do not list popups. */
  #isKeptPopup(dict: PdfDict | undefined): boolean {
    if (!dict?.is("Subtype", "Popup")) return false;
    return !dict.has("Parent") || this.#isKeptAnnotation(dict.get("Parent"));
  }

  prepare(object: PdfObject, num: number): PdfObject | typeof LATER | undefined {
    const { contents, form, layers, metadata, pageContents } = this.#source;
    if (object instanceof PdfStream) {
      // After the pages, only a damaged or hostile file leads to the contents of another page.
      if (this.phase !== "pages" && pageContents.has(num)) return undefined;
      return isMetadata(object) ? metadata.kept(object) : contents.withUsedResources(object, this.use);
    }
    if (!(object instanceof PdfDict)) return object;
    const isType3 = object.is("Subtype", "Type3");
    // Structure elements may name other fonts, and a font reveals the letters of the page that uses it.
    if (this.phase === "structure" && (isType3 || object.is("Type", "Font"))) return undefined;
    if (isType3) return this.#later(this.fonts, num);
    if (layers.isLayer(object, num)) return this.#later(this.layers, num);
    const type = object.get("Type");
    if (type instanceof PdfName && DROPPED_TYPES.includes(type.value)) return undefined;
    if (this.fields.has(num)) {
      const drawn = this.#appearances?.complete(object, num) ?? object;
      const field = this.renaming.field(form.fieldOf(drawn, num, this.fields));
      this.addFormText(field.get("DR"));
      return field;
    }
    const isAnnotation = object.has("Rect") && object.has("Subtype");
    return !isAnnotation || this.annotations.has(num) || this.#isKeptPopup(object) ? object : undefined;
  }

  /** Records the text of fields and annotations, which a reader may draw again in the fonts of these resources. */
  addFormText(resources: PdfObject | undefined): void {
    const { document, contents } = this.#source;
    if (!document.dict(document.dict(resources)?.get("Font"))) return;
    this.#formText ??= textOf(document, new Set([...this.fields, ...this.annotations]));
    contents.addText(resources, this.#formText, this.use);
  }

  #later(waiting: Set<number>, num: number): typeof LATER {
    waiting.add(num);
    return LATER;
  }

  /** Removes what leads to objects that are not copied, and signatures, which are invalid in another file. */
  prepareDict(dict: PdfDict): PdfDict | undefined {
    const { document, contents } = this.#source;
    const key = structureKeyOf(document, dict);
    if (key !== undefined) this.structureKeys.add(key);
    const layer = dict.get("OC");
    if (layer instanceof PdfRef) this.use.addLayer(layer.num);
    if (dict.is("Type", "OCMD")) this.#addOnlyLayer(dict.get("OCGs"));
    const action = dict.get("S");
    const actionType = action instanceof PdfName ? action.value : "";
    if (DROPPED_ACTIONS.includes(actionType) || hasSignatureType(dict)) return undefined;
    // Drop a Type 3 font that is in the resources of no content.
    if (dict.is("Subtype", "Type3") && dict.has("CharProcs") && !contents.isReduced(dict)) return undefined;
    const entry = actionType === "GoTo" ? "D" : "Dest";
    const target = dict.has(entry) ? this.#keptTarget(dict.get(entry)) : undefined;
    if (actionType === "GoTo" && target === undefined) return undefined;
    const dropped = this.#droppedFrom(dict, actionType);
    if (dropped.length === 0 && !dict.has(entry)) return this.renaming.renamed(dict, actionType);
    const own = dict.clone();
    for (const dropping of dropped) own.delete(dropping);
    if (target !== undefined) own.set(entry, target);
    else if (entry === "Dest") own.delete(entry);
    return this.renaming.renamed(own, actionType);
  }

  /** Records the layer of a membership dictionary that has one layer: it stands for that layer. */
  #addOnlyLayer(layers: PdfObject | undefined): void {
    const { document } = this.#source;
    const found = document.resolve(layers);
    const only = Array.isArray(found) && found.length === 1 ? found[0] : layers;
    if (only instanceof PdfRef) this.use.addLayer(only.num);
  }

  /** Returns the keys of a dictionary that lead to objects that are not copied. */
  #droppedFrom(dict: PdfDict, actionType: string): string[] {
    // Private data of editing programs. It may hold a second copy of the whole document.
    const keys = ["PieceInfo"];
    // A target in the structure tree. It may be on another page.
    if (dict.has("D") || actionType === "GoTo") keys.push("SD");
    if (dict.has("Metadata") && !isMetadata(this.#source.document.resolve(dict.get("Metadata")))) {
      keys.push("Metadata");
    }
    if (dict.has("IRT") && !this.#isKeptAnnotation(dict.get("IRT"))) keys.push("IRT", "RT");
    if (dict.is("Subtype", "Popup") && !this.#isKeptAnnotation(dict.get("Parent"))) keys.push("Parent");
    const popup = dict.get("Popup");
    const isKept = this.#isKeptAnnotation(popup) || this.#isKeptPopup(this.#source.document.dict(popup));
    if (popup !== undefined && !isKept) keys.push("Popup");
    return keys.filter((key) => dict.has(key));
  }

  /** Returns a destination if its page is kept. */
  #keptTarget(destination: PdfObject | undefined): PdfObject | undefined {
    const { destinations } = this.#source;
    const index = destinations.pageOf(destination);
    if (destination === undefined || index === undefined || !this.keptIndices.has(index)) return undefined;
    return this.renaming.destination(destinations.inItsTable(this.withPageNamed(destination)));
  }

  /** Returns a destination with a reference in place of a page number, because pages are renumbered. */
  withPageNamed(destination: PdfObject): PdfObject {
    const { document, pages } = this.#source;
    const found = document.resolve(destination);
    if (found instanceof PdfDict) {
      const target = found.get("D") ?? null;
      const named = this.withPageNamed(target);
      if (named === target) return destination;
      const own = found.clone();
      own.set("D", named);
      return own;
    }
    const index = Array.isArray(found) ? found[0] : undefined;
    if (!Array.isArray(found) || typeof index !== "number") return destination;
    return [pages[index]?.ref ?? this.#positionOf(index), ...found.slice(1)];
  }

  /** Returns the first position of the page `index` in the output, or -1. */
  #positionOf(index: number): number {
    this.#positions ??= new Map(this.#indices.map((own, position) => [own, position] as const).reverse());
    return this.#positions.get(index) ?? -1;
  }
}
