import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import saslprep from "@mongodb-js/saslprep";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../../src/shared/errors.ts";
import { PERMISSIONS } from "../../../../../src/shared/protocol.ts";
import { decryptAes, encryptAes } from "../../../../../workers/pdf/security/aes.ts";
import { hash2B } from "../../../../../workers/pdf/security/hash-2b.ts";
import { objectKey } from "../../../../../workers/pdf/security/key-derivation.ts";
import {
  legacyPasswords,
  modernPasswords,
  passwordToWrite,
} from "../../../../../workers/pdf/security/passwords.ts";
import { permissionBits, permissionsIn } from "../../../../../workers/pdf/security/permissions.ts";
import { saslPrep } from "../../../../../workers/pdf/security/sasl-prep.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("ciphers", () => {
  it("AES-CBC agrees with OpenSSL in both directions", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(16, 32).chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.uint8Array({ maxLength: 200 }),
        (key, iv, data) => {
          const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv);
          const expected = Buffer.concat([iv, cipher.update(data), cipher.final()]);
          expect(Buffer.from(encryptAes(key, iv, data))).toEqual(expected);
          expect(Buffer.from(decryptAes(key, expected))).toEqual(Buffer.from(data));
        },
      ),
    );
  });

  it.each([
    [5, false, 10],
    [5, true, 10],
    [16, true, 16],
  ])(
    "the key of an object, of a file key of %i bytes, has all of its number and generation",
    (length, aes, size) => {
      const fileKey = new Uint8Array(length).fill(7);
      const suffix = aes ? "452301780673416c54" : "4523017806";
      const digest = createHash("md5").update(fileKey).update(hex(suffix)).digest();
      expect(Buffer.from(objectKey(fileKey, 0x012345, 0x0678, aes))).toEqual(digest.subarray(0, size));
    },
  );

  const key = new Uint8Array(32).fill(7);
  const encrypted = encryptAes(key, new Uint8Array(16), utf8("0123456789abcdef0123456789abcdef!"));

  // `slice` of a Buffer is a view.
  it("decryptAes does not change a Buffer", () => {
    const buffer = Buffer.from(encrypted);
    decryptAes(key, buffer);
    expect(buffer).toEqual(Buffer.from(encrypted));
  });

  it("decryptAes returns the whole blocks of truncated data", () => {
    const decipher = createDecipheriv("aes-256-cbc", key, new Uint8Array(16)).setAutoPadding(false);
    expect(Buffer.from(decryptAes(key, encrypted.subarray(0, 55)))).toEqual(
      decipher.update(encrypted.subarray(16, 48)),
    );
    expect(decryptAes(key, encrypted.subarray(0, 20))).toHaveLength(0);
  });
});

