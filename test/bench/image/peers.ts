import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ImageTask } from "./task.ts";

const FOLDER = fileURLToPath(new URL("./peers/", import.meta.url));

type Pair = Pick<ImageTask, "from" | "to">;

/** What a user would pick instead, and for which pairs. */
export const PEERS: ReadonlyMap<string, (pair: Pair) => boolean> = new Map([
  ["@jsquash", ({ from, to }: Pair) => from !== "heic" && to !== "pdf"],
  [
    "browser-image-compression",
    ({ from, to }: Pair) => from !== "heic" && (to === "jpg" || to === "png" || to === "webp"),
  ],
  ["heic2any", ({ from, to }: Pair) => from === "heic" && (to === "jpg" || to === "png")],
  ["heic-to", ({ from, to }: Pair) => from === "heic" && (to === "jpg" || to === "png")],
  ["magick-wasm", () => true],
]);

/** Installs the peers beside the benchmark, apart from the project's own packages; says loudly when it cannot. */
export function installPeers(): boolean {
  if (existsSync(`${FOLDER}node_modules`)) return true;
  console.log("Installing the peers to compare with (npm) …");
  const { status } = spawnSync(
    "npm",
    ["install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"],
    { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
  );
  if (status !== 0) process.stderr.write("SKIPPED: the benchmark's peers: npm cannot install them\n");
  return status === 0;
}
