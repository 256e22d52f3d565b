import { appendFileSync, readdirSync } from "node:fs";
import { ServedClient } from "./test/support/browsers/served-client.ts";
import { RUN } from "./test/support/browsers/page-answer.ts";
import { setTestEnvironment } from "./scripts/environment.mjs";
setTestEnvironment();
const D = "/tmp/codecs-t2";
const served = await ServedClient.start();
const page = await served.open("test/support/browsers/convert-page.ts");
for (const f of readdirSync(D).filter((n) => /tiff?$/i.test(n))) for (const to of ["png", "pdf"]) {
  const out = `/tmp/codecs-t2/${f}.${to}`;
  const req = { job: { output_format: to }, inputUrl: served.share(`${D}/${f}`), outputUrl: served.share(out) };
  const a: any = await page.evaluate(([run, r]) => (window as any)[run as string](r), [RUN, req] as const);
  appendFileSync("/tmp/codecs-t2/rows.jsonl", JSON.stringify({ f, to, out, ...a }) + "\n");
}
await served.close(); process.exit(0);
