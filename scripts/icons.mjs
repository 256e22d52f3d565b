// Draws the icon of the app, demo/public/icon.svg, as PNGs, for systems that take no SVG.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

/**
 * A picture of the icon.
 *
 * @typedef {object} Icon
 * @property {number} side in pixels
 * @property {"any" | "maskable" | "apple"} purpose
 */

/**
 * The icons by their file names.
 *
 * @type {Readonly<Record<string, Icon>>}
 */
const ICONS = {
  "icon-192.png": { side: 192, purpose: "any" },
  "icon-512.png": { side: 512, purpose: "any" },
  "icon-maskable-512.png": { side: 512, purpose: "maskable" },
  "apple-touch-icon.png": { side: 180, purpose: "apple" },
};

/**
 * How large the drawing is where the system cuts off the corners. Of a maskable icon, it shows at least a circle whose
 * radius is 40 % of the width (Web Application Manifest, "safe zone"). The corner of the lock is at 44 %.
 */
const SCALES = { any: 1, apple: 0.95, maskable: 0.85 };

/** The icons for the manifest. iOS reads its own from the page. */
export const MANIFEST_ICONS = Object.entries(ICONS).flatMap(([src, { side, purpose }]) =>
  purpose === "apple" ? [] : [{ src, sizes: `${side}x${side}`, type: "image/png", purpose }],
);

/**
 * Returns a Vite plugin that adds the PNGs to the build, and a link for iOS to the page.
 *
 * @returns {import("vite").Plugin}
 */
export function withIcons() {
  return {
    name: "stayput-icons",
    apply: "build",
    async generateBundle() {
      for (const [fileName, icon] of Object.entries(ICONS))
        this.emitFile({ type: "asset", fileName, source: await draw(icon) });
    },
    transformIndexHtml: () => [
      { tag: "link", attrs: { rel: "apple-touch-icon", href: "./apple-touch-icon.png" }, injectTo: "head" },
    ],
  };
}

/** @param {Icon} icon */
async function draw({ side, purpose }) {
  // Only a build needs this native package.
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const svg = readFileSync(join(ROOT, "demo", "public", "icon.svg"), "utf8");
  const [, ground] = /<rect [^>]*fill="(#\w+)"/.exec(svg) ?? [];
  if (ground === undefined) throw new Error("icon.svg has no rectangle that is the ground");
  // An image is drawn at its own size first, then scaled.
  const image = await loadImage(Buffer.from(svg.replace("<svg ", `<svg width="${side}" height="${side}" `)));
  const canvas = createCanvas(side, side);
  const context = canvas.getContext("2d");
  if (purpose !== "any") {
    context.fillStyle = ground;
    context.fillRect(0, 0, side, side);
  }
  const drawn = side * SCALES[purpose];
  context.drawImage(image, (side - drawn) / 2, (side - drawn) / 2, drawn, drawn);
  return canvas.toBuffer("image/png");
}
