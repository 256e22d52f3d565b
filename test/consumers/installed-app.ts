import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT } from "../../scripts/dependencies.mjs";
import { chromiumLaunch } from "../../scripts/machine.mjs";
import { type Mounts, type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { examplesIn } from "../support/docs.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { freePort } from "../support/loopback.ts";
import { type PageSetUp, PLACEHOLDERS } from "./set-ups.ts";

const APPS = `${ROOT}test/consumers/apps`;
const INSTALL = "npm install --prefer-offline --no-audit --no-fund --loglevel error";
const POLL_MS = 100;
/** The last lines of a command that failed. */
const SHOWN_LINES = 15;

/** Keeps the tools from collecting usage data. */
const QUIET = { CI: "true", NEXT_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };

/** A page of an app on its servers. */
export interface ServedApp {
  readonly url: string;
  /** The origins that the page may call. */
  readonly origins: readonly string[];
  close(): Promise<void>;
}

/** An app with its packages, in a folder of its own. */
export class InstalledApp {
  readonly #app: string;
  readonly #folder: string;

  /** @param parent the folder that has the package as `stayput.tgz` */
  constructor(app: string, parent: string) {
    this.#app = app;
    this.#folder = join(parent, basename(app));
  }

  /** Copies the app and installs its packages, and the package in place of the published one. */
  async install(): Promise<void> {
    cpSync(join(APPS, this.#app), this.#folder, { recursive: true });
    cpSync(join(APPS, "jobs.js"), join(this.#folder, "jobs.js"));
    await this.run(`${INSTALL} ../stayput.tgz`);
  }

  /** The size of all installed packages in bytes. */
  get size(): number {
    const packages = join(this.#folder, "node_modules");
    return readdirSync(packages, { recursive: true, encoding: "utf8" })
      .map((path) => statSync(join(packages, path), { throwIfNoEntry: false }))
      .reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0);
  }

  /** Builds the app and starts its servers. */
  async serve({ build = [], serve, sealed = "" }: Omit<PageSetUp, "name" | "app">): Promise<ServedApp> {
    const query = sealed && `?sealed=${sealed}`;
    if ("command" in serve) return this.#serveByTool(serve.command, build, query);
    const sealedPage = `${sealed.replace(/^\{other\}/, "")}sealed.html`;
    const mounts = (folder: string, headers: Readonly<Record<string, string>>): Mounts => ({
      "/": { folder: join(this.#folder, folder), headers },
      // The frame has a policy of its own: docs/recipes/sealed.md.
      ...(sealed && {
        [sealedPage]: {
          folder: join(this.#folder, folder, sealedPage),
          headers: { ...headers, "Content-Security-Policy": "" },
        },
      }),
    });
    const servers: StrictServer[] = [];
    const { folder, policy, otherOrigin } = serve;
    const start = async (mounts: Mounts) => {
      const server = await serveStrictly(mounts);
      servers.push(server);
      return `http://127.0.0.1:${server.port}`;
    };
    const other = otherOrigin && (await start(mounts(otherOrigin, { "Access-Control-Allow-Origin": "*" })));
    const page = await start(mounts(folder, { "Content-Security-Policy": filled(policy, { other }) }));
    for (const command of build) await this.run(filled(command, { other }));
    return {
      url: `${page}/${filled(query, { other })}`,
      origins: other ? [page, other] : [page],
      close: async () => {
        for (const server of servers) await server.close();
      },
    };
  }

  /** Writes the examples of a page of the docs that name a file. */
  writeExamples(page: string): void {
    // The browser of this machine, with the switches that it needs here.
    const here = `playwright(${JSON.stringify({ launchOptions: chromiumLaunch() })})`;
    for (const { code } of examplesIn(page)) {
      const [, name] = /^\/\/ ([\w./-]+\.tsx?)\n/.exec(code) ?? [];
      if (name !== undefined) writeFileSync(join(this.#folder, name), code.replace("playwright()", here));
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #serveByTool(command: string, build: readonly string[], query: string): Promise<ServedApp> {
    for (const step of build) await this.run(step);
    const port = `${await freePort()}`;
    const url = `http://localhost:${port}`;
    const tool = this.#start(filled(command, { port }));
    const ended = endOf(tool);
    const isEnded = ended.promise.then((code) => {
      throw new Error(`${command} ended with ${code}: ${ended.lines()}`);
    });
    await Promise.race([isEnded, answers(url)]);
    isEnded.catch(() => undefined);
    let isStopped = false;
    const close = async () => {
      if (!isStopped) stop(tool);
      isStopped = true;
      await ended.promise;
    };
    return { url: `${url}/${query}`, origins: [url], close };
  }

  /**
   * Runs a command in the folder of the app to its end.
   *
   * @throws {Error} with the last lines of its output, if it fails
   */
  async run(command: string): Promise<void> {
    const child = this.#start(command);
    const clock = setTimeout(() => stop(child), HANG_LIMIT_MS);
    const { promise, lines } = endOf(child);
    const code = await promise;
    clearTimeout(clock);
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${lines()}`);
  }

  /** Starts a command with a process group of its own, because tools start processes. */
  #start(command: string): ChildProcess {
    const PATH = [join(this.#folder, "node_modules", ".bin"), process.env.PATH].join(delimiter);
    const env = { ...process.env, ...QUIET, PATH };
    return spawn(command, { cwd: this.#folder, shell: true, detached: true, stdio: "pipe", env });
  }
}

function filled(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(PLACEHOLDERS, (_, name) => values[name] ?? "");
}

/** Collects what a process prints until it ends. */
function endOf(child: ChildProcess): { readonly promise: Promise<number>; lines(): string } {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  return {
    promise: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? -1));
    }),
    lines: () => output.trim().split("\n").slice(-SHOWN_LINES).join("\n"),
  };
}

function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGTERM");
}

/** Waits until a server answers. */
async function answers(url: string): Promise<void> {
  const signal = AbortSignal.timeout(HANG_LIMIT_MS);
  for (;;) {
    try {
      await fetch(url, { signal });
      return;
    } catch (error) {
      // fetch throws a TypeError while nothing listens.
      if (!(error instanceof TypeError)) throw error;
      await delay(POLL_MS);
    }
  }
}
