import { joinBytes } from "../io/concat-bytes.ts";
import { objectNumber } from "../pdf/content/resource-scope.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { UndecodableStream } from "../pdf/file/filters.ts";
import { type Page, pageEntry } from "../pdf/pages/page-tree.ts";
import {
  dictOf,
  numbersOf,
  PdfDict,
  type PdfObject,
  PdfStream,
  resolved,
  streamOf,
} from "../pdf/syntax/objects.ts";
import { type Drawing, drawingsOf } from "./content-drawings.ts";
import { type Scale, scaleOf, textOf, times } from "./scale.ts";

/** The largest size at which an image is drawn, in points of 1/72 inch. Infinite if it is not known. */
export interface DrawnSize {
  readonly width: number;
  readonly height: number;
}

const NOT_KNOWN: DrawnSize = { width: Infinity, height: Infinity };
/** Longer content is not followed, in bytes. */
const LONGEST_CONTENT = 64 * 2 ** 20;
/** A form that is drawn at more different scales counts as drawn at an unknown one. */
const MOST_SCALES = 100;
/** The most dictionaries of resources in which a name is looked up: those of the form, and of what draws it. */
const MOST_RESOURCES = 8;
const SEPARATOR = Uint8Array.of(0x20);

/** Resources in which content looks up its names, in order. */
interface Scope {
  /** Tells scopes apart. */
  readonly id: string;
  readonly resources: readonly PdfDict[];
}

/** Content to follow, with the resources that it uses. */
interface Content {
  readonly streams: readonly PdfObject[];
  readonly scope: Scope;
  /** From its coordinates to points. Undefined if it is not known. */
  readonly scale: Scale | undefined;
}

/**
 * Returns the largest size of each image that pages draw, by object number. Follows contents, forms, patterns, soft masks
 * and the appearances of annotations (ISO 32000-2, 8.10, 8.7, 11.6.5 and 12.5.5). An image has an infinite size if a glyph of
 * a Type 3 font, an icon, or content that cannot be followed draws it.
 *
 * @throws {ServiceError} `input_too_large` when following all of it would not end
 */
export function drawnSizes(document: PdfDocument, pages: readonly Page[]): ReadonlyMap<number, DrawnSize> {
  const walk = new Walk(document);
  for (const [index, page] of pages.entries()) walk.page(page, index);
  return walk.sizes;
}

