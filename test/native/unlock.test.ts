import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { protectBytes, unlockBytes } from "../support/engine.ts";
import { FixtureEncryption } from "../support/fixtures/encrypted-pdf.ts";
import { makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { catalogOf, pageOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import {
  NATIVE_SCHEMES,
  type NativePassword,
  type NativeScheme,
  popplerText,
  qpdfCanonical,
  qpdfCheck,
  qpdfEncrypt,
} from "../support/oracles.ts";
import { fromDisk, onDisk, refusalOf } from "../support/pdf-files.ts";

const SCHEMES = Object.keys(NATIVE_SCHEMES) as readonly NativeScheme[];
const MODERN_SCHEMES = ["AES-256 R5", "AES-256 R6"] as const;
const LEGACY_SCHEMES = ["RC4-40", "RC4-128", "RC4-128 V4", "AES-128"] as const;

const bytesOf = (...bytes: number[]): NativePassword => ({ bytes: Uint8Array.from(bytes) });
const utf8 = (text: string): NativePassword => ({ bytes: new TextEncoder().encode(text) });

const missing = announceMissing("unlocking what native qpdf encrypted", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0).concurrent("a file that native qpdf encrypted", () => {
  const scratch = new Scratch();
  let plain = "";
  let content = "";
  let text = Buffer.alloc(0);

  beforeAll(async () => {
    plain = onDisk(scratch, makeMarkedPdf());
    content = await qpdfCanonical(plain);
    text = Buffer.from(await popplerText(plain));
  });
  afterAll(() => scratch.remove());

  async function encrypted(
    scheme: NativeScheme,
    user: NativePassword,
    owner: NativePassword,
    extra: readonly string[] = [],
  ): Promise<string> {
    const path = scratch.path("encrypted.pdf");
    await qpdfEncrypt(plain, path, { user, owner }, scheme, extra);
    return path;
  }

  /** The content of the file before encryption, without traces of encryption. */
  async function expectUnlocked(encryptedPath: string, password: string): Promise<string> {
    const unlocked = onDisk(scratch, await unlockBytes(fromDisk(encryptedPath), password));
    expect(await qpdfCanonical(unlocked)).toBe(content);
    return unlocked;
  }

  describe.each(SCHEMES)("with %s", (scheme) => {
    test.each([
      ["one by one", "--object-streams=disable"],
      ["in object streams", "--object-streams=generate"],
    ])("and objects %s unlocks with either password and with no other", async (_, extra) => {
      const path = await encrypted(scheme, "user", "owner", [extra]);
      const unlocked = await expectUnlocked(path, "user");
      expect(await qpdfCheck(unlocked)).toMatchObject({ verdict: "ok", encrypted: false });
      expect(await popplerText(unlocked)).toEqual(text);
      await expectUnlocked(path, "owner");
      for (const wrong of ["", "User", "owner "]) {
        expect(await refusalOf(unlockBytes(fromDisk(path), wrong))).toMatchObject({ code: "wrong_password" });
      }
    });

    test("and no user password unlocks with the empty one", async () => {
      await expectUnlocked(await encrypted(scheme, "", "owner"), "");
    });

    test("is not protected a second time", async () => {
      for (const user of ["user", ""]) {
        const path = await encrypted(scheme, user, "owner");
        const refusal = await refusalOf(protectBytes(fromDisk(path), { password: "another" }));
        expect(refusal).toMatchObject({ code: "already_encrypted" });
      }
    });
  });

  test.each(LEGACY_SCHEMES)("with %s unlocks with a password in any of the old encodings", async (scheme) => {
    const cases: readonly (readonly [string, NativePassword])[] = [
      ["pässwörd", utf8("pässwörd")],
      ["пароль", utf8("пароль")],
      // PDFDocEncoding has the euro sign at A0 and the bullet at 80.
      ["10 € •", bytesOf(0x31, 0x30, 0x20, 0xa0, 0x20, 0x80)],
      // Latin-1 has a no-break space at A0, which PDFDocEncoding lacks.
      ["é\u{a0}ü", bytesOf(0xe9, 0xa0, 0xfc)],
      // Windows-1252, and Mac Roman, as programs for Windows and Macs wrote them.
      ["D’Árcy™", bytesOf(0x44, 0x92, 0xc1, 0x72, 0x63, 0x79, 0x99)],
      ["ž€Œ", bytesOf(0x9e, 0x80, 0x8c)],
      ["D’Árcy™", bytesOf(0x44, 0xd5, 0xe7, 0x72, 0x63, 0x79, 0xaa)],
      ["π≈√", bytesOf(0xb9, 0xc5, 0xc3)],
      // Only the first 32 bytes are used.
      ["0123456789012345678901234567890123456789", utf8("0123456789012345678901234567890123456789")],
    ];
    for (const [password, bytes] of cases) {
      await expectUnlocked(await encrypted(scheme, bytes, utf8("owner")), password);
      await expectUnlocked(await encrypted(scheme, utf8("user"), bytes), password);
    }
  });

  test.each(MODERN_SCHEMES)("with %s unlocks with a password in UTF-8, prepared or not", async (scheme) => {
    const cases: readonly (readonly [string, NativePassword])[] = [
      ["pässwörd", utf8("pässwörd")],
      ["пароль 密码", utf8("пароль 密码")],
      ["🔑 key", utf8("🔑 key")],
      // SASLprep splits the ligature and drops the soft hyphen. qpdf writes the password without SASLprep.
      ["\u{fb01}le\u{ad}name", utf8("filename")],
      ["\u{fb01}le\u{ad}name", utf8("\u{fb01}le\u{ad}name")],
      ["x".repeat(127), utf8("x".repeat(127))],
    ];
    for (const [password, bytes] of cases) {
      await expectUnlocked(await encrypted(scheme, bytes, utf8("owner")), password);
      await expectUnlocked(await encrypted(scheme, utf8("user"), bytes), password);
    }
  });

  test("and linearized unlocks", async () => {
    const path = await encrypted("AES-256 R6", "user", "owner", ["--linearize"]);
    const unlocked = onDisk(scratch, await unlockBytes(fromDisk(path), "user"));
    // Linearization moves inherited attributes into the pages, so the objects differ.
    expect(await qpdfCanonical(unlocked)).toBe(await qpdfCanonical(path, "user"));
  });

  test.each([5, 7])("with a key of %i bytes unlocks with its password", async (keyLength) => {
    const encryption = new FixtureEncryption({
      version: 2,
      user: "user",
      keyLength,
      ownerDigest: keyLength,
    });
    const objects = [
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R"),
      { num: 4, body: "<<>>", stream: encryption.rc4(4, "0 0 9 9 re f") },
    ];
    const file = encryption.fileOf(objects, "V2", `/Length ${8 * keyLength}`);
    for (const password of ["user", "owner"]) {
      const unlocked = onDisk(scratch, await unlockBytes(file, password));
      expect(await qpdfCanonical(unlocked)).toBe(await qpdfCanonical(onDisk(scratch, file), password));
    }
  });
});

test("returns not_encrypted for a file that is not encrypted", async () => {
  for (const password of ["", "anything"]) {
    expect(await refusalOf(unlockBytes(makeMarkedPdf(), password))).toMatchObject({ code: "not_encrypted" });
  }
});
