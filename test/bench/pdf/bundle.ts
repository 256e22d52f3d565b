import { rolldown } from "rolldown";

const CLIENT_SOURCE = /\/src\/index\.ts$/;

/** Bundles a program of the benchmark with its imports in one file for Node. */
export async function bundleForNode(entry: string, file: string): Promise<void> {
  const build = await rolldown({ input: entry, platform: "node" });
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
}

/** Bundles a program for a page. The client is not bundled, but imported from `clientUrl`. */
export async function bundleForPage(entry: string, file: string, clientUrl: string): Promise<void> {
  const build = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [
      {
        name: "client-as-built",
        resolveId: (id) => (CLIENT_SOURCE.test(id) ? { id: clientUrl, external: true } : null),
      },
    ],
  });
  await build.write({ file, format: "esm" });
  await build.close();
}
