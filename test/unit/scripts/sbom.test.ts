import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { NATIVE_LIBRARIES } from "../../../scripts/native-libraries.mjs";
import { sbomOf } from "../../../scripts/sbom.mjs";

const natives = Object.entries(NATIVE_LIBRARIES).map(([file, libraries]) => ({ file, libraries }));
const sbom = sbomOf([{ name: "@one/two", version: "1.0.0", license: "MIT" }], natives);

/** Libraries whose build names no version. */
const WITHOUT_VERSION = [
  "libyuv",
  "Emscripten runtime (musl, libc++, dlmalloc)",
  "wasi-libc (musl, dlmalloc)",
];

describe("the SBOM", () => {
  test("says of each library which version it is, and how that was found", () => {
    const [, ...libraries] = sbom.components as readonly {
      name: string;
      version?: string;
      evidence: { identity: readonly { field: string; methods: readonly { value: string }[] }[] };
    }[];
    expect(libraries.length).toBe(natives.flatMap(({ libraries }) => libraries).length);
    for (const { name, version, evidence } of libraries) {
      const [identity] = evidence.identity;
      expect(identity?.methods[0]?.value, name).toMatch(/\w/);
      if (!WITHOUT_VERSION.includes(name)) expect(version, name).toMatch(/\d/);
      expect(identity?.field, name).toBe(version ? "version" : "name");
    }
  });
});

test("the version of AssemblyScript in the table is the installed one", () => {
  const { version } = JSON.parse(
    readFileSync(join(ROOT, "node_modules/assemblyscript/package.json"), "utf8"),
  );
  expect(NATIVE_LIBRARIES["resample.wasm"]?.[0]?.version).toBe(version);
});
