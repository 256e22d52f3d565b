import { ServiceError } from "../../../src/shared/errors.ts";
import { ContentReader } from "../content/content-reader.ts";
import { FieldAppearances } from "../features/form/field-appearances.ts";
import { FormFields } from "../features/form/form-fields.ts";
import type { PdfDocument } from "../file/document.ts";
import { quarterTurnsOf } from "../pages/rotation.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import {
  dictOf,
  integerOf,
  nameOf,
  numbersOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfReal,
  PdfRef,
  PdfStream,
  PdfString,
} from "../syntax/objects.ts";
import { isHidden, staysUpright } from "./annotations.ts";
import { stateBalance } from "./content-operations.ts";
import { contentOf } from "./layer-content.ts";
import { boundsOf, drawingMatrix, type Matrix, operandsOf, type Rectangle, turnedAbout } from "./matrix.ts";
import type { PlaceFinder } from "./place-finder.ts";

/** The flag of a field whose text readers do not show (ISO 32000-2, Table 231). */
const PASSWORD = 1 << 13;

/** An appearance to draw. */
interface Drawing {
  readonly form: PdfStream;
  readonly matrix: Matrix;
}

/** Draws the annotations and form fields of pages into their content. */
export class PageFlattener {
  readonly #document: PdfDocument;
  readonly #finder: PlaceFinder;
  readonly #clean: (appearance: PdfStream) => PdfStream | undefined;
  readonly #fields: FormFields;
  readonly #appearances: FieldAppearances;

  /** @param clean returns an appearance without what is removed from it */
  constructor(
    document: PdfDocument,
    finder: PlaceFinder,
    clean: (appearance: PdfStream) => PdfStream | undefined,
  ) {
    this.#document = document;
    this.#finder = finder;
    this.#clean = clean;
    this.#fields = new FormFields(document);
    this.#appearances = new FieldAppearances(this.#fields, new ContentReader(document));
  }

  /**
   * Returns a page whose content draws the annotations that a list has, except links, and those that are removed.
   *
   * @throws {ServiceError} `unsupported_conversion` for a field whose text cannot be drawn
   */
  flatten(page: PdfDict, annotations: readonly PdfObject[]): PdfDict {
    // Readers bring the annotations of a form up to date in the order of the page.
    this.#fields.withAncestors(annotations.flatMap((item) => (item instanceof PdfRef ? [item.num] : [])));
    const turns = quarterTurnsOf(page.value("Rotate"));
    const drawings = annotations.flatMap((item) => this.#drawingOf(item, turns) ?? []);
    return drawings.length > 0 ? this.#withDrawings(page, drawings) : page;
  }

  /**
   * Returns whether an annotation stays one, because it has no appearance that can be drawn. A widget and a popup never stay.
   *
   * @param annotation one that flattening would draw or remove
   */
  keeps(annotation: PdfDict): boolean {
    if (annotation.is("Subtype", "Widget") || annotation.is("Subtype", "Popup")) return false;
    const normal = annotation.dict("AP")?.value("N") ?? null;
    // In a state that has no appearance, it shows nothing.
    if (normal instanceof PdfDict) return annotation.name("AS") === undefined;
    return !(normal instanceof PdfStream) || rectangleOf(normal.dict.get("BBox")) === undefined;
  }

  #drawingOf(item: PdfObject, turns: number): Drawing | undefined {
    const annotation = dictOf(item);
    if (!annotation) return undefined;
    const num = item instanceof PdfRef ? item.num : undefined;
    const kind = this.#finder.kindOf(annotation, "annotation", num);
    if (this.#finder.categoryOf(annotation, kind, num) !== "drawn" || this.keeps(annotation))
      return undefined;
    const rect = rectangleOf(annotation.get("Rect"));
    if (!rect || isHidden(annotation)) return undefined;
    const drawn = this.#appearances.complete(annotation, num);
    if (!drawn.has("AP") && this.#losesText(annotation, num)) throw undrawableField();
    const appearance = appearanceOf(drawn) ?? this.#missingAppearance(annotation, num);
    if (!appearance) return undefined;
    const box = rectangleOf(appearance.dict.get("BBox"));
    const own = matrixOf(appearance.dict.get("Matrix"));
    const bounds = box && boundsOf(box, own);
    const matrix = bounds && drawingMatrix(rect, bounds);
    const form = matrix && this.#clean(appearance);
    if (!form) return undefined;
    const isUpright = staysUpright(annotation) && turns % 4 !== 0;
    return {
      form: formOf(form, bounds, annotation.get("OC")),
      matrix: isUpright ? turnedAbout(rect, turns, matrix) : matrix,
    };
  }

  /** Returns the appearance that readers give a widget that has none in its state. */
  #missingAppearance(annotation: PdfDict, num?: number): PdfStream | undefined {
    return annotation.is("Subtype", "Widget") ? this.#appearances.withoutText(annotation, num) : undefined;
  }

  /** Returns whether a field has a text that readers draw, although it has no appearance that could be drawn here. */
  #losesText(field: PdfDict, num?: number): boolean {
    const inherited = (key: string) => this.#fields.inherited(key, field, num);
    const value = inherited("V");
    const type = nameOf(inherited("FT"));
    const hasText = value instanceof PdfString && value.bytes.length > 0 && (type === "Tx" || type === "Ch");
    return hasText && ((integerOf(inherited("Ff")) ?? 0) & PASSWORD) === 0;
  }

