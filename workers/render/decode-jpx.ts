import { TimeLimit } from "../../src/shared/active-time.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { MOST_HELPER_MEMORY, PAGE_TIMEOUT_MS } from "../call-budget.ts";
import type { GrayPicture, PixelPicture } from "../image/picture/picture.ts";
import type { Size } from "../image/picture/size.ts";
import { BlobSink } from "../io/blob-sink.ts";
import { bytesOf } from "../io/file-bytes.ts";
import { bufferSource } from "../io/source.ts";
import { FileWriter } from "../pdf/file/file-writer.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef } from "../pdf/syntax/objects.ts";
import { drawPage, WHITE } from "./draw-page.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import { OpenPdf } from "./open-pdf.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Stands for all documents of one JPEG 2000 image. They share an engine: nothing else is in them that changes its state. */
const IMAGE_DOCUMENTS = new Blob();

interface JpxSize extends Size {
  readonly components: 1 | 3;
}

/**
 * Decodes a JPEG 2000 image: PDFium draws it on a page of its size, pixel by pixel. No browser but Safari decodes such images.
 *
 * @param size its size in pixels, and its components of 8 bits
 * @param notify called before (true) and after (false) PDFium works, which may never return
 * @returns the samples, without conversion of colors; undefined when PDFium cannot decode it, or would need too much memory
 */
export async function decodeJpx(
  bytes: Bytes,
  size: JpxSize,
  notify: (mayHang: boolean) => void,
): Promise<PixelPicture | GrayPicture | undefined> {
  const { width, height, components } = size;
  const document = bufferSource(await documentOf(bytes, size));
  const engine = await PdfiumEngine.take({ file: IMAGE_DOCUMENTS, mostMemory: MOST_HELPER_MEMORY });
  notify(true);
  try {
    const pdf = OpenPdf.open(engine, document, "");
    if (!pdf) return undefined;
    try {
      const drawn = drawPage(pdf, 0, { width, height }, WHITE, new TimeLimit(PAGE_TIMEOUT_MS));
      if (drawn.kind !== "drawn") return undefined;
      if (components === 1) return { layout: "gray", width, height, samples: redOf(drawn.pixels) };
      return { layout: "rgba", width, height, pixels: drawn.pixels.slice(), hasAlpha: false };
    } finally {
      pdf.close();
    }
  } catch (error) {
    engine.abandon();
    const isTooMuch = error instanceof ServiceError && error.code === "input_too_large";
    if (isTooMuch || error instanceof EngineFailure) return undefined;
    throw error;
  } finally {
    notify(false);
    engine.leave();
  }
}

/** Returns a document with one page, which the image fills. */
async function documentOf(bytes: Bytes, { width, height, components }: JpxSize): Promise<Bytes> {
  const sink = new BlobSink();
  const writer = new FileWriter(sink, "1.7");
  const ref = () => new PdfRef(writer.allocate(), 0);
  const [catalog, pages, page, content, image] = [ref(), ref(), ref(), ref(), ref()];
  writer.object(catalog.num, 0, dict({ Type: name("Catalog"), Pages: pages }));
  writer.object(pages.num, 0, dict({ Type: name("Pages"), Count: 1, Kids: [page] }));
  const entries = { Type: name("Page"), Parent: pages, MediaBox: [0, 0, width, height], Contents: content };
  const resources = dict({ XObject: dict({ Image: image }) });
  writer.object(page.num, 0, dict({ ...entries, Resources: resources }));
  const drawing = new TextEncoder().encode(`${width} 0 0 ${height} 0 0 cm /Image Do`);
  writer.stream(content.num, 0, dict({}), { kind: "memory", bytes: drawing });
  const size = { Type: name("XObject"), Subtype: name("Image"), Width: width, Height: height };
  // A device color space overrides that of the file, so that samples stay as they are.
  const space = { ColorSpace: name(components === 1 ? "DeviceGray" : "DeviceRGB"), BitsPerComponent: 8 };
  const imageDict = dict({ ...size, ...space, Filter: name("JPXDecode") });
  writer.stream(image.num, 0, imageDict, { kind: "memory", bytes });
  await writer.end(dict({ Root: catalog }));
  return bytesOf(sink.toBlob());
}

function dict(entries: Readonly<Record<string, PdfObject>>): PdfDict {
  return PdfDict.from(Object.entries(entries));
}

function name(value: string): PdfName {
  return PdfName.of(value);
}

/** Returns the red of each pixel. That of a gray picture is its value. */
function redOf(pixels: Uint8ClampedArray): Uint8Array {
  const samples = new Uint8Array(pixels.length / 4);
  for (let at = 0; at < samples.length; at++) samples[at] = pixels[4 * at] as number;
  return samples;
}
