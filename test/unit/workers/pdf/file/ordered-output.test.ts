import { createCipheriv, createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ByteSink } from "../../../../../workers/io/sink.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { OrderedOutput } from "../../../../../workers/pdf/file/ordered-output.ts";
import type { CryptMethod } from "../../../../../workers/pdf/security/decryptor.ts";
import { rc4 } from "../../../../../workers/pdf/security/rc4.ts";
import {
  AesKey,
  decryptedLength,
  writeDecrypted,
  writeEncrypted,
} from "../../../../../workers/pdf/security/stream-cipher.ts";
import { PdfRef, type StreamData } from "../../../../../workers/pdf/syntax/objects.ts";

const MEGABYTE = 1 << 20;
/** The most bytes in computation and in the sink before the writer waits, plus one part of each. */
const MOST_IN_FLIGHT = 9 * MEGABYTE;
const MOST_HELD = 17 * MEGABYTE;

/** A sink that is full of what nobody has waited for, as one that makes a Blob is. */
class WaitedSink implements ByteSink {
  length = 0;
  held = 0;
  mostHeld = 0;
  readonly #hash = createHash("sha256");

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.length += bytes.length;
    this.held += bytes.length;
    this.mostHeld = Math.max(this.mostHeld, this.held);
  }

  copy(): void {
    throw new Error("nothing is copied here");
  }

  restart(): void {
    throw new Error("nothing begins again here");
  }

  get backpressure(): boolean {
    return this.held >= 16 * MEGABYTE;
  }

  async drain(): Promise<void> {
    this.held = 0;
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

const BEHIND = Buffer.from("behind");
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("OrderedOutput", () => {
  const plain = Uint8Array.from({ length: 40 * MEGABYTE + 5 }, (_, index) => index ^ (index >> 8));
  const key = new Uint8Array(32).fill(7);
  const iv = new Uint8Array(16).fill(9);

  function encrypted(): Uint8Array {
    const cipher = createCipheriv("aes-256-cbc", key, iv);
    return Uint8Array.from(Buffer.concat([iv, cipher.update(plain), cipher.final()]));
  }

  /** Writes the data as `write` does, something small behind it. */
  async function written(
    data: Uint8Array,
    write: (out: OrderedOutput, whole: StreamData) => void,
  ): Promise<{ readonly sink: WaitedSink; readonly mostInFlight: number }> {
    const sink = new WaitedSink();
    const buffer = bufferSource(data);
    let read = 0;
    let mostInFlight = 0;
    const source = {
      size: buffer.size,
      read(start: number, end: number): Uint8Array {
        const bytes = buffer.read(start, end);
        read += bytes.length;
        mostInFlight = Math.max(mostInFlight, read - sink.length);
        return bytes;
      },
    };
    const out = new OrderedOutput(sink);
    write(out, { kind: "file", source, start: 0, end: data.length, owner: new PdfRef(1, 0) });
    out.text.text("behind");
    await out.drain();
    await out.end();
    return { sink, mostInFlight };
  }

  it.each<[CryptMethod, () => Uint8Array]>([
    ["aes-256", encrypted],
    ["rc4", () => rc4(key, plain)],
  ])("is decrypted (%s) with little of it in memory, and in order", async (method, data) => {
    const { sink, mostInFlight } = await written(data(), (out, whole) => {
      const cipher = { method, key };
      const length = decryptedLength(whole, cipher);
      writeDecrypted(out, whole, cipher, length);
      expect(out.position).toBe(plain.length);
    });
    expect(sink.digest()).toBe(digestOf(Buffer.concat([plain, BEHIND])));
    expect(mostInFlight).toBeLessThan(MOST_IN_FLIGHT);
    expect(sink.mostHeld).toBeLessThan(MOST_HELD);
  });

  it("encrypts a long stream in order, with few bytes in memory", async () => {
    const { sink, mostInFlight } = await written(plain, (out, whole) =>
      writeEncrypted(out, whole, AesKey.of(key), iv),
    );
    expect(sink.digest()).toBe(digestOf(Buffer.concat([encrypted(), BEHIND])));
    expect(mostInFlight).toBeLessThan(MOST_IN_FLIGHT);
    expect(sink.mostHeld).toBeLessThan(MOST_HELD);
  });
});

describe("OrderedOutput.defer", () => {
  it("computes several parts at a time, and rejects in drain when one fails", async () => {
    const sink = new WaitedSink();
    const out = new OrderedOutput(sink);
    let begun = 0;
    const finish: (() => void)[] = [];
    for (let count = 0; count < 20; count++) {
      out.defer(MEGABYTE, async () => {
        begun++;
        await new Promise<void>((done) => finish.push(done));
        if (count === 19) throw new Error("the last one fails");
        return new Uint8Array(MEGABYTE);
      });
    }
    expect(begun).toBe(8);
    const room = expect(out.end()).rejects.toThrow("the last one fails");
    for (let next = finish.shift(); next; next = finish.shift()) {
      next();
      // The next one begins when this one has been passed on.
      await new Promise(setImmediate);
    }
    await room;
    expect(begun).toBe(20);
    expect(sink.length).toBe(19 * MEGABYTE);
  });
});
