import { describe, expect, test } from "vitest";
import { protectBytes, unlockBytes } from "../support/engine.ts";
import { FixtureEncryption } from "../support/fixtures/encrypted-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { catalogOf, pageOf } from "../support/fixtures/pdf-objects.ts";

// The promise: unlock tries the given password only. A file that opens without one has an owner password, and a caller
// that gives another password is wrong.

const objects = [...catalogOf("3 0 R"), pageOf(3)];

describe("a file that opens with the empty password", () => {
  test.each<[string, () => Promise<Uint8Array>]>([
    ["of revision 3", async () => new FixtureEncryption({ version: 2 }).fileOf(objects, "V2", "/Length 128")],
    ["of revision 4", async () => new FixtureEncryption().fileOf(objects, "AESV2", "/StmF/StdCF/StrF/StdCF")],
    [
      "of revision 6",
      () =>
        protectBytes(makePdf({ pages: 1 }), { password: "", ownerPassword: "owner", permissions: ["print"] }),
    ],
  ])("%s does not unlock with another password", async (_, make) => {
    const file = await make();
    for (const password of ["other", " ", "Owner"]) {
      await expect(unlockBytes(file, password)).rejects.toMatchObject({ code: "wrong_password" });
    }
    for (const password of ["", "owner"])
      expect((await unlockBytes(file, password)).length).toBeGreaterThan(0);
  });
});
