import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { PdfDocument } from "../../../../../workers/pdf/file/document.ts";
import { firstPages } from "../../../../../workers/pdf/pages/page-tree.ts";
import {
  dictOf,
  PdfDict,
  type PdfObject,
  PdfStream,
  resolved,
} from "../../../../../workers/pdf/syntax/objects.ts";
import { mergeBytes, repairBytes, splitBytes } from "../../../../support/engine.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { textOf } from "../../../../support/made-texts.ts";

/** Keys that mean something in one kind of dictionary. A document may use any of them as the name of a resource. */
const NAMES = (
  "Dest Metadata Popup PieceInfo IRT RT SD Headers ContinuedFrom DA OC OCGs StructParent StructParents Parent Kids A AA " +
  "PA S D T Fields Type Subtype Annots Contents Resources Length B DPart P V Rect AP MK CharProcs SMask Font F0"
).split(" ");

/** A kind of resource that a document names, for each of {@link NAMES}. The value is the object 20, 21, 22 … */
interface NamedResource {
  /** The path from the page to the dictionary of names. */
  readonly path: readonly string[];
  readonly page: (names: string) => string;
  readonly content?: (name: string) => string;
  readonly value: (marker: string) => Omit<PlainObject, "num">;
  readonly more?: (names: string) => readonly PlainObject[];
}

const FORM = "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]>>";
const resource = (
  category: string,
  content: (name: string) => string,
  value: NamedResource["value"],
): NamedResource => ({
  path: ["Resources", category],
  page: (names) => `/Resources<</${category}<<${names}>>>>/Contents 6 0 R`,
  content,
  value,
});
const glyphs = NAMES.map((name) => `/${name}`).join("");

const KINDS: Readonly<Record<string, NamedResource>> = {
  image: resource(
    "XObject",
    (name) => `/${name} Do`,
    (stream) => ({
      body: "<</Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray>>",
      stream,
    }),
  ),
  form: resource(
    "XObject",
    (name) => `/${name} Do`,
    (marker) => ({ body: FORM, stream: `% ${marker}` }),
  ),
  "color space": resource(
    "ColorSpace",
    (name) => `/${name} cs`,
    (marker) => ({ body: `[/Separation/${marker}/DeviceGray<</FunctionType 2/Domain[0 1]/N 1>>]` }),
  ),
  pattern: resource(
    "Pattern",
    (name) => `/Pattern cs /${name} scn`,
    (marker) => ({
      body: "<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>>>",
      stream: `% ${marker}`,
    }),
  ),
  "graphics state": resource(
    "ExtGState",
    (name) => `/${name} gs`,
    (marker) => ({ body: `<</LW 1/BM/${marker}>>` }),
  ),
  shading: resource(
    "Shading",
    (name) => `/${name} sh`,
    (marker) => ({ body: `<</ShadingType 2/Coords[0 0 1 1]/ColorSpace/${marker}>>` }),
  ),
  font: resource(
    "Font",
    (name) => `BT /${name} 9 Tf (a) Tj ET`,
    (marker) => ({ body: `<</Type/Font/Subtype/Type1/BaseFont/${marker}>>` }),
  ),
  glyph: {
    path: ["Resources", "Font", "F", "CharProcs"],
    page: () => "/Resources<</Font<</F 7 0 R>>>>/Contents 6 0 R",
    content: (name) => `BT /F 9 Tf (${String.fromCharCode(97 + NAMES.indexOf(name))}) Tj ET`,
    value: (marker) => ({ body: "<<>>", stream: `1 0 d0 % ${marker}` }),
    more: (names) => [
      {
        num: 7,
        body:
          "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 140" +
          `/Widths[1]/Encoding<</Differences[97${glyphs}]>>/CharProcs<<${names}>>>>`,
      },
    ],
  },
  layer: resource(
    "Properties",
    (name) => `/OC/${name} BDC EMC`,
    (marker) => ({ body: `<</Type/OCG/Name(${marker})>>` }),
  ),
  "property list": resource(
    "Properties",
    (name) => `/Span/${name} BDC EMC`,
    (marker) => ({ body: `<</ActualText(${marker})>>` }),
  ),
  "appearance state": {
    path: ["Annots", "0", "AP", "N"],
    page: (names) => `/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N<<${names}>>>>>>]`,
    value: (marker) => ({ body: FORM, stream: `% ${marker}` }),
  },
};

function documentOf({ page, content, value, more }: NamedResource): Uint8Array {
  const names = NAMES.map((name, index) => `/${name} ${20 + index} 0 R`).join("");
  return pdfOf([
    ...catalogOf("3 0 R"),
    pageOf(3, page(names)),
    { num: 6, body: "<<>>", stream: NAMES.map((name) => content?.(name) ?? "").join("\n") },
    ...(more?.(names) ?? []),
    ...NAMES.map((name, index) => ({ num: 20 + index, ...value(`for-${name}`) })),
  ]);
}

/** Returns the names in the dictionary at a path of the last page that do not lead to the object of their marker. */
function lostNames(bytes: Uint8Array, path: readonly string[]): readonly string[] {
  const document = PdfDocument.open(bufferSource(bytes));
  const last = firstPages(document, 2).at(-1)?.dict;
  const names = path.reduce<PdfObject | undefined>((owner, step) => {
    const found = resolved(owner);
    return Array.isArray(found) ? found[Number(step)] : dictOf(found)?.get(step);
  }, last);
  return NAMES.filter((name) => !hasMarker(document, dictOf(names)?.get(name), `for-${name}`));
}

function hasMarker(document: PdfDocument, object: PdfObject | undefined, marker: string): boolean {
  const found = resolved(object);
  if (found instanceof PdfStream) return textOf(document.objects.decoded(found)).includes(marker);
  const values = found instanceof PdfDict ? [...found.values()] : Array.isArray(found) ? found : [];
  return values.some((value) => plain(value) === marker);
}

/** A name or a string as a text. */
function plain(value: PdfObject): string {
  if (typeof value !== "object" || value === null) return "";
  if ("value" in value) return String(value.value);
  return "bytes" in value ? textOf(value.bytes) : "";
}

describe.each(Object.entries(KINDS))("a %s may have any name", (_, kind) => {
  const bytes = documentOf(kind);

  it("in a split", async () => {
    const [part] = await splitBytes(bytes, { pages: "1" });
    expect(lostNames(part?.bytes ?? bytes, kind.path)).toEqual([]);
  });

  it("in the second document of a merge", async () => {
    expect(lostNames(await mergeBytes([{ bytes }, { bytes }]), kind.path)).toEqual([]);
  });

  it("in a repair", async () => {
    expect(lostNames(await repairBytes(bytes), kind.path)).toEqual([]);
    expect(lostNames(await repairBytes(bytes, { pages: "1" }), kind.path)).toEqual([]);
  });
});
