// The environment of the tests. Browsers and native tools read it: without a UTF-8 locale, Chromium offers the download
// "Prüfbericht.zip" as "download". So all tests run with the same one, on every machine.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

const LOCALE = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";

/** A home folder for browsers. Firefox refuses one of another user, and a user's own has settings. */
const HOME = join(ROOT, ".cache", "home");

/** Variables that change what programs print or where they draw. */
const UNWANTED = /^(LANG|LANGUAGE|LC_\w+|FORCE_COLOR|NO_COLOR|CLICOLOR(_FORCE)?|DISPLAY|WAYLAND_DISPLAY)$/;

/** Gives this process, and those that it starts, the environment of the tests. */
export function setTestEnvironment() {
  for (const name of Object.keys(process.env)) if (UNWANTED.test(name)) delete process.env[name];
  Object.assign(process.env, { LC_ALL: LOCALE, TZ: "UTC" });
}

/** Returns the environment of a browser: that of this process, with a home folder that only browsers use. */
export function browserEnvironment() {
  mkdirSync(HOME, { recursive: true });
  const own = Object.entries(process.env).filter(([name]) => !/^XDG_/.test(name));
  return { ...Object.fromEntries(own), HOME };
}
