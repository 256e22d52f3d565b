/** A range of bytes: the first and the last one, counted from 0. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.1.2). Returns undefined, which means the whole file, for several ranges and for
 * other units. Returns `"unsatisfiable"` if the file has no such bytes.
 */
export function byteRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || from + to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < first) return undefined;
  return first > last ? "unsatisfiable" : { first, last };
}

/** Returns the part of a stored file that a GET or HEAD request asks for: the whole, its headers, or a range of bytes. */
export async function wantedPart({ method, headers }: Request, whole: Response): Promise<Response> {
  if (method === "HEAD") {
    await whole.body?.cancel();
    return new Response(null, whole);
  }
  const condition = headers.get("if-range");
  const isSame = condition === null || condition === whole.headers.get("etag");
  const size = Number(whole.headers.get("content-length"));
  const range = isSame ? byteRange(headers.get("range"), size) : undefined;
  if (range === undefined) return whole;
  if (range === "unsatisfiable") {
    await whole.body?.cancel();
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${size}` } });
  }
  const { first, last } = range;
  const part = new Headers(whole.headers);
  part.set("content-range", `bytes ${first}-${last}/${size}`);
  part.set("content-length", String(last - first + 1));
  const file = await whole.blob();
  return new Response(file.slice(first, last + 1), { status: 206, headers: part });
}