class Walk {
  readonly sizes = new Map<number, DrawnSize>();
  readonly #document: PdfDocument;
  readonly #queue: Content[] = [];
  /** The drawings of forms, by object number. */
  readonly #known = new Map<number, readonly Drawing[] | undefined>();
  /** The scales at which a form was followed, by its object number and its resources. */
  readonly #followed = new Map<string, Set<string>>();
  readonly #fonts = new Set<number>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  page(page: Page, index: number): void {
    const { dict } = page;
    const resources = dictOf(pageEntry(page, "Resources"));
    const unit = dict.number("UserUnit") ?? 1;
    const scale: Scale = [unit, 0, 0, unit];
    const scope = { id: `page ${index}`, resources: resources ? [resources] : [] };
    const contents = dict.value("Contents");
    this.#queue.push({ streams: Array.isArray(contents) ? contents : [contents], scope, scale });
    this.#addFonts(scope);
    for (const annotation of dict.array("Annots")) this.#addAnnotation(dictOf(annotation), scope, scale);
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) this.#follow(next);
  }

  #addAnnotation(annotation: PdfDict | undefined, scope: Scope, scale: Scale): void {
    for (const appearance of annotation?.dict("AP")?.values() ?? []) {
      const found = resolved(appearance);
      for (const form of found instanceof PdfDict ? found.values() : [appearance])
        this.#addForm(form, scope, appearanceScale(annotation, dictOf(form), scale));
    }
    const characteristics = annotation?.dict("MK");
    // Icons fill the rectangle, too, unless that is excluded (Tables 192 and 250).
    const fills = (characteristics?.dict("IF")?.name("SW") ?? "A") === "A";
    for (const icon of characteristics?.values() ?? []) {
      const form = streamOf(icon)?.dict;
      this.#addForm(icon, scope, fills ? appearanceScale(annotation, form, scale) : undefined);
    }
  }

  /** Follows an image or a form. */
  #addObject(object: PdfObject, scope: Scope, scale: Scale | undefined): void {
    const stream = streamOf(object);
    if (stream?.dict.is("Subtype", "Image")) this.#addImage(stream, scale);
    else if (stream) this.#addForm(object, scope, scale && times(scaleOf(stream.dict.get("Matrix")), scale));
  }

  #addImage(stream: PdfStream, scale: Scale | undefined): void {
    // Huge numbers make it infinite, or no number.
    const size = scale?.every(Number.isFinite)
      ? { width: Math.hypot(scale[0], scale[1]), height: Math.hypot(scale[2], scale[3]) }
      : NOT_KNOWN;
    for (const image of [stream, stream.dict.stream("SMask")]) {
      const num = image && objectNumber(image);
      if (num === undefined) continue;
      const known = this.sizes.get(num) ?? size;
      const width = Math.max(known.width, size.width);
      this.sizes.set(num, { width, height: Math.max(known.height, size.height) });
    }
  }

  /** Follows a form, a pattern or a glyph, unless that has been done at this scale. */
  #addForm(object: PdfObject, scope: Scope, scale: Scale | undefined): void {
    const stream = streamOf(object);
    const num = stream && objectNumber(stream);
    if (!stream || num === undefined) return;
    const own = stream.dict.dict("Resources");
    const inner = own
      ? { id: `form ${num}`, resources: [own, ...scope.resources].slice(0, MOST_RESOURCES) }
      : scope;
    const key = `${num} ${inner.id}`;
    const scales = this.#followed.get(key) ?? new Set<string>();
    const limited = scales.size < MOST_SCALES ? scale : undefined;
    const text = limited ? textOf(limited) : "?";
    if (scales.has(text)) return;
    scales.add(text);
    this.#followed.set(key, scales);
    if (own && scales.size === 1) this.#addFonts(inner);
    this.#queue.push({ streams: [stream], scope: inner, scale: limited });
  }

  /** Follows the glyphs of Type 3 fonts: the size of their text is not known. */
  #addFonts({ resources: [own], id }: Scope): void {
    const states = [...(own?.dict("ExtGState")?.values() ?? [])].map(
      (state) => dictOf(state)?.array("Font")[0],
    );
    for (const entry of [...(own?.dict("Font")?.values() ?? []), ...states]) {
      if (entry === undefined) continue;
      const font = dictOf(entry);
      const num = objectNumber(entry);
      if (!font?.is("Subtype", "Type3") || (num !== undefined && this.#fonts.has(num))) continue;
      if (num !== undefined) this.#fonts.add(num);
      const resources = font.dict("Resources") ?? own;
      const scope = { id: `font ${num} ${id}`, resources: resources ? [resources] : [] };
      for (const glyph of font.dict("CharProcs")?.values() ?? []) this.#addForm(glyph, scope, undefined);
    }
  }

  #follow({ streams, scope, scale }: Content): void {
    if (!scope.resources.some(mayDraw)) return;
    const drawings = scale && this.#drawingsOf(streams);
    if (!drawings || !scale) {
      this.#addAll(scope);
      return;
    }
    this.#document.budget.charge("entry", drawings.length);
    for (const { kind, name, scale: inner } of drawings) {
      const entry = scope.resources.map((one) => one.dict(kind)?.get(name)).find((one) => one !== undefined);
      if (entry !== undefined) this.#addDrawn(kind, entry, scope, times(inner, scale));
    }
  }

  /** Counts all resources of content that cannot be followed as drawn at an unknown scale. */
  #addAll(scope: Scope): void {
    for (const resources of scope.resources) {
      for (const kind of ["XObject", "ExtGState", "Pattern"] as const)
        for (const entry of resources.dict(kind)?.values() ?? [])
          this.#addDrawn(kind, entry, scope, undefined);
    }
  }

  #addDrawn(kind: Drawing["kind"], entry: PdfObject, scope: Scope, scale: Scale | undefined): void {
    const object = kind === "ExtGState" ? (dictOf(entry)?.dict("SMask")?.get("G") ?? null) : entry;
    this.#addObject(object, scope, scale);
  }

  #drawingsOf(streams: readonly PdfObject[]): readonly Drawing[] | undefined {
    const [first] = streams;
    const num = streams.length === 1 && first instanceof PdfStream ? objectNumber(first) : undefined;
    if (num !== undefined && this.#known.has(num)) return this.#known.get(num);
    const content = this.#read(streams);
    const drawings = content && drawingsOf(content);
    if (num !== undefined) this.#known.set(num, drawings);
    return drawings;
  }

  /** Returns the bytes of streams that are one content; undefined when they cannot be decoded, or are too long. */
  #read(objects: readonly PdfObject[]): Uint8Array | undefined {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for (const object of objects) {
        const stream = streamOf(object);
        if (!stream) continue;
        for (const chunk of this.#document.objects.decodedChunks(stream)) {
          length += chunk.length;
          if (length > LONGEST_CONTENT) return undefined;
          chunks.push(chunk);
        }
        chunks.push(SEPARATOR);
      }
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    }
    return joinBytes(chunks);
  }
}

/** Returns whether content with these resources may draw an image. The content of most pages need not be read. */
function mayDraw(resources: PdfDict): boolean {
  if ([...(resources.dict("XObject")?.values() ?? [])].length > 0) return true;
  if ([...(resources.dict("Pattern")?.values() ?? [])].some((entry) => streamOf(entry))) return true;
  return [...(resources.dict("ExtGState")?.values() ?? [])].some((entry) => dictOf(entry)?.dict("SMask"));
}

/** Returns the scale of an appearance, which fills the rectangle of its annotation (12.5.5, algorithm "appearance streams"). */
function appearanceScale(
  annotation: PdfDict | undefined,
  form: PdfDict | undefined,
  page: Scale,
): Scale | undefined {
  const own = scaleOf(form?.get("Matrix"));
  const [left, bottom, right, top] = numbersOf(form?.get("BBox"), 4) ?? [];
  const [x1, y1, x2, y2] = numbersOf(annotation?.get("Rect"), 4) ?? [];
  if (left === undefined || bottom === undefined || right === undefined || top === undefined)
    return undefined;
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  const across = Math.abs(own[0]) * width + Math.abs(own[2]) * height;
  const down = Math.abs(own[1]) * width + Math.abs(own[3]) * height;
  if (across === 0 || down === 0) return undefined;
  const fill: Scale = [Math.abs(x2 - x1) / across, 0, 0, Math.abs(y2 - y1) / down];
  return times(times(own, fill), page);
}
