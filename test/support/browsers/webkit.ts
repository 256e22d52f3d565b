import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { browserEnvironment } from "../../../scripts/environment.mjs";
import { findWebKit } from "../../../scripts/machine.mjs";
import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { freePort } from "../loopback.ts";
import { type DrivenBrowser, type DrivenPage, SHOWN } from "./driven-browser.ts";
import { WebDriverSession } from "./webdriver.ts";

/** Longer than the hang limit of a job, so that the session reports a hang first. */
const SCRIPT_LIMIT_MS = 2 * HANG_LIMIT_MS;

const START_LIMIT_MS = 60_000;
const MOST_STARTS = 3;

const WHEN_READY = `
  const done = arguments[0];
  const look = () => (document.title === "ready" ? done(null) : setTimeout(look, 20));
  look();
`;
const CALL = `
  const [name, argument, done] = arguments;
  window[name](argument).then((value) => done({ value }), (error) => done({ error: String(error) }));
`;

/** Starts the MiniBrowser of this machine's WebKitGTK by its WebDriver, on a virtual display. */
export async function startWebKit(): Promise<DrivenBrowser> {
  const found = findWebKit();
  if (found === undefined) throw new Error("there is no WebKitGTK with its driver on this machine");
  const screen = spawn(
    found.screen,
    ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const display = await firstLine(screen);
  const pages = new Set<WebKitPage>();
  return {
    name: "webkit",

    async open(url): Promise<DrivenPage> {
      const page = await startPage(found, display);
      const { session } = page;
      pages.add(page);
      await session.navigate(url);
      await session.run(WHEN_READY);
      return {
        async call<Answer>(name: string, argument: unknown): Promise<Answer> {
          const answer = await session.run<{ value: Answer } | { error: string }>(CALL, name, argument);
          if ("error" in answer) throw new Error(answer.error);
          return answer.value;
        },
        choose: (selector, path) => session.type(selector, path),
        shown: () => session.run(`arguments[0]((() => {${SHOWN}})())`),
        async close() {
          pages.delete(page);
          await endPage(page);
        },
      };
    },

    async close() {
      try {
        for (const page of pages) await endPage(page);
      } finally {
        await endProcess(screen);
      }
    },
  };
}

/** A page has a browser and a driver of its own. */
interface WebKitPage {
  readonly driver: ChildProcess;
  readonly session: WebDriverSession;
}

/**
 * Starts a driver and its browser. On a busy machine, a MiniBrowser sometimes never connects to its driver. No page is
 * open then, so another try hides no hang of ours.
 */
async function startPage(
  { driver: program, browser }: { readonly driver: string; readonly browser: string },
  display: string,
): Promise<WebKitPage> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const driver = spawn(program, [`--port=${port}`, "--host=127.0.0.1"], {
      stdio: "ignore",
      env: { ...browserEnvironment(), DISPLAY: `:${display}` },
    });
    const address = `http://127.0.0.1:${port}`;
    try {
      await untilListening(`${address}/status`);
      const capabilities = {
        browserName: "MiniBrowser",
        timeouts: { script: SCRIPT_LIMIT_MS, pageLoad: HANG_LIMIT_MS },
        "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] },
      };
      return { driver, session: await WebDriverSession.start(address, capabilities, START_LIMIT_MS) };
    } catch (error) {
      await endProcess(driver);
      const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
      if (!isTimeout || attempt === MOST_STARTS) throw error;
      process.stderr.write("WebKit did not start; starting it again\n");
    }
  }
}

async function endPage({ session, driver }: WebKitPage): Promise<void> {
  try {
    await session.end();
  } finally {
    await endProcess(driver);
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

/** The first line that a program prints. Rejects when the program ends without one. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (text.includes("\n")) resolve(text.trim());
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
  });
}

async function untilListening(url: string): Promise<void> {
  const end = performance.now() + HANG_LIMIT_MS;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