describe("passwords", () => {
  it("revision 5 hashes with SHA-256 alone", async () => {
    const expected = createHash("sha256").update("secretsaltsalt").digest();
    expect(Buffer.from(await hash2B(5, utf8("secret"), utf8("saltsalt")))).toEqual(expected);
  });

  it.each([
    ["I\u00adX", "IX"],
    ["user", "user"],
    ["USER", "USER"],
    ["\u00aa", "a"],
    ["\u2168", "IX"],
    ["\u0007", undefined],
    ["\u0627\u0031", undefined],
    ["a\u3000b", "a b"],
  ])("SASLprep of %j as RFC 4013's examples have it", (text, expected) => {
    expect(saslPrep(text)).toBe(expected);
  });

  it("SASLprep agrees with another implementation", () => {
    const letters = fc.oneof(
      // Of text from right to left only these letters: which others may stand beside it is a longer table.
      fc
        .string({ unit: "grapheme", maxLength: 12 })
        .filter((text) => !/[\u0590-\u08ff\ufb1d-\ufefc]/.test(text)),
      fc.string({
        unit: fc.constantFrom(..."aZ09 \u00ad\u00aa\u2168\u05d0\u0627\u200d\ufe0f\u3000\u0130"),
        maxLength: 6,
      }),
    );
    fc.assert(
      fc.property(letters, (text) => {
        let expected: string | undefined;
        try {
          expected = saslprep(text, { allowUnassigned: true });
        } catch (error) {
          // The other one trips over text of which nothing is left.
          expected = error instanceof TypeError ? "" : undefined;
        }
        expect(saslPrep(text)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("passwordToWrite prepares a password, unless that fails or leaves nothing", () => {
    expect(passwordToWrite("\u200d", "password")).toEqual(utf8("\u200d"));
    expect(passwordToWrite("\u2168", "password")).toEqual(utf8("IX"));
    expect(passwordToWrite("\u0627\u0031", "password")).toEqual(utf8("\u0627\u0031"));
  });

  it("refuses a password of 128 bytes, without the password in the message", () => {
    expect(passwordToWrite(`${"\u00e9".repeat(63)}x`, "password")).toHaveLength(127);
    const long = "p".repeat(128);
    try {
      passwordToWrite(long, "owner_password");
      expect.fail("it was taken");
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: "invalid_parameter", details: { parameter: "owner_password" } });
      expect(String(error)).not.toContain("ppp");
    }
  });

  it("reading tries all encodings of a password", () => {
    expect(modernPasswords("\u2168")).toEqual([utf8("IX"), utf8("\u2168")]);
    expect(modernPasswords("plain")).toEqual([utf8("plain")]);
    expect(modernPasswords("x".repeat(200))).toEqual([utf8("x".repeat(127))]);
    expect(legacyPasswords("\u00ad")).toEqual([utf8("\u00ad"), hex("ad")]);
    expect(legacyPasswords("p\u00e4ss")).toEqual([utf8("p\u00e4ss"), hex("70e47373"), hex("708a7373")]);
    expect(legacyPasswords("\u20ac")).toEqual([utf8("\u20ac"), hex("a0"), hex("80"), hex("db")]);
    expect(legacyPasswords("\u0160")).toEqual([utf8("\u0160"), hex("97"), hex("8a")]);
    // Windows-1252 and Mac Roman, as programs for Windows and Macs wrote it.
    expect(legacyPasswords("O\u2019Relly")).toEqual(
      expect.arrayContaining([hex("4f9252656c6c79"), hex("4fd552656c6c79")]),
    );
    expect(legacyPasswords("\u017d\u20ac\u0160")).toContainEqual(hex("8e808a"));
    expect(legacyPasswords("\u2202\u0192")).toContainEqual(hex("b6c4"));
    expect(legacyPasswords("\u4f1a")).toEqual([utf8("\u4f1a")]);
  });
});

describe("permissions", () => {
  it("allow everything by default, and nothing for an empty list", () => {
    expect(permissionBits(undefined)).toBe(-4);
    expect(permissionBits([]) >>> 0).toBe(0xfffff2c0);
    expect(permissionBits(["print_low"]) >>> 0).toBe(0xfffff2c4);
    expect(permissionBits(["print"]) >>> 0).toBe(0xfffffac4);
  });

  it.each([
    [-4, 3, ["print", "print_low", "modify", "copy", "annotate", "fill_forms", "assemble"]],
    [0xfffff2c0 | 0, 6, []],
    [0xfffff2c4 | 0, 4, ["print_low"]],
    [0xfffffac0 | 0, 4, []],
    [0xffffffc0 | 4, 2, ["print", "print_low"]],
    [0xffffffc0 | 8, 2, ["modify", "assemble"]],
    [0xffffffc0 | 32, 2, ["annotate", "fill_forms"]],
  ])("are read from P %i of revision %i", (bits, revision, expected) => {
    expect(permissionsIn(bits, revision)).toEqual(expected);
  });

  it.each(PERMISSIONS)("are read as written: %s", (name) => {
    expect(permissionsIn(permissionBits([name]), 6)).toContain(name);
  });
});
