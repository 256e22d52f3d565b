import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { PdfName, PdfStream } from "../syntax/objects.ts";

/**
 * A stream that the file's end cuts off, made whole: what can be had of its deflated data, no longer deflated. Readers
 * are not agreed on data that has no end. Any other stream is itself.
 */
export function completed(document: PdfDocument, stream: PdfStream): PdfStream {
  const { dict, data } = stream;
  if (!document.recovered || data.kind === "memory" || data.end < document.source.size - 2) return stream;
  const filter = document.resolve(dict.get("Filter"));
  const only = Array.isArray(filter) && filter.length === 1 ? document.resolve(filter[0]) : filter;
  if (!(only instanceof PdfName) || only.value !== "FlateDecode") return stream;
  try {
    const bytes = document.decoded(stream);
    const own = dict.clone();
    for (const key of ["Filter", "DecodeParms"]) own.delete(key);
    return new PdfStream(own, { kind: "memory", bytes });
  } catch (error) {
    if (error instanceof UndecodableStream) return stream;
    throw error;
  }
}
