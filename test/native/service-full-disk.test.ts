import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { errorOf, jobFolders, officeScript, postForm, startService } from "../support/started-service.ts";

// What callers of the service get when its disk is full.

const DISK_FULL = "ENOSPC: no space left on device, write";

function diskFull(): Error {
  return Object.assign(new Error(DISK_FULL), { code: "ENOSPC", syscall: "write" });
}

/** Replaces a function of Node, also where it is imported by its name, until the end of the test. */
function replace<Name extends string, Value>(module: Record<Name, Value>, name: Name, value: Value): void {
  const before = module[name];
  const put = (one: Value) => {
    module[name] = one;
    syncBuiltinESMExports();
  };
  put(value);
  onTestFinished(() => put(before));
}

/** Returns the URL of a package whose workers have no room for the data that they make. */
function packageWithoutRoom(): string {
  const scratch = new Scratch();
  onTestFinished(() => scratch.remove());
  const folder = scratch.path("package");
  fs.mkdirSync(folder);
  const built = (name: string) => JSON.stringify(pathToFileURL(join(ROOT, "dist", name)).href);
  fs.writeFileSync(join(folder, "index.js"), `export * from ${built("index.js")};`);
  const worker = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.writeFileSync = () => {
      throw Object.assign(new Error(${JSON.stringify(DISK_FULL)}), { code: "ENOSPC", syscall: "write" });
    };
    syncBuiltinESMExports();
    await import(${built("worker.js")});
  `;
  fs.writeFileSync(join(folder, "worker.js"), worker);
  fs.writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return pathToFileURL(join(folder, "/")).href;
}

const LARGE_PDF = new File([makePdf({ pages: 1, ballastPerPage: 3_000_000 })], "a.pdf");

test.each([
  [
    "its upload is received",
    () => {
      const full = () => new Writable({ write: (_chunk, _encoding, done) => done(diskFull()) });
      replace(fs, "createWriteStream", full as unknown as typeof fs.createWriteStream);
      return {};
    },
  ],
  ["a thread writes", () => ({ packageUrl: packageWithoutRoom() })],
  [
    "its result is stored",
    () => {
      replace(fs.promises, "writeFile", () => Promise.reject(diskFull()));
      return {};
    },
  ],
])(
  "a call is rate_limited, and the cause is logged once, when the disk is full while %s",
  async (_, fill) => {
    const failures: unknown[] = [];
    const service = await startService({ ...fill(), onFailure: (thrown) => failures.push(thrown) });
    const body = new FormData();
    body.append("file", LARGE_PDF);
    body.append("password", "open-sesame");
    const headers = { Authorization: "Bearer secret" };
    const refused = await fetch(`${service.url}/api/protect-pdf`, { method: "POST", headers, body });
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(await errorOf(refused)).toEqual([429, "rate_limited", { retry_after: 30 }]);
    expect(failures).toHaveLength(1);
    const [failure] = failures as [
      { readonly message: string; readonly details?: { readonly cause?: string } },
    ];
    expect(failure.details?.cause ?? failure.message).toContain(DISK_FULL);
    expect([...jobFolders(service), ...fs.readdirSync(join(service.folder, "results"))]).toEqual([]);
  },
);

test("a call is rate_limited when LibreOffice finds the disk full", async () => {
  const { writeFile } = fs.promises;
  const probed: typeof writeFile = (path, ...rest) =>
    String(path).endsWith("probe") ? Promise.reject(diskFull()) : writeFile(path, ...rest);
  replace(fs.promises, "writeFile", probed);
  const service = await startService({ soffice: officeScript("exit") });
  expect(await errorOf(await postForm(service))).toEqual([429, "rate_limited", { retry_after: 30 }]);
});
