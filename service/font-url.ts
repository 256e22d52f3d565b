import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** The environment variable for the folder of fonts. `npx stayput copy` fills one. */
export const FONTS_VARIABLE = "STAYPUT_FONTS";

/** Returns the folder of the fonts that PDFs name and do not contain, as a file URL with a slash at its end. */
export function fontUrl(environment: NodeJS.ProcessEnv): string | undefined {
  const path = environment[FONTS_VARIABLE];
  return path === undefined || path === "" ? undefined : pathToFileURL(resolve(path) + sep).href;
}
