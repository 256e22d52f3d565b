import { createCipheriv, createDecipheriv } from "node:crypto";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { FrameAes } from "../../../../../src/shared/sealing.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { OrderedOutput } from "../../../../../workers/pdf/file/ordered-output.ts";
import {
  AesKey,
  decryptedLength,
  writeDecrypted,
  writeEncrypted,
} from "../../../../../workers/pdf/security/stream-cipher.ts";
import { PdfRef, type StreamData } from "../../../../../workers/pdf/syntax/objects.ts";
import { MemorySink } from "../../../../support/memory-sink.ts";

// A sealed worker of Chromium has no WebCrypto. That of its frame takes its place for longer streams.

const KILOBYTE = 1024;
const FROM = 16 * KILOBYTE;
const CHUNK = 512 * KILOBYTE;

/** AES of the frame, by OpenSSL. */
function frameAes() {
  return vi.fn<FrameAes>(async ({ direction, key, iv, data }) => {
    const copy = data.slice();
    await new Promise(setImmediate);
    const name = `aes-${8 * key.length}-cbc`;
    const cipher = direction === "encrypt" ? createCipheriv(name, key, iv) : createDecipheriv(name, key, iv);
    return Uint8Array.from(Buffer.concat([cipher.update(copy), cipher.final()])).buffer;
  });
}

function stubFrame() {
  const aes = frameAes();
  vi.stubGlobal("crypto", {});
  vi.stubGlobal("stayputAes", aes);
  return aes;
}

afterEach(() => vi.unstubAllGlobals());

async function written(bytes: Uint8Array, write: (out: OrderedOutput, data: StreamData) => void) {
  const sink = new MemorySink();
  const out = new OrderedOutput(sink);
  const source = bufferSource(bytes);
  write(out, { kind: "file", source, start: 0, end: bytes.length, owner: new PdfRef(1, 0) });
  await out.end();
  return Buffer.from(sink.toBytes());
}

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7) ^ (index >> 9));

/** Encrypts and decrypts, and compares with OpenSSL. */
async function expectSame(keyBytes: 16 | 32, length: number): Promise<void> {
  const key = Uint8Array.from({ length: keyBytes }, (_, index) => index * 9 + keyBytes);
  const iv = new Uint8Array(16).fill(5);
  const plain = bytesOf(length);
  const cipher = createCipheriv(`aes-${8 * keyBytes}-cbc`, key, iv);
  const expected = Buffer.concat([iv, cipher.update(plain), cipher.final()]);
  const encrypted = await written(plain, (out, data) => writeEncrypted(out, data, AesKey.of(key), iv));
  expect(encrypted.equals(expected)).toBe(true);
  const decrypted = await written(expected, (out, data) => {
    const object = { method: keyBytes === 16 ? "aes-128" : "aes-256", key } as const;
    writeDecrypted(out, data, object, decryptedLength(data, object));
  });
  expect(decrypted.equals(plain)).toBe(true);
}

test.each(
  [0, 1, 15, 16, 17, FROM - 1, FROM, FROM + 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5].flatMap((length) =>
    ([16, 32] as const).map((key) => [length, key] as const),
  ),
)("a stream of %i bytes with a key of %i is that of OpenSSL", async (length, keyBytes) => {
  const aes = stubFrame();
  await expectSame(keyBytes, length);
  const chunks = length < FROM ? 0 : Math.ceil(length / CHUNK);
  expect(aes).toHaveBeenCalledTimes(2 * chunks);
});

test("streams of any length are those of OpenSSL", async () => {
  stubFrame();
  const lengths = fc.integer({ min: 0, max: 80 * KILOBYTE });
  await fc.assert(fc.asyncProperty(fc.constantFrom(16, 32), lengths, expectSame), { numRuns: 40 });
});

test.each([0, 1, 16, 17, 31, 33, FROM + 3])(
  "a cut stream of %i bytes gives its whole blocks",
  async (length) => {
    stubFrame();
    const key = new Uint8Array(32).fill(3);
    const object = { method: "aes-256", key } as const;
    const whole = Math.max(0, length - (length % 16) - 16);
    const decrypted = await written(bytesOf(length), (out, data) =>
      writeDecrypted(out, data, object, decryptedLength(data, object)),
    );
    expect(decrypted.length).toBe(whole);
  },
);

test("a failure of the frame is that of the stream", async () => {
  vi.stubGlobal("crypto", {});
  vi.stubGlobal("stayputAes", async () => {
    throw new Error("no memory in the frame");
  });
  await expect(expectSame(32, FROM)).rejects.toThrow("no memory in the frame");
});
