// HEIC → JPG without Stayput: libheif-js decodes in the page, and a canvas encodes. Loaded when a reader measures it.
import createLibheif, { type Libheif } from "libheif-js/libheif-wasm/libheif-bundle.mjs";

let libheif: Libheif | undefined;

export async function jpegOf(heic: Blob, quality: number): Promise<Blob> {
  libheif ??= createLibheif();
  const [image] = new libheif.HeifDecoder().decode(new Uint8Array(await heic.arrayBuffer()));
  if (image === undefined) throw new Error("libheif found no picture.");
  const canvas = new OffscreenCanvas(image.get_width(), image.get_height());
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no 2D canvas.");
  const pixels = context.createImageData(canvas.width, canvas.height);
  const decoded = await new Promise<ImageData | null>((resolve) => image.display(pixels, resolve));
  image.free();
  if (decoded === null) throw new Error("libheif cannot decode the picture.");
  context.putImageData(decoded, 0, 0);
  return canvas.convertToBlob({ type: "image/jpeg", quality });
}
