import type { CompressOptions } from "../../src/shared/protocol.ts";
import { compressPdf } from "../../workers/compress/compress-pdf.ts";
import { jobContext } from "../../workers/job-context.ts";
import { mustRun } from "./oracles.ts";
import { CountingReader, ReadableBlob } from "./readable-blob.ts";

/** Compresses a PDF in Node. The test must mock `wasm-module.ts` by `wasm-from-disk.ts`. */
export async function compressBytes(
  input: Uint8Array<ArrayBuffer>,
  options: CompressOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const context = jobContext(new ReadableBlob(input), { reader: new CountingReader(), helpers: 0 });
  await compressPdf(context, options);
  return new Uint8Array(await context.sink.toBlob("application/pdf").arrayBuffer());
}

/** The dictionary of a stream, as qpdf prints it. */
export type NativeDict = Readonly<Record<string, unknown>>;

/** Returns the dictionaries of all streams of a file. */
export async function qpdfStreams(path: string): Promise<readonly NativeDict[]> {
  const printed = await mustRun("qpdf", ["--json", "--json-key=qpdf", path]);
  const { qpdf } = JSON.parse(printed.toString()) as { readonly qpdf: readonly NativeDict[] };
  const streams: NativeDict[] = [];
  for (const object of Object.values(qpdf[1] ?? {})) {
    const { stream } = object as { readonly stream?: { readonly dict: NativeDict } };
    if (stream) streams.push(stream.dict);
  }
  return streams;
}

/** Returns the images of a file: width × height, codec, color space, and whether they have a mask. */
export async function imagesOf(path: string): Promise<readonly string[]> {
  const images = (await qpdfStreams(path)).filter((dict) => dict["/Subtype"] === "/Image");
  return images
    .map((dict) => {
      const space = dict["/ColorSpace"];
      const family = Array.isArray(space) ? space[0] : space;
      return `${dict["/Width"]}x${dict["/Height"]} ${dict["/Filter"] ?? "plain"} ${family ?? "none"}`.replaceAll(
        "/",
        "",
      );
    })
    .sort();
}
