import { zlibSync } from "fflate";
import type { PageSize } from "../../../src/shared/protocol.ts";
import type { BytePart } from "../../io/byte-ranges.ts";
import { equalBytes } from "../../io/equal-bytes.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";
import { FileWriter } from "../../pdf/file/file-writer.ts";
import { PdfDict, PdfName, type PdfObject, PdfReal, PdfRef, PdfString } from "../../pdf/syntax/objects.ts";
import type { Size } from "../picture/size.ts";
import type { ColorSpace } from "./color-space.ts";
import { type Compression, componentsOf, type EmbeddedImage, type Samples } from "./embedded-image.ts";
import { type Placement, placeImage, stripMatrix } from "./page-layout.ts";

const VERSION = "1.7";
const NOTE_SIZE = 12;
const NOTE_LEADING = 15;
/** At least the average width of a character in a note. */
const NOTE_LETTER = 7;
const FILTERS = { jpeg: "DCTDecode", flate: "FlateDecode", fax: "CCITTFaxDecode" } as const;
const DEVICE = { 1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK" } as const;

/** A PDF with one image per page, written as the images come. */
export class ImageDocument {
  readonly #writer: FileWriter;
  readonly #pageSize: PageSize;
  readonly #catalog: number;
  readonly #pages: number;
  readonly #kids: PdfRef[] = [];
  /** The profiles that are written already. The images of one file usually share one. */
  readonly #profiles: { readonly profile: Uint8Array; readonly ref: PdfRef }[] = [];
  #metadata: PdfRef | undefined;

  /**
   * @param output where the document goes
   */
  constructor(output: ByteSink, pageSize: PageSize) {
    this.#writer = new FileWriter(output, VERSION);
    this.#pageSize = pageSize;
    this.#catalog = this.#writer.allocate();
    this.#pages = this.#writer.allocate();
  }

  /**
   * Adds a page with an image. XMP belongs to the image, and to the document when it is the only image.
   *
   * @param strips the image, or parts of it from the top of the image as stored
   * @param source the file that ranges in the image data refer to
   */
  async addImage(strips: readonly EmbeddedImage[], source: ByteSource): Promise<void> {
    const [first] = strips;
    if (first === undefined) return;
    const height = strips.reduce((sum, strip) => sum + strip.height, 0);
    const placement = placeImage({ ...first, height }, this.#pageSize);
    const images = dict({});
    let content = "";
    let top = 0;
    for (const [index, strip] of strips.entries()) {
      const key = index === 0 ? "Image" : `Image${index}`;
      images.set(key, this.#image(strip, source));
      const bottom = top + strip.height;
      const matrix = stripMatrix(placement.matrix, top / height, bottom / height);
      content += `q\n${matrix.map(writtenNumber).join(" ")} cm\n/${key} Do\nQ\n`;
      top = bottom;
    }
    this.#page(placement, content, dict({ XObject: images }));
    await this.#writer.drain();
  }

  /** Adds a page with a text in place of an image. The size is that of the image, in pixels. */
  addNote(note: string, size: Size): void {
    const placement = placeImage({ ...size, orientation: 1, resolution: undefined }, this.#pageSize);
    const font = dict({
      Type: name("Font"),
      Subtype: name("Type1"),
      BaseFont: name("Helvetica"),
    });
    const lines = wrapped(note, placement.width - 2 * NOTE_SIZE).map(
      (line) => `(${line.replace(/[\\()]/g, "\\$&")}) '\n`,
    );
    const top = writtenNumber(placement.height - NOTE_SIZE);
    this.#page(
      placement,
      `BT\n/Note ${NOTE_SIZE} Tf\n${NOTE_LEADING} TL\n${NOTE_SIZE} ${top} Td\n${lines.join("")}ET\n`,
      dict({ Font: dict({ Note: font }) }),
    );
  }

  /** Writes the page tree, the catalog and the trailer. */
  async end(): Promise<void> {
    const catalog = dict({ Type: name("Catalog"), Pages: new PdfRef(this.#pages, 0) });
    if (this.#metadata && this.#kids.length === 1) catalog.set("Metadata", this.#metadata);
    this.#writer.object(
      this.#pages,
      0,
      dict({ Type: name("Pages"), Count: this.#kids.length, Kids: this.#kids }),
    );
    this.#writer.object(this.#catalog, 0, catalog);
    await this.#writer.end(dict({ Root: new PdfRef(this.#catalog, 0) }));
  }

  #page({ width, height }: Placement, content: string, resources: PdfDict): void {
    const page = dict({
      Type: name("Page"),
      Parent: new PdfRef(this.#pages, 0),
      MediaBox: [0, 0, numberObject(width), numberObject(height)],
      Resources: resources,
      Contents: this.#stream(dict({}), latin1Bytes(content)),
    });
    const num = this.#writer.allocate();
    this.#writer.object(num, 0, page);
    this.#kids.push(new PdfRef(num, 0));
  }

  #image(image: EmbeddedImage, source: ByteSource): PdfRef {
    const { colorSpace, inverted, colorKey, softMask, xmp } = image;
    const components = componentsOf(colorSpace);
    const imageDict = this.#samples(image, image, components);
    imageDict.set("ColorSpace", this.#colorSpace(colorSpace));
    if (inverted)
      imageDict.set(
        "Decode",
        Array.from({ length: 2 * components }, (_, index) => 1 - (index % 2)),
      );
    if (colorKey) imageDict.set("Mask", [...colorKey]);
    if (softMask) {
      const mask = this.#samples(image, softMask, 1);
      mask.set("ColorSpace", name("DeviceGray"));
      imageDict.set("SMask", this.#data(mask, softMask.data, source));
    }
    if (xmp) {
      const metadata = this.#stream(dict({ Type: name("Metadata"), Subtype: name("XML") }), xmp);
      imageDict.set("Metadata", metadata);
      this.#metadata ??= metadata;
    }
    return this.#data(imageDict, image.data, source);
  }

  /** Returns the entries that an image and its mask share. */
  #samples({ width, height }: EmbeddedImage, samples: Samples, components: number): PdfDict {
    const { bitsPerComponent, compression } = samples;
    const common = dict({
      Type: name("XObject"),
      Subtype: name("Image"),
      Width: width,
      Height: height,
      BitsPerComponent: bitsPerComponent,
      Filter: name(FILTERS[compression.kind]),
    });
    if (compression.kind === "fax") common.set("DecodeParms", faxParameters({ width, height }, compression));
    if (compression.kind === "jpeg" && compression.rgb) {
      common.set("DecodeParms", dict({ ColorTransform: 0 }));
    } else if (compression.kind === "flate" && compression.filtered) {
      common.set(
        "DecodeParms",
        dict({ Predictor: 15, Colors: components, BitsPerComponent: bitsPerComponent, Columns: width }),
      );
    }
    return common;
  }

  #colorSpace(space: ColorSpace): PdfObject {
    switch (space.kind) {
      case "device":
        return name(DEVICE[space.components]);
      case "icc":
        return [name("ICCBased"), this.#profile(space.profile, space.components)];
      case "indexed": {
        const last = space.palette.length / 3 - 1;
        return [name("Indexed"), this.#colorSpace(space.base), last, new PdfString(space.palette, true)];
      }
    }
  }

  #profile(profile: Uint8Array, components: 1 | 3 | 4): PdfRef {
    const known = this.#profiles.find((one) => equalBytes(one.profile, profile));
    if (known) return known.ref;
    const ref = this.#stream(
      dict({ N: components, Alternate: name(DEVICE[components]), Filter: name("FlateDecode") }),
      zlibSync(profile),
    );
    // A copy: the profile may be a view of a whole file.
    this.#profiles.push({ profile: profile.slice(), ref });
    return ref;
  }

  #data(streamDict: PdfDict, parts: readonly BytePart[], source: ByteSource): PdfRef {
    const ref = new PdfRef(this.#writer.allocate(), 0);
    this.#writer.parts(ref.num, streamDict, parts, source);
    return ref;
  }

  #stream(streamDict: PdfDict, bytes: Uint8Array): PdfRef {
    const ref = new PdfRef(this.#writer.allocate(), 0);
    this.#writer.stream(ref.num, 0, streamDict, { kind: "memory", bytes });
    return ref;
  }
}

/** The data may lack the code at its end, so the number of rows tells the end. */
function faxParameters(
  { width, height }: Size,
  { k, isByteAligned, blackIs1 }: Extract<Compression, { kind: "fax" }>,
): PdfDict {
  const coding = { K: k, EncodedByteAlign: isByteAligned, EndOfBlock: false };
  return dict({ ...coding, Columns: width, Rows: height, BlackIs1: blackIs1 });
}

function dict(entries: Readonly<Record<string, PdfObject>>): PdfDict {
  return PdfDict.from(Object.entries(entries));
}

function name(value: string): PdfName {
  return PdfName.of(value);
}

function numberObject(value: number): PdfObject {
  return Number.isInteger(value) ? value : new PdfReal(writtenNumber(value));
}

/** Writes a number without exponent and trailing zeros. */
function writtenNumber(value: number): string {
  return String(Number(value.toFixed(5)));
}

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Breaks a text into lines of that width. Replaces characters that the font may lack by question marks. */
function wrapped(text: string, width: number): readonly string[] {
  const letters = Math.max(1, Math.floor(width / NOTE_LETTER));
  const lines: string[] = [];
  for (const word of text.replace(/[^ -~]/g, "?").split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}
