import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { DemoHost } from "./demo-host.ts";
import { launchChromium } from "./launched-chromium.ts";
import type { WatchedPage } from "./watched-page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The tasks, as their labels. */
export type TaskLabel =
  | "Protect"
  | "Unlock"
  | "Organize"
  | "Split"
  | "Merge"
  | "One PDF"
  | "Shrink"
  | "Clean"
  | "Convert";

/** The app in Chromium, opened for one test. */
export interface OpenedApp {
  readonly host: DemoHost;
  readonly app: AppPage;
  readonly watched: WatchedPage;
}

/**
 * Opens the app before each test of the file or the `describe`, and closes it afterwards. A test fails if the page has
 * complained.
 *
 * @param prepare gets the app before each test
 * @param device what it is opened on
 * @param launch starts the browser
 */
export function openAppForEach(
  prepare: (opened: OpenedApp) => void | Promise<void>,
  device: BrowserContextOptions = {},
  launch = launchChromium,
): void {
  let host: DemoHost;
  let watched: WatchedPage;

  beforeAll(async () => {
    host = await DemoHost.start(undefined, launch);
  });
  afterAll(() => host.close());
  beforeEach(async () => {
    watched = await host.open(device);
    await prepare({ host, app: new AppPage(watched, host.folder), watched });
  });
  afterEach(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
  });
}

/** The app as a person uses it. */
export class AppPage {
  readonly page: Page;
  readonly #folder: string;

  constructor({ page }: Pick<WatchedPage, "page">, folder: string) {
    this.page = page;
    this.#folder = folder;
  }

  /** Writes a file and returns its path. */
  write(name: string, content: Uint8Array | string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** Chooses files of the folder, and waits until the app knows them. */
  async choose(...names: readonly string[]): Promise<void> {
    const input = this.page.locator("#file-input");
    await input.setInputFiles(names.map((name) => join(this.#folder, name)));
    // The row of a file that the task does not use is in a closed group.
    for (const name of names) await this.row(name).last().waitFor({ state: "attached" });
    await this.page.getByText("Looking at the file").first().waitFor({ state: "detached" });
  }

  /** The row of a file in the tray. */
  row(name: string): Locator {
    return this.page.locator(`.row[aria-label="${name}"]`);
  }

  /** Shows a file of several in the other pane. */
  async show(name: string): Promise<void> {
    await this.row(name)
      .getByRole("button", { name: `Show ${name}` })
      .click();
  }

  /** Drops a file on the page, as a hand with a mouse would. */
  async drop(name: string, bytes: Uint8Array, type = ""): Promise<void> {
    const dataTransfer = await this.page.evaluateHandle(
      ([fileName, content, mime]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(content)], fileName, { type: mime }));
        return transfer;
      },
      [name, [...bytes], type] as const,
    );
    for (const event of ["dragover", "drop"]) await this.page.dispatchEvent("body", event, { dataTransfer });
  }

  async task(label: TaskLabel): Promise<void> {
    await this.page.locator(".tabs").getByRole("button", { name: label, exact: true }).click();
  }

  /** Shows the options, which are a closed sheet on a phone. */
  async showOptions(): Promise<void> {
    const closed = this.page.locator('.sheet-toggle[aria-expanded="false"]');
    if (await closed.isVisible()) await closed.click();
  }

  /** Closes the options on a phone. */
  async hideOptions(): Promise<void> {
    const open = this.page.locator('.sheet-toggle[aria-expanded="true"]');
    if (await open.isVisible()) await open.click();
  }

  /** Chooses one of several, by its label. */
  async radio(label: string): Promise<void> {
    const radio = this.page.getByRole("radio", { name: label, exact: true });
    // A person clicks the text. A forced click on the hidden button may miss it while the page moves.
    await this.page.locator("label").filter({ has: radio }).click();
  }

  /** Types the password of a file, presses Enter, and waits until the app has opened the file. */
  async enterPassword(name: string, password: string): Promise<void> {
    await this.page.getByLabel(`Password of ${name}`).fill(password);
    await this.page.keyboard.press("Enter");
    // On a phone, the sheet with the field closes.
    await this.row(name).getByText("Opened", { exact: true }).waitFor();
  }

  /** Presses the button that starts. For tools it is disabled while something is wrong; a click then says what. */
  async start(): Promise<void> {
    await this.page.locator('#start:not([data-state="running"])').click({ force: true });
  }

  /** Saves a file of a result by its button, and returns the path of the copy. */
  async save(name: string): Promise<string> {
    const button = this.page
      .locator(".result-place")
      .getByRole("button", { name: `Save ${name}`, exact: true });
    return this.download(() => button.click(), name);
  }

  /** Goes from the result back to the stage. */
  async back(): Promise<void> {
    await this.page.locator(".result-back").click();
    await this.page.locator(".stage").waitFor();
  }

  /** Goes from the stage to the result again. */
  async showResult(): Promise<void> {
    await this.page.getByRole("button", { name: "Show the result" }).click();
    await this.page.locator(".result-place").waitFor();
  }

  /** Saves everything by the first button of the result, and returns the path of the copy. */
  async saveAll(name: string): Promise<string> {
    return this.download(() => this.page.locator("#save-all").click(), name);
  }

  /** Waits until no job runs. */
  async finished(): Promise<void> {
    await this.page.locator('#start[data-state="running"]').waitFor({ state: "detached" });
  }

  async download(act: () => Promise<void>, name: string): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), act()]);
    expect(download.suggestedFilename()).toBe(name);
    const path = join(this.#folder, name);
    await download.saveAs(path);
    return path;
  }

  /** The message at a field, once there is one. `id` is the begin of its id: some have the number of a file behind it. */
  async problemAt(id: string): Promise<string> {
    const problem = this.page.locator(`[id^="${id}"][id$="-problem"]:not(:empty)`);
    await problem.waitFor();
    return (await problem.textContent()) ?? "";
  }

  /** Whether an element has the focus. */
  hasFocus(element: Locator): Promise<boolean> {
    return element.evaluate((one) => one === document.activeElement);
  }

  /** Presses Tab until an element has the focus. Returns how often. Fails when nothing has the focus on the way. */
  async tabsTo(element: Locator): Promise<number> {
    for (let count = 0; count <= 20; count++) {
      expect(await this.page.locator("body:focus-within").count()).toBe(1);
      if (await this.hasFocus(element)) return count;
      await this.page.keyboard.press("Tab");
    }
    throw new Error("Tab does not reach it");
  }

  /** Returns what axe finds wrong with the page. */
  async violations(): Promise<readonly string[]> {
    await this.page.evaluate(AXE);
    return this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    });
  }
}
