import { zlibSync } from "fflate";
import { limitReached } from "../../call-budget.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import { ContentReader } from "../content/content-reader.ts";
import { PartUse } from "../content/content-use.ts";
import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream, UnpacksTooMuch } from "../file/filters.ts";
import { completePage, readPages } from "../pages/page-tree.ts";
import { dictOf, PdfDict, PdfName, type PdfObject, PdfStream, streamOf } from "../syntax/objects.ts";
import type { HiddenLayers } from "./hidden-layers.ts";
import { inseparable, type Visibility, type VisibleContent, visibleContent } from "./visible-content.ts";

/** Separates the streams of one content. */
const SEPARATOR = Uint8Array.of(0x0a);

/**
 * Removes what hidden layers draw from pages, forms, patterns and glyphs, and the resources that only hidden content uses:
 * its images and forms, too, would be there otherwise.
 */
export class LayerContent {
  readonly #document: PdfDocument;
  readonly #layers: HiddenLayers;
  readonly #contents: ContentReader;
  /** The property lists of the resources of all pages, when they are known. */
  #ofPages: readonly PdfDict[] | undefined;
  /** Whether sections with a name that only the resources of pages have are hidden. */
  readonly #hidesOnPages = new Map<string, boolean>();

  constructor(document: PdfDocument, layers: HiddenLayers) {
    this.#document = document;
    this.#layers = layers;
    this.#contents = new ContentReader(document);
  }

  /** Returns a page without hidden content, and the identifiers of its marked content that has gone. */
  visiblePage(page: PdfDict): { readonly page: PdfDict; readonly removedIds: ReadonlySet<number> } {
    const resources = page.dict("Resources") ?? new PdfDict();
    const whole = contentOf(this.#document, page.list("Contents"));
    const { bytes, removedIds } = this.#visible(whole, resources, () => false);
    const visible = page.clone();
    const content = bytes === whole ? (page.get("Contents") ?? null) : deflatedContent(bytes);
    if (content !== null) visible.set("Contents", content);
    visible.set("Resources", this.#used(resources, content));
    return { page: visible, removedIds };
  }

  /** Returns a stream of a form, a pattern or a glyph without hidden content. */
  visibleStream(stream: PdfStream): PdfStream {
    const whole = contentOf(this.#document, [stream]);
    const { bytes } = this.#visible(whole, stream.dict.dict("Resources"), (name) =>
      this.#isHiddenOnPages(name),
    );
    const visible = bytes === whole ? stream : withContent(stream.dict, bytes);
    const resources = visible.dict.dict("Resources");
    if (!resources) return visible;
    const dict = visible.dict.clone();
    dict.set("Resources", this.#used(resources, visible));
    return new PdfStream(dict, visible.data);
  }

  /** @param isOtherHidden says whether a section is hidden whose name is not in the resources */
  #visible(
    content: Uint8Array,
    resources: PdfDict | undefined,
    isOtherHidden: (name: string) => boolean,
  ): VisibleContent {
    const layers = this.#layers;
    const properties = resources?.dict("Properties");
    const objects = resources?.dict("XObject");
    const visibility: Visibility = {
      hidesSection(name) {
        const list = properties?.get(name);
        return dictOf(list) === undefined ? isOtherHidden(name) : layers.hides(list);
      },
      hidesXObject: (name) => layers.hidesObject(objects?.get(name)),
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
    const known = this.#hidesOnPages.get(name);
    if (known !== undefined) return known;
    this.#ofPages ??= readPages(this.#document).flatMap(
      (page) => completePage(page).dict("Resources")?.dict("Properties") ?? [],
    );
    const lists = this.#ofPages.map((properties) => properties.get(name));
    const found = new Set(
      lists.filter((list) => dictOf(list) !== undefined).map((list) => this.#layers.hides(list)),
    );
    const [hides] = found;
    if (hides === undefined || found.size > 1) throw inseparable();
    this.#hidesOnPages.set(name, hides);
    return hides;
  }

  #used(resources: PdfDict, content: PdfObject): PdfDict {
    return this.#contents.usedResources(resources, [content], new PartUse());
  }
}

/**
 * Returns the decoded bytes of streams that are one content. A stream that no reader can decode draws nothing.
 *
 * @throws {ServiceError} `input_too_large`
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
      if (!(error instanceof UndecodableStream)) throw error;
    }
  }
  return concatBytes(parts);
}

/** Returns a stream of content. */
export function deflatedContent(content: Uint8Array): PdfStream {
  return withContent(new PdfDict(), content);
}

function withContent(dict: PdfDict, content: Uint8Array): PdfStream {
  const changed = dict.clone();
  changed.set("Filter", PdfName.of("FlateDecode"));
  changed.delete("DecodeParms");
  return new PdfStream(changed, { kind: "memory", bytes: zlibSync(content) });
}
