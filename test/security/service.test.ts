import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { SERVICE_PROGRAM } from "../../scripts/built.mjs";
import { ROOT } from "../../scripts/dependencies.mjs";
import type { Service } from "../../service/http/service.ts";
import { protectBytes } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { Scratch } from "../support/native-tools.ts";
import { readProcess } from "../support/process-files.ts";
import { commandOf, endProgram, startProgram } from "../support/service-program.ts";
import {
  dial,
  type FormFields,
  jobFolders,
  officeScript,
  postForm,
  received,
  startService,
  WORKING_OFFICE,
} from "../support/started-service.ts";

// The service (npm run service): slow senders block no other sender, and no command line contains a secret. A script
// replaces LibreOffice.

const scratch = new Scratch();
afterAll(() => scratch.remove());

const NO_PROC = !existsSync("/proc/self/cmdline");

/** How long the service reads the rest of a refused upload: shorter than usual, so that these tests need not wait. */
const REFUSED_UPLOAD_MS = 200;

/** Sends a form that the service accepts, with a key. */
function post(url: string, key: string, fields?: FormFields): Promise<Response> {
  return postForm({ url }, fields, { headers: { Authorization: `Bearer ${key}` } });
}

/** Begins to upload a file of 1 MB, and then stops sending. */
function stall(service: Service, key = "secret"): Socket {
  const socket = dial(service);
  socket.write(
    `POST /api/convert HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 1000000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; ' +
      'filename="a.docx"\r\n\r\nPK',
  );
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Returns a form that sends 1 MB at once, and its end when the caller calls `finish`. */
async function slowForm() {
  const form = new FormData();
  form.append("output_format", "pdf");
  form.append("file", new File(["{\\rtf1 ", new Uint8Array(1_000_000)], "a.rtf"));
  const sent = new Request("http://a", { method: "POST", body: form });
  const bytes = new Uint8Array(await sent.arrayBuffer());
  let finish = () => {};
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, -1000));
      finish = () => {
        controller.enqueue(bytes.slice(-1000));
        controller.close();
      };
    },
  });
  const type = sent.headers.get("content-type") ?? "";
  const headers = { Authorization: "Bearer secret", "Content-Type": type };
  return { body, headers, finish: () => finish() };
}

/** Returns the number of bytes of uploads on disk. */
function receivedBytes(service: Service): number {
  const files = jobFolders(service).map((job) => join(service.folder, job, "upload-0"));
  return files.reduce((bytes, path) => bytes + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

describe("uploads that never end", () => {
  test("do not count as conversions", async () => {
    const service = await startService({ concurrency: 1, waiting: 0 });
    stall(service);
    await eventually(() => expect(jobFolders(service)).toHaveLength(1));
    expect((await postForm(service)).status).toBe(200);
    expect(jobFolders(service)).toHaveLength(1);
  });

  test("block no other upload and take limited space, however many there are", async () => {
    const service = await startService({ uploads: 4, refusedUploadTime: REFUSED_UPLOAD_MS });
    const answers = Array.from({ length: 40 }, () => received(stall(service)));
    await eventually(() => expect(jobFolders(service).length).toBeGreaterThanOrEqual(4));
    for (let times = 0; times < 5; times++) {
      expect((await postForm(service)).status).toBe(200);
    }
    // The newest uploads may stay, because no other upload needs their places.
    await eventually(() => expect(jobFolders(service).length).toBeLessThanOrEqual(4));
    expect(await Promise.race(answers)).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: 5\r\n.*"rate_limited"/s);
  });

  test("do not displace an upload that continues", async () => {
    const service = await startService({ uploads: 2 });
    const { body, headers, finish } = await slowForm();
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    const upload = fetch(`${service.url}/api/convert`, init);
    await eventually(() => expect(receivedBytes(service)).toBeGreaterThan(0));
    for (let count = 0; count < 5; count++) stall(service);
    // Four of the six uploads have ended.
    await eventually(() => expect(jobFolders(service)).toHaveLength(2));
    finish();
    expect((await upload).status).toBe(200);
  });

  test("end with a timeout error after the time limit", async () => {
    const service = await startService({ uploadTimeLimit: 100, refusedUploadTime: REFUSED_UPLOAD_MS });
    const answer = received(stall(service));
    await eventually(() => expect(jobFolders(service)).toEqual([]));
    expect(await answer).toMatch(/^HTTP\/1\.1 504 .*"code":"timeout".*"timeout":100/s);
  });

  test("end soon with 401 when their key is wrong", async () => {
    const service = await startService({ refusedUploadTime: REFUSED_UPLOAD_MS });
    const socket = stall(service, "wrong");
    let isOver = false;
    const answer = received(socket).finally(() => {
      isOver = true;
    });
    await eventually(() => expect(isOver).toBe(true));
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(jobFolders(service)).toEqual([]);
  });
});

describe("the key", () => {
  test.each([
    ["service/serve.ts", ["--key", "key-that-leaks"]],
    ["service/serve.ts", ["--port", "0", "--key=key-that-leaks"]],
    ["scripts/service.mjs", ["--key", "key-that-leaks"]],
  ])("is refused on the command line of %s with an explanation", (program, args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...commandOf(program), ...args], {
      encoding: "utf8",
      cwd: ROOT,
      env: { ...process.env, SOFFICE: WORKING_OFFICE },
      timeout: HANG_LIMIT_MS,
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/command lines.*STAYPUT_SERVICE_KEY.*--key-file/s);
    expect(stdout + stderr).not.toContain("key-that-leaks");
  });

  test("is read from a file and not printed", async () => {
    const file = scratch.path("key");
    writeFileSync(file, "key-of-the-file\n");
    const { url, output } = await startProgram(["--key-file", file]);
    expect((await post(url, "key-of-the-file")).status).toBe(200);
    expect((await post(url, "another")).status).toBe(401);
    expect(output()).not.toContain("key-of-the-file");
  });

  test("is random and printed when none is given", async () => {
    const { url, output } = await startProgram([], { STAYPUT_SERVICE_KEY: "" });
    const key = /apiKey +([\w-]{22})$/m.exec(output())?.[1] ?? "";
    expect((await post(url, key)).status).toBe(200);
  });

  test("is refused when its file is empty", () => {
    const file = scratch.path("empty");
    writeFileSync(file, "\n");
    const { status, stderr } = spawnSync(
      process.execPath,
      [...commandOf("service/serve.ts"), "--port", "0", "--key-file", file],
      {
        encoding: "utf8",
        cwd: ROOT,
        env: { ...process.env, SOFFICE: WORKING_OFFICE },
        timeout: HANG_LIMIT_MS,
      },
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("the key must have at least one character"),
    ]);
  });

  test("does not reach LibreOffice from the environment, and neither does a file's password", async () => {
    const seen = scratch.path("seen");
    const soffice = officeScript(`{ env; echo "$@"; } > ${seen}`);
    const { url } = await startProgram([], { SOFFICE: soffice, STAYPUT_SERVICE_KEY: "key-of-the-env" });
    const locked = await protectBytes(makePdf({ pages: 1 }), { password: "open-sesame" });
    const file = new File([new Uint8Array(locked)], "a.pdf");
    const response = await post(url, "key-of-the-env", {
      file,
      output_format: "odt",
      password: "open-sesame",
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("a.odt")]);
    const told = readFileSync(seen, "utf8");
    expect(told).toContain("--convert-to odt:");
    expect(told).not.toContain("key-of-the-env");
    expect(told).not.toContain("open-sesame");
  });

  test.skipIf(NO_PROC)("passes from npm start to the service without a command line", async () => {
    const demo = spawn(process.execPath, ["scripts/start.mjs", "--service", "--port", "0"], {
      cwd: ROOT,
      stdio: "ignore",
    });
    onTestFinished(() => endProgram(demo, "SIGINT"));
    let lines: readonly string[] = [];
    let key = "";
    // The service's port may be in use on this machine. The service then ends, but it has been started.
    await eventually(() => {
      const started = descendants(demo.pid ?? 0);
      lines = started.map((pid) => readProcess(pid, "cmdline"));
      const service = started.find((pid) => readProcess(pid, "cmdline").includes(SERVICE_PROGRAM));
      key = /STAYPUT_SERVICE_KEY=([^\0]+)/.exec(readProcess(service ?? 0, "environ"))?.[1] ?? "";
      expect(key).toMatch(/^[\w-]{22}$/);
    });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain(key);
    expect(lines.join("\n")).not.toContain("--key");
  });
});

function descendants(ancestor: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^PPid:\s+(\d+)$/m.exec(readProcess(Number(name), "status"))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === ancestor || (parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}
