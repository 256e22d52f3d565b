import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { openReady } from "../support/browsers/open-ready.ts";
import { launchWithProfile, processesOf } from "../support/browsers/profile-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { Scratch } from "../support/native-tools.ts";
import { RendererWatch } from "./renderer-watch.ts";

/** The operations that a page runs on a hostile file. */
export type AttackOperation =
  | "protect"
  | "unlock"
  | "split"
  | "split 1-"
  | "split all"
  | "png"
  | "jpg"
  | "pdf";

/** A hostile file and the operation on it. */
export interface Attack {
  readonly input: Uint8Array;
  readonly operation: AttackOperation;
  /** When to abort the call, in milliseconds. */
  readonly abortAfterMs?: number;
}

/** The outcome and the cost of a call. */
export interface Measured {
  /** The size of the result, the code of the error, or the fate of the tab. */
  readonly outcome: string;
  /** The time until the call settled. */
  readonly seconds: number;
  /** The processor time of the page's process during the call. */
  readonly cpuSeconds: number;
  /** The peak memory of the page's process during the call; 0 where the system does not report it. */
  readonly megabytes: number;
  /** Whether the next call of the same client returned a result. */
  readonly nextCallWorks: boolean;
}

/** The limits of a call. The test ends the tab when a call exceeds one of them. */
export interface KillLimits {
  readonly seconds: number;
  readonly megabytes: number;
}

const HTML = '<!doctype html><title>App</title><script type="module" src="./app.js"></script>';
const APP = `
  import { createClient } from "./stayput/index.js";
  const client = createClient();
  const calls = {
    "protect": (file, options) => client.protectPdf({ file, password: "new" }, options),
    "unlock": (file, options) => client.unlockPdf({ file, password: "" }, options),
    "split": (file, options) => client.splitPdf({ file, pages: "1" }, options),
    "split 1-": (file, options) => client.splitPdf({ file, pages: "1-" }, options),
    "split all": (file, options) => client.splitPdf({ file, pages: "all" }, options),
    "png": (file, options) => client.convert({ file, output_format: "png" }, options),
    "jpg": (file, options) => client.convert({ file, output_format: "jpg" }, options),
    "pdf": (file, options) => client.convert({ file, output_format: "pdf" }, options),
  };
  globalThis.attack = async (path, operation, abortAfterMs) => {
    const file = new File([await (await fetch(path)).arrayBuffer()], "hostile");
    const signal = abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs);
    const start = performance.now();
    const settled = (outcome) => ({ outcome, seconds: (performance.now() - start) / 1000 });
    try {
      const result = await calls[operation](file, { signal });
      const end = settled("result");
      const { size } = await (await fetch(result.download_url)).blob();
      client.release(result);
      return { ...end, outcome: size + " bytes" };
    } catch (error) {
      return settled(error.name === "ServiceError" ? error.code : error.name + ": " + error.message);
    }
  };
  globalThis.work = (steps) => {
    let hash = 1;
    for (let step = 0; step < steps; step++) hash = Math.imul(hash ^ step, 0x01000193);
    return hash;
  };
  document.title = "ready";
`;

declare global {
  interface Window {
    attack(
      path: string,
      operation: AttackOperation,
      abortAfterMs: number | undefined,
    ): Promise<{ outcome: string; seconds: number }>;
    /** Computes for a number of steps. */
    work(steps: number): number;
  }
}

const NEXT_CALL_LIMIT_MS = 120_000;
const CALIBRATION_STEPS = 5e8;
/** The processor time of these steps on the idle machine on which the limits were measured. */
const CALIBRATION_SECONDS = 0.65;

interface TabParts {
  readonly context: BrowserContext;
  readonly session: CDPSession;
  readonly server: StrictServer;
  readonly scratch: Scratch;
  readonly folder: string;
  readonly limits: KillLimits;
}

/**
 * A tab of a real browser with a client of the built package. Hostile files attack it one after the other.
 */
export class AttackedTab {
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #server: StrictServer;
  readonly #scratch: Scratch;
  /** The folder from which the server serves hostile files. */
  readonly #folder: string;
  readonly #limits: KillLimits;
  #page: Page | undefined;
  #files = 0;

  private constructor(parts: TabParts) {
    this.#context = parts.context;
    this.#session = parts.session;
    this.#server = parts.server;
    this.#scratch = parts.scratch;
    this.#folder = parts.folder;
    this.#limits = parts.limits;
  }