  #withDrawings(page: PdfDict, drawings: readonly Drawing[]): PdfDict {
    const resources = page.dict("Resources")?.clone() ?? new PdfDict();
    const objects = resources.dict("XObject")?.clone() ?? new PdfDict();
    const drawn: string[] = [];
    for (const { form, matrix } of drawings) {
      const name = unusedName(objects, drawn.length);
      objects.set(name, form);
      drawn.push(`q ${operandsOf(matrix)} cm /${name} Do Q`);
    }
    resources.set("XObject", objects);
    const contents = page.list("Contents");
    const { missing, left } = stateBalance(contentOf(this.#document, contents));
    // One state more, because content may also change the state that it begins with.
    const before = memoryStream("q ".repeat(missing + 1));
    const after = memoryStream(`${"Q ".repeat(left + 1)}${drawn.join("\n")}`);
    const flat = page.clone();
    flat.set("Resources", resources);
    flat.set("Contents", [before, ...contents, after]);
    return flat;
  }
}

/** Returns the appearance that readers draw (ISO 32000-2, 12.5.5): the normal one, in the state of the annotation. */
function appearanceOf(annotation: PdfDict): PdfStream | undefined {
  const normal = annotation.dict("AP")?.value("N") ?? null;
  const shown = normal instanceof PdfDict ? normal.value(annotation.name("AS") ?? "Off") : normal;
  return shown instanceof PdfStream ? shown : undefined;
}

/**
 * Returns an appearance as a form of the page, in the layer of its annotation. An appearance with a layer of its own
 * becomes a form in a form.
 */
function formOf(appearance: PdfStream, bounds: Rectangle, layer: PdfObject | undefined): PdfStream {
  const dict = appearance.dict.clone();
  dict.set("Type", PdfName.of("XObject"));
  dict.set("Subtype", PdfName.of("Form"));
  const form = new PdfStream(dict, appearance.data);
  if (layer === undefined) return form;
  if (!dict.has("OC")) {
    dict.set("OC", layer);
    return form;
  }
  const { left, bottom, right, top } = bounds;
  const outer = PdfDict.from([
    ["Type", PdfName.of("XObject")],
    ["Subtype", PdfName.of("Form")],
    ["BBox", [left, bottom, right, top].map((value) => new PdfReal(String(Number(value.toFixed(6)))))],
    ["Resources", PdfDict.from([["XObject", PdfDict.from([["Flat", form]])]])],
    ["OC", layer],
  ]);
  return new PdfStream(outer, { kind: "memory", bytes: latin1Bytes("/Flat Do") });
}

function unusedName(objects: PdfDict, first: number): string {
  let index = first;
  while (objects.has(`Flat${index}`)) index++;
  return `Flat${index}`;
}

function memoryStream(content: string): PdfStream {
  return new PdfStream(new PdfDict(), { kind: "memory", bytes: latin1Bytes(content) });
}

function rectangleOf(object: PdfObject | undefined): Rectangle | undefined {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbersOf(object, 4) ?? [];
  const isEmpty = x1 === x2 || y1 === y2;
  return isEmpty
    ? undefined
    : { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

function matrixOf(object: PdfObject | undefined): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(object, 6) ?? [];
  return [a, b, c, d, e, f];
}

function undrawableField(): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    'The text of a form field has letters or a layout that Stayput cannot draw, and the file has no picture of it. Save the filled form with another program first, or leave out "flatten".',
    { parameter: "flatten", kind: "field_text" },
  );
}
