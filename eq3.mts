// scratch, not committed
import { mkdirSync, readdirSync, writeFileSync, statSync, appendFileSync } from "node:fs";
import { join, basename } from "node:path";
import { ServedClient } from "./test/support/browsers/served-client.ts";
import { RUN } from "./test/support/browsers/page-answer.ts";
import { setTestEnvironment } from "./scripts/environment.mjs";
setTestEnvironment();
const [rounds = "2"] = process.argv.slice(2);
const C = "/work/shared/corpus";
const list: string[] = [];
for (const d of ["jpg", "png", "webp", "exif"]) for (const f of readdirSync(join(C, d)).sort()) list.push(join(C, d, f));
for (const f of readdirSync("/tmp/codecs-eq/in").sort()) list.push(join("/tmp/codecs-eq/in", f));
list.splice(0, list.length, ...list.filter((p) => /\.gif$/.test(p)));
const OUT = "/tmp/codecs-eq/out2";
mkdirSync(OUT, { recursive: true });
const KINDS: [string, Record<string, unknown>][] = [["jpg", { output_format: "jpg" }], ["webp", { output_format: "webp" }]];
const builds = { old: await ServedClient.start("/tmp/oldimg/dist"), new: await ServedClient.start("/work/helper-CODECS/dist-eq") };
const pages = { old: await builds.old.open("test/support/browsers/convert-page.ts"), new: await builds.new.open("test/support/browsers/convert-page.ts") };
let flip = false;
for (const [i, path] of list.entries()) for (const [kind, job] of KINDS) {
  const row: any = { i, path, kind, size: statSync(path).size };
  for (let r = 0; r < Number(rounds); r++) {
    flip = !flip;
    for (const b of (flip ? ["old", "new"] : ["new", "old"]) as ("old" | "new")[]) {
      const out = join(OUT, `${i}-${kind}-${b}.${job.output_format}`);
      const request = { job, inputUrl: builds[b].share(path), outputUrl: builds[b].share(out) };
      const a: any = await pages[b].evaluate(([run, req]) => (window as any)[run as string](req), [RUN, request] as const);
      if (a.kind === "file") { (row[b] ??= []).push(Math.round(a.milliseconds * 10) / 10); row[b + "Name"] = a.fileName; row[b + "Out"] = out; }
      else row[b + "Error"] = `${a.kind} ${a.code ?? ""} ${a.message}`;
    }
  }
  appendFileSync("/tmp/codecs-eq/rows4.jsonl", JSON.stringify(row) + "\n");
}
await builds.old.close(); await builds.new.close();
console.log("end"); process.exit(0);
