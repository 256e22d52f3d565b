import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs what a folder's package.json names, apart from the project's own packages; says loudly when it cannot. */
export function installPackages(folder: string, suite: string): boolean {
  if (existsSync(`${folder}node_modules`)) return true;
  console.log("Installing the peers to compare with (npm) …");
  const { status } = spawnSync(
    "npm",
    ["install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"],
    { cwd: folder, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
  );
  if (status !== 0) process.stderr.write(`SKIPPED: the peers of ${suite}: npm cannot install them\n`);
  return status === 0;
}
