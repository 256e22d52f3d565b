import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { announceBrowser } from "../../browsers/browser-seat.ts";
import type { Scratch } from "../../native/tools.ts";
import { installPackages } from "../peers.ts";
import { bundleForNode } from "./bundle.ts";
import { chromiumClient } from "./chromium.ts";
import { nativeQpdf } from "./native.ts";
import { nodeContestant } from "./node-process.ts";
import { CONTESTANTS, type Contestant, type ContestantName } from "./task.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENGINE = fileURLToPath(new URL("./engine-process.ts", import.meta.url));
const PEERS = fileURLToPath(new URL("./peers/", import.meta.url));

/**
 * The contestants of those names, made ready, in the order of their turns; says loudly who cannot be had.
 *
 * @param isBuilt take dist/ as it is, and do not build it first
 */
export async function gather(
  names: ReadonlySet<ContestantName>,
  scratch: Scratch,
  isBuilt: boolean,
): Promise<readonly Contestant[]> {
  const field: Contestant[] = [];
  for (const name of CONTESTANTS.filter((one) => names.has(one))) {
    const contestant = await make(name, scratch, isBuilt);
    if (contestant !== undefined) field.push(contestant);
  }
  return field;
}

async function make(
  name: ContestantName,
  scratch: Scratch,
  isBuilt: boolean,
): Promise<Contestant | undefined> {
  switch (name) {
    case "native":
      return nativeQpdf;
    case "node": {
      const script = scratch.path("engine.mjs");
      await bundleForNode(ENGINE, script);
      return nodeContestant(name, script);
    }
    case "chromium":
      if (!announceBrowser(name, "the benchmark")) return undefined;
      if (!isBuilt) build();
      return chromiumClient(scratch);
    default:
      if (!installPackages(PEERS, "the benchmark")) return undefined;
      return nodeContestant(name, join(PEERS, "peer-process.js"), [name]);
  }
}

function build(): void {
  console.log("Building the package …");
  const { status } = spawnSync(process.execPath, [join(ROOT, "scripts/build.mjs")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0)
    throw new Error("the package cannot be built, and the browser is to run it as it is built");
}
