import type { BlobSink } from "../../io/blob-sink.ts";
import type { ByteSink, RangeCipher, RangeEncryptor } from "../../io/sink.ts";
import { callHelpers, type Helper } from "../../parallel/helper-pool.ts";
import { TaskQueue } from "../../parallel/task-queue.ts";
import { ChunkEncryptor } from "./chunk-encryptor.ts";
import {
  CHUNK_BYTES,
  type ChunkPart,
  chunkLength,
  type EncryptionChunk,
  LONGEST_READ,
  lengthOfRange,
} from "./encryption-chunk.ts";
import type { RunsRequest } from "./encryption-helper.ts";

/** Smaller files gain nothing: those of 19 MB take as long, those of 27 MB two thirds of it. */
const WORTH_SHARING_BYTES = 24 * 1024 * 1024;
/** Smaller streams are read more quickly together with what stands between them: those of 300 KB, not those of 700. */
const LONG_STREAM = 512 * 1024;
/** So many bytes that are not encrypted here may stand in a run. */
const MOST_BETWEEN = 512 * 1024;
/** With two at work the browser stores as fast as it can; a third would take memory. */
const MOST_HELPERS = 1;
/** So many runs may wait for somebody to make them. */
const MOST_WAITING = 4;

/** The run that is being put together. */
interface OpenRun {
  readonly pieces: ChunkPart[];
  readonly start: number;
  end: number;
  /** How many of its bytes are in no range. */
  between: number;
}

/**
 * An output that becomes a Blob, in which long encrypted ranges are read, encrypted and stored run by run, here and by
 * helpers. The bytes are the same whoever makes what.
 */
export class EncryptingSink implements ByteSink {
  readonly encryptor: RangeEncryptor | undefined;
  readonly #file: Blob;
  readonly #helpers: number;
  #length = 0;
  /** What comes before {@link #sink}, in order. */
  #before: (Blob | Promise<Blob>)[] = [];
  #made: readonly Blob[] = [];
  #sink: BlobSink;
  /** Why a run cannot be made. */
  #failure: { readonly reason: unknown } | undefined;
  /** Comes behind {@link #sink}, which is empty then. */
  #run: OpenRun | undefined;
  #queue: TaskQueue<EncryptionChunk, Blob> | undefined;

  /**
   * @param sink takes what is not encrypted here
   * @param helpers how many more workers may help
   */
  constructor(file: Blob, sink: BlobSink, helpers = 0) {
    this.#file = file;
    this.#sink = sink;
    this.#helpers = Math.min(helpers, MOST_HELPERS);
    if (file.size >= WORTH_SHARING_BYTES) {
      this.encryptor = { from: LONG_STREAM, take: (start, end, cipher) => this.#encrypt(start, end, cipher) };
    }
  }

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#length += bytes.length;
    const run = this.#run;
    if (run && run.between + bytes.length <= MOST_BETWEEN) {
      run.between += bytes.length;
      // Of a view, a helper would be sent all that is behind it.
      run.pieces.push(bytes.slice());
    } else {
      this.#passRun();
      this.#sink.write(bytes);
    }
  }

  copy(start: number, end: number): void {
    this.#length += end - start;
    this.#passRun();
    this.#sink.copy(start, end);
  }

  #encrypt(start: number, end: number, { key, iv }: RangeCipher): void {
    const range = { start, end, iv };
    this.#length += lengthOfRange(range);
    this.#queue ??= this.#newQueue(key);
    const open = this.#run;
    if (
      open &&
      end - open.start <= LONGEST_READ &&
      start >= open.end &&
      open.end - open.start < CHUNK_BYTES
    ) {
      open.pieces.push(range);
      open.end = end;
      return;
    }
    this.#passRun();
    this.#passSink();
    if (end - start > LONGEST_READ) this.#make({ kind: "long", range });
    else this.#run = { pieces: [range], start, end, between: 0 };
  }

  get backpressure(): boolean {
    return (
      this.#failure !== undefined || this.#sink.backpressure || (this.#queue?.waiting ?? 0) > MOST_WAITING
    );
  }

  async drain(): Promise<void> {
    await this.#sink.drain();
    await this.#queue?.room(MOST_WAITING);
    if (this.#failure) throw this.#failure.reason;
  }

  restart(): void {
    this.#length = 0;
    this.#before = [];
    this.#failure = undefined;
    this.#run = undefined;
    this.#sink.restart();
    this.#queue?.clear();
  }

  async end(): Promise<void> {
    this.#passRun();
    this.#queue?.complete();
    this.#made = await Promise.all(this.#before);
  }

  /** Everything taken, once it has ended. */
  toBlob(type: string): Blob {
    if (this.#made.length === 0) return this.#sink.toBlob(type);
    return new Blob([...this.#made, this.#sink.toBlob()], { type });
  }

  /** Lets the helpers go. */
  close(): void {
    this.#queue?.close();
  }

  #passSink(): void {
    if (this.#sink.length === 0) return;
    this.#before.push(this.#sink.toBlob());
    this.#sink = this.#sink.follower();
  }

  #passRun(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run) this.#make({ kind: "short", ...run });
  }

  #make(run: EncryptionChunk): void {
    const made = this.#queue?.add(run);
    if (made === undefined) return;
    const before = this.#before;
    before.push(made);
    made.catch((reason) => {
      // Of what was begun before a restart, nobody wants to hear.
      if (before === this.#before) this.#failure ??= { reason };
    });
  }

  #newQueue(key: Promise<CryptoKey>): TaskQueue<EncryptionChunk, Blob> {
    const maker = new ChunkEncryptor(this.#file, key);
    return new TaskQueue(
      (run) => maker.make(run),
      async () => {
        const request: RunsRequest = { file: this.#file, key: await key };
        const crew = callHelpers<EncryptionChunk, Blob, RunsRequest>(this.#helpers, "helpWithRuns", request);
        return crew.map(checked);
      },
    );
  }
}

/** A helper whose runs are as long as they should be. */
function checked(helper: Helper<EncryptionChunk, Blob>): Helper<EncryptionChunk, Blob> {
  return {
    get isResponsive() {
      return helper.isResponsive;
    },
    async ask(run) {
      const made = await helper.ask(run);
      return made?.size === chunkLength(run) ? made : undefined;
    },
    suspect: () => helper.suspect(),
    release: () => helper.release(),
  };
}
