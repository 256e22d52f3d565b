import { createHash } from "node:crypto";
import { rc4 } from "../../../../workers/pdf/security/rc4.ts";
import type { Random } from "../../random.ts";
import { type Model, plainLayout } from "../model.ts";

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const METHODS = ["V2", "AESV2", "AESV3", "None"];
/** Lengths at which block ciphers do something else. */
const LENGTHS = [0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 4095, 300_000];

/**
 * A document in which every combination of version, revision, key length and crypt filter may stand, sensible or
 * not, and that the empty password opens all the same: a mutated encryption dictionary is seldom opened at all.
 */
export function encryptedDocument(random: Random): Model {
  const version = random.pick([1, 2, 3, 4, 4, 4]);
  const revision = random.pick([2, 3, 4, 4]);
  const keyLength = random.pick([5, 5, 7, 16, 16]);
  const metadata = random.chance(0.7);
  const method = () => random.pick(METHODS);
  const name = () => random.pick(["StdCF", "Other", "Identity", "Identity"]);
  const id = Buffer.from(random.bytes(random.pick([0, 16])));
  const owner = Buffer.from(random.bytes(32));
  const key = fileKey(revision, keyLength, owner, id, metadata);
  const dict = [
    `/Filter/Standard/V ${version}/R ${revision}/Length ${random.pick([keyLength * 8, keyLength, 128, 40])}/P -4`,
    `/O ${hex(owner)}/U ${hex(userEntry(revision, key, id))}`,
    `/CF<</StdCF<</CFM/${method()}/Length ${random.pick([5, 16, 128])}>>/Other<</CFM/${method()}>>>>`,
    `/StmF/${name()}/StrF/${name()}${random.chance(0.4) ? `/EFF/${name()}` : ""}/EncryptMetadata ${metadata}`,
  ];
  const stream = (num: number, text: string) => ({
    num,
    gen: random.chance(0.9) ? 0 : 3,
    text,
    data: random.bytes(random.pick(LENGTHS)),
    packed: false,
  });
  const object = (num: number, text: string) => ({
    num,
    gen: 0,
    text,
    data: undefined,
    packed: false,
  });
  const string = () => hex(Buffer.from(random.bytes(random.pick(LENGTHS.slice(0, 10)))));
  return {
    header: "%PDF-1.6\n",
    objects: [
      object(1, "<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R/Names<</EmbeddedFiles<</Names[(a)9 0 R]>>>>>>"),
      object(2, "<</Type/Pages/Count 1/Kids[3 0 R]>>"),
      object(
        3,
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R/S${string()}/X[7 0 R 8 0 R 10 0 R]>>`,
      ),
      { num: 4, gen: 0, text: `<<${dict.join("")}>>`, data: undefined, packed: false },
      stream(5, `<</S${string()}>>`),
      stream(6, "<</Type/Metadata/Subtype/XML>>"),
      stream(7, `<</Filter[/Crypt]/DecodeParms[<</Name/${name()}>>]>>`),
      stream(8, `<</Filter/Crypt/DecodeParms<</Name/${random.pick(["Missing", "StdCF"])}>>>>`),
      object(9, `<</Type/Filespec/F${string()}/EF<</F 11 0 R>>>>`),
      object(10, `<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents${string()}/M${string()}>>`),
      stream(11, random.chance(0.5) ? "<</Type/EmbeddedFile>>" : "<<>>"),
    ],
    trailer: `/Root 1 0 R/Encrypt 4 0 R/ID[${hex(id)}${hex(id)}]`,
    layout: plainLayout(random.pick(["table", "stream"])),
  };
}

/** The only identifier for which {@link encryptionOpenToAll} holds. */
export const OPEN_IDENTIFIER = "/ID[<00><00>]";

/**
 * An encryption dictionary that the empty password opens. Its crypt filters are all Identity (ISO 32000-2, 7.6.6), so
 * that strings and streams stay as they are.
 */
export function encryptionOpenToAll(): string {
  const [owner, id] = [Buffer.alloc(32), Buffer.alloc(1)];
  const user = userEntry(4, fileKey(4, 16, owner, id, true), id);
  return `<</Filter/Standard/V 4/R 4/Length 128/P -4/O${hex(owner)}/U${hex(user)}/CF<<>>/StmF/Identity/StrF/Identity>>`;
}

const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString("hex")}>`;
const md5 = (...parts: readonly Uint8Array[]) => createHash("md5").update(Buffer.concat(parts)).digest();

/** The key that the empty password gives (Algorithm 2). */
function fileKey(revision: number, length: number, owner: Buffer, id: Buffer, metadata: boolean): Buffer {
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const marker = revision >= 4 && !metadata ? Buffer.alloc(4, 255) : Buffer.alloc(0);
  let digest = md5(PADDING, owner, permissions, id, marker);
  if (revision >= 3) for (let round = 0; round < 50; round++) digest = md5(digest.subarray(0, length));
  return digest.subarray(0, length);
}

/** What tells that a key is right (Algorithms 4 and 5). */
function userEntry(revision: number, key: Buffer, id: Buffer): Uint8Array {
  if (revision === 2) return rc4(key, PADDING);
  let check: Uint8Array = md5(PADDING, id);
  for (let round = 0; round < 20; round++) {
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  }
  return Buffer.concat([check, Buffer.alloc(16)]);
}
