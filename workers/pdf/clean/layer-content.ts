import { zlibSync } from "fflate";
import { limitReached } from "../../call-budget.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import { undeterminedUse } from "../content/content-scanner.ts";
import { objectNumber } from "../content/resource-scope.ts";
import { withChanges } from "../copy/changes.ts";
import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream, UnpacksTooMuch, withFilters } from "../file/filters.ts";
import { completePage, type Page, pageIndicesOf, readPages } from "../pages/page-tree.ts";
import { dictOf, PdfDict, PdfName, type PdfObject, PdfStream, streamOf } from "../syntax/objects.ts";
import type { HiddenLayers } from "./hidden-layers.ts";
import { PageProperties } from "./page-properties.ts";
import { inseparable, type Visibility, type VisibleContent, visibleContent } from "./visible-content.ts";

/** What content loses. */
type Loss = Omit<VisibleContent, "bytes">;
const NO_LOSS: Loss = { removedIds: new Set(), losesContent: false };
/** The most nested forms that are read. The content of all of them is in memory. What is in deeper ones may be hidden. */
const DEPTH_LIMIT = 8;
const ANY_LOSS: Loss = { removedIds: new Set(), losesContent: true };
/** Separates the streams of one content. */
const SEPARATOR = Uint8Array.of(0x0a);

/** Removes what hidden layers draw from the content of pages, forms, patterns and glyphs. */
export class LayerContent {
  readonly #document: PdfDocument;
  readonly #layers: HiddenLayers;
  #allPages: readonly Page[] | undefined;
  #indices: ReadonlyMap<number, number> | undefined;
  /** The identifiers of the marked content that loses something, by page. */
  readonly #idsOfPages = new Map<number | undefined, ReadonlySet<number>>();
  /** What forms lose, by their object numbers. */
  readonly #losses = new Map<number, Loss>();
  #depth = 0;
  #pageProperties: PageProperties | undefined;

  constructor(document: PdfDocument, layers: HiddenLayers) {
    this.#document = document;
    this.#layers = layers;
  }

  /** Returns a page without hidden content. */
  visiblePage(page: PdfDict): PdfDict {
    const whole = contentOf(this.#document, page.list("Contents"));
    const { bytes } = this.#ofPage(page, whole);
    return bytes === whole ? page : withChanges(page, [["Contents", withContent(new PdfDict(), bytes)]]);
  }

  /** Returns a stream of a form, a pattern or a glyph without hidden content. */
  visibleStream(stream: PdfStream): PdfStream {
    const whole = contentOf(this.#document, [stream]);
    const { bytes } = this.#ofStream(stream, whole);
    return bytes === whole ? stream : withContent(stream.dict, bytes);
  }

  /**
   * Returns the identifiers of the marked content that loses something.
   *
   * @param page the object number of a page; undefined for all pages
   */
  removedIdsOfPage(page: number | undefined): ReadonlySet<number> {
    const known = this.#idsOfPages.get(page);
    if (known) return known;
    const pages = page === undefined ? this.#pages : this.#pages.slice(...this.#placeOf(page));
    const ids = new Set(
      pages.flatMap((one) => {
        const complete = completePage(one);
        return [...this.#ofPage(complete, contentOf(this.#document, complete.list("Contents"))).removedIds];
      }),
    );
    this.#idsOfPages.set(page, ids);
    return ids;
  }

  /** Returns what a form loses with the forms that it draws. */
  lossOf(form: PdfStream): Loss {
    const num = objectNumber(form);
    const known = num === undefined ? undefined : this.#losses.get(num);
    if (known) return known;
    if (this.#depth > DEPTH_LIMIT) return ANY_LOSS;
    // A form that draws itself.
    if (num !== undefined) this.#losses.set(num, NO_LOSS);
    this.#depth++;
    const { removedIds, losesContent } = this.#ofStream(form, contentOf(this.#document, [form]));
    this.#depth--;
    const loss = { removedIds, losesContent };
    if (num !== undefined) this.#losses.set(num, loss);
    return loss;
  }

  /** Returns where a page begins and ends in the list of pages. What is no page of the document is nowhere. */
  #placeOf(page: number): readonly [number, number] {
    this.#indices ??= pageIndicesOf(this.#pages);
    const index = this.#indices.get(page);
    return index === undefined ? [0, 0] : [index, index + 1];
  }

  #listsOfPages(name: string): readonly PdfObject[] {
    this.#pageProperties ??= new PageProperties(this.#document, this.#pages);
    return this.#pageProperties.listsOf(name);
  }

  get #pages(): readonly Page[] {
    this.#allPages ??= readPages(this.#document);
    return this.#allPages;
  }

  #ofPage(page: PdfDict, content: Uint8Array): VisibleContent {
    return this.#visible(content, page.dict("Resources"), { hides: () => false, listsOf: () => [] });
  }

  #ofStream(stream: PdfStream, content: Uint8Array): VisibleContent {
    return this.#visible(content, stream.dict.dict("Resources"), {
      hides: (name) => this.#isHiddenOnPages(name),
      listsOf: (name) => this.#listsOfPages(name).flatMap((list) => dictOf(list) ?? []),
    });
  }

  /** @param others what is known of names that the resources lack */
  #visible(
    content: Uint8Array,
    resources: PdfDict | undefined,
    others: { hides(name: string): boolean; listsOf(name: string): readonly PdfDict[] },
  ): VisibleContent {
    const layers = this.#layers;
    const properties = resources?.dict("Properties");
    const objects = resources?.dict("XObject");
    const visibility: Visibility = {
      hidesSection(name) {
        const list = properties?.get(name);
        return dictOf(list) === undefined ? others.hides(name) : layers.hides(list);
      },
      listsOf(name) {
        const list = properties?.dict(name);
        return list ? [list] : others.listsOf(name);
      },
      hidesXObject: (name) => layers.hidesObject(objects?.get(name)),
      hidesPartOf: (name) => {
        const form = objects?.stream(name);
        return form?.dict.is("Subtype", "Form") === true && this.lossOf(form).losesContent;
      },
    };
    return visibleContent(content, visibility);
  }

  /**
   * Returns whether a section of a form is hidden whose name is not in the form's own resources. Readers look it up in
   * those of the page or of the form that draws it.
   *
   * @throws {ServiceError} `unsupported_conversion` when the pages disagree, or when none has the name
   */
  #isHiddenOnPages(name: string): boolean {
    const found = new Set(this.#listsOfPages(name).map((list) => this.#layers.hides(list)));
    const [hides] = found;
    if (hides === undefined || found.size > 1) throw inseparable();
    return hides;
  }
}

/**
 * Returns the decoded bytes of streams that are one content.
 *
 * @throws {ServiceError} `input_too_large`; `damaged_file` when a stream has a filter that is not known
 */
export function contentOf(document: PdfDocument, streams: readonly PdfObject[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const object of streams) {
    const stream = streamOf(object);
    if (!stream) continue;
    try {
      parts.push(document.objects.decoded(stream), SEPARATOR);
    } catch (error) {
      if (error instanceof UnpacksTooMuch)
        throw limitReached(
          "unpacked_bytes",
          "The content of a page of this PDF unpacks to more than 128 MB. Leave the page out.",
        );
      throw error instanceof UndecodableStream ? undeterminedUse("damaged_file", "cannot be decoded") : error;
    }
  }
  return concatBytes(parts);
}

function withContent(dict: PdfDict, content: Uint8Array): PdfStream {
  const changed = withFilters(dict, PdfName.of("FlateDecode"));
  return new PdfStream(changed, { kind: "memory", bytes: zlibSync(content) });
}
