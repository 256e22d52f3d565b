/** The files of the built worker. scripts/worker-files.mjs writes it to the top of worker.js. */
interface BuiltFiles {
  /** The folder that the app serves the files from. Default: where the bundler has put them. */
  assetUrl: string | undefined;
}

declare global {
  /** Absent when the sources run without a build. */
  var __stayput__: BuiltFiles | undefined;
}

/** Sets the folder that this worker loads its other files from. Call it before the first of them is loaded. */
export function setAssetUrl(folder: string | undefined): void {
  if (globalThis.__stayput__ !== undefined) globalThis.__stayput__.assetUrl = folder;
}

/** Returns the folder given to {@link setAssetUrl}. */
export function assetUrl(): string | undefined {
  return globalThis.__stayput__?.assetUrl;
}
