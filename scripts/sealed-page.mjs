// sealed.html: the page of the frame in which sealed workers run. Its policy forbids every request. It holds its script, the
// first script of its workers, and the names of the files that these may ask the page for.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./dependencies.mjs";

/**
 * Returns the text of sealed.html.
 *
 * @param {string} version of the package
 * @param {readonly string[]} files the names of the files that its workers may ask for
 */
export async function sealedPage(version, files) {
  const frame = await script("src/sealed/frame.ts", version);
  const start = await script("workers/sealed/start.ts", version);
  const hash = createHash("sha256").update(frame).digest("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'`,
    "worker-src blob:",
    // What default-src does not cover.
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<title>Stayput</title>
<script type="text/plain" id="start">${start}</script>
<script type="application/json" id="files">${JSON.stringify(files)}</script>
<script>${frame}</script>
`;
}

/**
 * Bundles a script that stands in a page.
 *
 * @param {string} input
 * @param {string} version
 */
async function script(input, version) {
  const build = await rolldown({
    input: join(ROOT, input),
    platform: "browser",
    tsconfig: join(ROOT, "tsconfig.json"),
    transform: { define: { __STAYPUT_VERSION__: JSON.stringify(version) } },
  });
  const { output } = await build.generate({ format: "iife", minify: true });
  await build.close();
  const { code } = output[0];
  if (/<\/?script|<!--/i.test(code)) throw new Error(`${input} cannot stand in a page`);
  return code.trim();
}
