import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemAffectsResolutionKind } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import { TARBALL } from "../../scripts/built.mjs";

// What other tools say about the tarball.

/** The resolutions that `attw --profile esm-only` checks. Others cannot import an ES module. */
const ESM_RESOLUTIONS = ["node16-esm", "bundler"] as const;

const tarball = readFileSync(TARBALL);

test("publint finds nothing wrong", async () => {
  const copy = Uint8Array.from(tarball).buffer;
  const { messages, pkg } = await publint({ pack: { tarball: copy }, strict: true });
  // `engines.node` says where a package runs. This one runs in browsers.
  const others = messages.filter(({ code }) => code !== "USE_ENGINES_NODE");
  expect(others.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test("Are the types wrong? finds nothing wrong", async () => {
  const result = await checkPackage(createPackageFromTarballData(Uint8Array.from(tarball)));
  if (!result.types) throw new Error("the package has no types");
  const found = result.problems.filter((problem) =>
    ESM_RESOLUTIONS.some((resolution) => problemAffectsResolutionKind(problem, resolution, result)),
  );
  expect(found).toEqual([]);
});
