import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { announceBrowser } from "../../support/browsers/browser-session.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { installPackages } from "../peers.ts";
import { DIST } from "./bench-site.ts";
import { bundleForNode } from "./bundle.ts";
import { chromiumClient } from "./chromium.ts";
import { drivenClient } from "./driven.ts";
import { nativeQpdf } from "./native.ts";
import { nodeContestant } from "./node-process.ts";
import { CONTESTANTS, type Contestant, type ContestantName } from "./task.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENGINE = fileURLToPath(new URL("./engine-process.ts", import.meta.url));
/** The contestants that run the build of this checkout. */
const BROWSERS = ["chromium", "firefox", "webkit"] as const satisfies readonly ContestantName[];
const PEERS = fileURLToPath(new URL("./peers/", import.meta.url));

/**
 * Prepares the contestants of those names, in the order of their turns. Reports those that are unavailable.
 *
 * @param against the `dist` folder of another build to measure beside this one
 */
export async function gather(
  names: ReadonlySet<ContestantName>,
  scratch: Scratch,
  against?: string,
): Promise<readonly Contestant[]> {
  if (BROWSERS.some((name) => names.has(name))) build();
  const field: Contestant[] = [];
  for (const name of CONTESTANTS.filter((one) => names.has(one))) {
    const contestant = await make(name, scratch, against);
    if (contestant !== undefined) field.push(contestant);
  }
  return field;
}

async function make(
  name: ContestantName,
  scratch: Scratch,
  against: string | undefined,
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
      return chromiumClient(scratch, { name, dist: DIST });
    case "firefox":
    case "webkit":
      if (!announceBrowser(name, "the benchmark")) return undefined;
      return drivenClient(scratch, name);
    case "before":
      return against === undefined ? undefined : chromiumClient(scratch, { name, dist: against });
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