  /** @param dist the folder of the built package */
  static async start(dist: string, limits: KillLimits): Promise<AttackedTab> {
    const scratch = new Scratch();
    const folder = scratch.path("files");
    mkdirSync(folder);
    writeFileSync(join(folder, "sound.pdf"), makePdf({ pages: 2 }));
    const server = await serveStrictly({
      "/index.html": { text: HTML },
      "/app.js": { text: APP },
      "/stayput/": { folder: dist },
      "/files/": { folder },
    });
    const { context, session } = await launchWithProfile(scratch.path("profile"));
    context.setDefaultTimeout(HANG_LIMIT_MS);
    return new AttackedTab({ context, session, server, scratch, folder, limits });
  }

  /** Opens a new tab in place of the old one. */
  async renew(): Promise<void> {
    const old = this.#page;
    this.#page = await this.#context.newPage();
    await old?.close();
    await openReady(this.#page, `http://127.0.0.1:${this.#server.port}/`);
  }

  /** Returns how many times slower this machine is than the machine of the limits; 1 when it is faster. */
  async slowness(): Promise<number> {
    const page = await this.#openPage();
    const watch = new RendererWatch(await this.#rendererPids(), () => undefined);
    await page.evaluate((steps) => window.work(steps), CALIBRATION_STEPS);
    const { cpuSeconds } = watch.stop();
    return Math.max(1, cpuSeconds / CALIBRATION_SECONDS);
  }

  /** Makes the page call its client with a hostile file, and then with a sound file. */
  async suffer({ input, operation, abortAfterMs }: Attack): Promise<Measured> {
    const page = await this.#openPage();
    const name = `${++this.#files}.bin`;
    const path = join(this.#folder, name);
    writeFileSync(path, input);
    let overMemory = false;
    const watch = new RendererWatch(await this.#rendererPids(), (pid, megabytes) => {
      if (megabytes <= this.#limits.megabytes || overMemory) return;
      overMemory = true;
      process.kill(pid, "SIGKILL");
    });
    const start = performance.now();
    const call = page.evaluate(([url, kind, abort]) => window.attack(url, kind, abort), [
      `/files/${name}`,
      operation,
      abortAfterMs,
    ] as const);
    const ended = await settledWithin(page, call, this.#limits.seconds * 1000);
    const wall = (performance.now() - start) / 1000;
    const { cpuSeconds, megabytes } = watch.stop();
    rmSync(path);
    const measured = { cpuSeconds, megabytes };
    if (typeof ended === "string") {
      await this.#giveUpTab(watch);
      const outcome = overMemory ? `over ${this.#limits.megabytes} MB` : ended;
      return { ...measured, outcome, seconds: wall, nextCallWorks: false };
    }
    const next = page.evaluate(() => window.attack("/files/sound.pdf", "protect", undefined));
    const after = await settledWithin(page, next, NEXT_CALL_LIMIT_MS);
    const nextCallWorks = typeof after !== "string" && / bytes$/.test(after.outcome);
    if (!nextCallWorks) await this.#giveUpTab(watch);
    return { ...measured, ...ended, nextCallWorks };
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.#server.close();
    this.#scratch.remove();
  }

  async #openPage(): Promise<Page> {
    if (!this.#page) await this.renew();
    if (!this.#page) throw new Error("there is no page");
    return this.#page;
  }

  async #giveUpTab(watch: RendererWatch): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    watch.killBusiest();
    await page?.close();
  }

  async #rendererPids(): Promise<readonly number[]> {
    const processes = await processesOf(this.#session);
    return processes.filter(({ type }) => type === "renderer").map(({ pid }) => pid);
  }
}

/** Returns the result of a call, or the reason in words why there is none. */
async function settledWithin<Value>(
  page: Page,
  call: Promise<Value>,
  limitMs: number,
): Promise<Value | string> {
  let clock: NodeJS.Timeout | undefined;
  let onCrash = () => {};
  const given = new Promise<string>((resolve) => {
    clock = setTimeout(() => resolve(`over ${limitMs / 1000} s`), limitMs);
    onCrash = () => resolve("the tab crashed");
  });
  page.once("crash", onCrash);
  const failed = (error: unknown) => (error instanceof Error ? error.message : String(error));
  try {
    return await Promise.race([given, call.catch(failed)]);
  } finally {
    clearTimeout(clock);
    page.off("crash", onCrash);
  }
}
