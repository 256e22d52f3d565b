// Adds a Content-Security-Policy to each page of the built site. The browser then refuses every request to another origin.
import { createHash } from "node:crypto";

/** What the site needs. Styles: the theme and the highlighted code set them on elements. */
const POLICY = [
  // Firefox checks by it which pages may be prefetched.
  "default-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "media-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** Returns the HTML of a page with its policy. The scripts in the page are allowed by their hashes. */
export function withPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  const scripts = ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(" ");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${[...POLICY, scripts].join("; ")}">`;
  return html.replace(/<meta charset="utf-8">/i, (charset) => `${charset}\n    ${meta}`);
}
