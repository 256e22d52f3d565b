import { mixedVersions } from "../src/shared/load-failure.ts";
import { VERSION } from "../src/shared/version.ts";
import type { ImagesRequest } from "./compress/image-queue.ts";
import type { TileRequest } from "./image/formats/heic/decode-tile.ts";
import { setAssetUrl } from "./io/assets.ts";
import type { HelperKind, HelperSetup } from "./parallel/helper-pool.ts";
import type { PagesRequest } from "./render/page-helper.ts";

/** The first message of each kind of lease to the helper. */
interface HelperRequests {
  readonly "pdf/pages": PagesRequest;
  readonly "heic/tiles": TileRequest;
  readonly "pdf/images": ImagesRequest;
}

type ServeTasks<Request> = (request: Request, port: MessagePort) => Promise<void>;

/** All task servers. The first lease of a kind loads its server. To add a kind, add its name, its request and a row. */
const TASK_SERVERS: { readonly [Kind in HelperKind]: ServeTasks<HelperRequests[Kind]> } = {
  "pdf/pages": async (request, port) =>
    (await import("./render/page-helper.ts")).servePages(request, port, new FileReaderSync()),
  "heic/tiles": async (request, port) =>
    (await import("./image/formats/heic/tiles.ts")).serveTiles(request, port),
  "pdf/images": async (request, port) =>
    (await import("./compress/image-queue.ts")).serveImages(request, port),
};

/**
 * Does tasks of a kind for another worker, until that ends the lease. parallel/README.md describes helpers.
 *
 * @param port where tasks arrive and results go
 * @throws the first error of a task
 */
export async function help<Kind extends HelperKind>(
  kind: Kind,
  request: HelperRequests[Kind],
  port: MessagePort,
  { version, assetUrl }: HelperSetup,
): Promise<void> {
  // The app may have been updated since the other worker was loaded.
  if (version !== VERSION) throw mixedVersions("A helper", version);
  setAssetUrl(assetUrl);
  return TASK_SERVERS[kind](request, port);
}
