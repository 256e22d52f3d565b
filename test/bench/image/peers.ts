import { fileURLToPath } from "node:url";
import { installPackages } from "../peers.ts";
import { formatOf, type ImageTask } from "./task.ts";

const FOLDER = fileURLToPath(new URL("./peers/", import.meta.url));

type Pair = Pick<ImageTask, "from" | "to">;

/** What a user would pick instead, and for which pairs. */
export const PEERS: ReadonlyMap<string, (pair: Pair) => boolean> = new Map([
  ["@jsquash", ({ from, to }: Pair) => formatOf(from) !== "heic" && to !== "pdf"],
  [
    "browser-image-compression",
    ({ from, to }: Pair) => formatOf(from) !== "heic" && (to === "jpg" || to === "png" || to === "webp"),
  ],
  ["heic2any", ({ from, to }: Pair) => formatOf(from) === "heic" && (to === "jpg" || to === "png")],
  ["heic-to", ({ from, to }: Pair) => formatOf(from) === "heic" && (to === "jpg" || to === "png")],
  ["magick-wasm", () => true],
]);

/** Installs the peers beside the benchmark; says loudly when it cannot. */
export function installPeers(): boolean {
  return installPackages(FOLDER, "the images' benchmark");
}
