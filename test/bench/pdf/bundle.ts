import { rolldown } from "rolldown";

const CLIENT_SOURCE = /\/src\/index\.ts$/;

/** Makes one plain file of a program of this benchmark and of all that it imports, for Node. */
export async function bundleForNode(entry: string, file: string): Promise<void> {
  const build = await rolldown({ input: entry, platform: "node" });
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
}

/** The same for a page, except for the client: that is imported from `clientUrl`, as it is built. */
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
