import { type CodeSet, PartUse } from "../../content/content-use.ts";
import { textOf } from "../../content/form-resources.ts";
import { dictOf, PdfDict, type PdfObject, PdfStream } from "../../syntax/objects.ts";
import { withChanges } from "../changes.ts";
import { type CopyRules, LATER } from "../copier.ts";
import { hasChosenNames, isMetadata, type Kind, kindOf, kindOfStream } from "../kinds.ts";
import type { SharedObjects } from "../shared-objects.ts";
import type { StreamDeflater } from "../stream-deflater.ts";
import { copiedAction, copiedDestinationDict, copiedOutlineItem } from "./actions.ts";
import { copiedAnnotation, isCopiedPopup } from "./annotations.ts";
import { copiedFont, copiedPage, copiedXObject, noteLayer, noteOnlyLayer } from "./content.ts";
import type { CopiedPart } from "./copied-part.ts";

/** Returns a dictionary as it is to be copied; undefined when it is not copied. */
type Rule = (dict: PdfDict, part: CopiedPart) => PdfDict | undefined;

/** The rule for each kind. Dictionaries of other kinds are copied with all their entries. */
const RULES: Partial<Record<Kind, Rule>> = {
  page: copiedPage,
  annotation: copiedAnnotation,
  field: copiedAnnotation,
  form: (dict, { renaming }) => withChanges(dict, renaming.defaultAppearance(dict)),
  action: copiedAction,
  destination: copiedDestinationDict,
  "outline item": copiedOutlineItem,
  XObject: copiedXObject,
  appearance: copiedXObject,
  "state appearance": copiedXObject,
  pattern: copiedXObject,
  "alternate image": (dict, part) => {
    noteLayer(dict, part);
    return dict;
  },
  font: copiedFont,
  membership: (dict, part) => {
    noteOnlyLayer(dict, part);
    return dict;
  },
  attributes: (dict, { renaming }) => withChanges(dict, renaming.identifiers(dict)),
  description: (dict) => (isFont(dict) ? undefined : dict),
  refused: () => undefined,
};

/**
 * The rules by which objects of a document are copied into an output of some of its pages. An object is what the lists of
 * the document say: a field, an annotation, a layer. Otherwise, its place says what it is, and its `Type` where the place
 * may hold anything.
 */
export class PartRules implements CopyRules {
  readonly keepsNumbers = false;
  readonly deflater: StreamDeflater;
  readonly shared: SharedObjects | undefined;
  /** Type 3 fonts and layers to copy. They are written after all content that may use them has been read. */
  readonly fonts = new Set<number>();
  readonly layers = new Set<number>();
  readonly part: CopiedPart;
  #formText: CodeSet | undefined;

  constructor(
    part: Omit<CopiedPart, "use" | "structureKeys">,
    deflater: StreamDeflater,
    shared: SharedObjects | undefined,
  ) {
    this.part = { ...part, use: new PartUse(), structureKeys: new Set() };
    this.deflater = deflater;
    this.shared = shared;
  }

  mayCopy(num: number): boolean {
    return !this.part.objects.isForeign(num);
  }

  kindOf(object: PdfDict | PdfStream, place: Kind, num?: number): Kind {
    const { objects } = this.part;
    if (object instanceof PdfStream) return place === "description" ? place : kindOfStream(object, place);
    if (num !== undefined && !hasChosenNames(place)) {
      if (objects.isLayer(object, num)) return "layer";
      if (objects.fields.has(num)) return "field";
      if (objects.annotations.has(num)) return "annotation";
    }
    return kindOf(object, place);
  }

  prepare(object: PdfObject, num: number, kind: Kind): PdfObject | typeof LATER | undefined {
    if (object instanceof PdfStream) return this.#preparedStream(object, num, kind);
    if (!(object instanceof PdfDict)) return object;
    const { objects, renaming } = this.part;
    switch (kind) {
      case "refused":
      case "metadata":
        return undefined;
      case "layer":
        this.layers.add(num);
        return LATER;
      case "font":
        if (!object.is("Subtype", "Type3")) return object;
        this.fonts.add(num);
        return LATER;
      // A structure element may name any font, and a font reveals the letters of the pages that use it.
      case "description":
        return isFont(object) ? undefined : object;
      case "field": {
        const field = renaming.field(objects.reducedField(object, num));
        this.addFormText(field.get("DR"));
        return field;
      }
      case "annotation":
        return objects.annotations.has(num) || isCopiedPopup(object, this.part) ? object : undefined;
      default:
        return object;
    }
  }

  #preparedStream(stream: PdfStream, num: number, kind: Kind): PdfStream | undefined {
    const { contents, objects, use } = this.part;
    if (kind === "refused") return undefined;
    if (kind === "metadata") return isMetadata(stream) ? objects.reducedMetadata(stream) : undefined;
    // Only a damaged or hostile file leads to the contents of a page from somewhere else.
    if ((kind === "other" || kind === "description") && objects.isPageContent(num)) return undefined;
    return contents.withUsedResources(stream, use);
  }

  prepareDict(dict: PdfDict, kind: Kind): PdfDict | undefined {
    const rule = RULES[kind];
    return rule ? rule(dict, this.part) : dict;
  }

  /** Records the text of fields and annotations, which a reader may draw again in the fonts of these resources. */
  addFormText(resources: PdfObject | undefined): void {
    const { document, contents, objects, use } = this.part;
    if (!dictOf(resources)?.dict("Font")) return;
    this.#formText ??= textOf(document, new Set([...objects.fields, ...objects.annotations]));
    contents.addText(resources, this.#formText, use);
  }
}

function isFont(dict: PdfDict): boolean {
  return dict.is("Subtype", "Type3") || dict.is("Type", "Font");
}
