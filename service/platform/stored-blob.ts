import { statSync } from "node:fs";
import { joined, lengthOf, newPieces, type Piece, readPieces, sliceOf } from "./pieces.ts";

/** How many bytes of a stream are read at once. */
const STREAM_STEP = 256 * 1024;

/**
 * A `Blob` whose bytes are in memory or in files on disk. Unlike the `Blob` of Node, it can be read synchronously, holds
 * ranges of files without reading them, and keeps large new content on disk. A thread gets it by blob-messages.ts: a
 * structured clone would be empty, because Node clones the fields of its own class only.
 */
export class StoredBlob extends Blob {
  #pieces: readonly Piece[];
  #size: number;
  readonly #type: string;

  /** @throws {TypeError} for a `Blob` of Node, which cannot be read synchronously */
  constructor(parts: Iterable<BlobPart> = [], { type = "" }: BlobPropertyBag = {}) {
    super();
    this.#pieces = piecesOf(parts);
    this.#size = sizeOf(this.#pieces);
    this.#type = /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : "";
  }

  static ofPieces(pieces: readonly Piece[], type = ""): StoredBlob {
    const blob = new StoredBlob([], { type });
    blob.#pieces = pieces;
    blob.#size = sizeOf(pieces);
    return blob;
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  override get size(): number {
    return this.#size;
  }

  override get type(): string {
    return this.#type;
  }

  override slice(start = 0, end = this.#size, type = ""): StoredBlob {
    const from = this.#position(start);
    return StoredBlob.ofPieces(sliceOf(this.#pieces, from, Math.max(from, this.#position(end))), type);
  }

  /** Reads all bytes. The errors are those of `readPieces`. */
  readSync(): Uint8Array<ArrayBuffer> {
    return readPieces(this.#pieces, this.#size);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.readSync().buffer;
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.readSync();
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(this.readSync());
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0;
    return new ReadableStream({
      pull: (controller) => {
        const bytes = this.slice(at, at + STREAM_STEP).readSync();
        at += bytes.length;
        if (bytes.length > 0) controller.enqueue(bytes);
        if (at === this.#size) controller.close();
      },
    });
  }

  #position(index: number): number {
    const whole = Math.trunc(index) || 0;
    return whole < 0 ? Math.max(0, this.#size + whole) : Math.min(this.#size, whole);
  }
}

/** A {@link StoredBlob} with a name. */
export class StoredFile extends StoredBlob {
  readonly name: string;
  readonly lastModified: number;
  readonly webkitRelativePath = "";

  constructor(
    parts: Iterable<BlobPart>,
    name: string,
    { type = "", lastModified = Date.now() }: FilePropertyBag = {},
  ) {
    super(parts, { type });
    this.name = name;
    this.lastModified = lastModified;
  }

  /**
   * Returns a file on disk, without reading it.
   *
   * @param name the name that it has for the caller
   * @throws the error of the file system
   */
  static at(path: string, name: string, type = ""): StoredFile {
    const piece: Piece = { kind: "range", path, start: 0, end: statSync(path).size };
    return new StoredFile([StoredBlob.ofPieces([piece])], name, { type });
  }

  get [Symbol.toStringTag](): string {
    return "File";
  }
}

function piecesOf(parts: Iterable<BlobPart>): Piece[] {
  const pieces: Piece[] = [];
  let chunks: Uint8Array[] = [];
  const endChunks = () => {
    pieces.push(...newPieces(chunks));
    chunks = [];
  };
  for (const part of parts) {
    if (part instanceof StoredBlob) {
      endChunks();
      for (const piece of part.pieces) pieces.push(piece);
    } else if (part instanceof Blob) throw new TypeError("A StoredBlob cannot hold a Blob of Node.");
    else chunks.push(bytesOf(part));
  }
  endChunks();
  return joined(pieces.filter((piece) => lengthOf(piece) > 0));
}

function bytesOf(part: string | BufferSource): Uint8Array {
  if (typeof part === "string") return new TextEncoder().encode(part);
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  return new Uint8Array(part);
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
}
