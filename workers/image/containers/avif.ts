import { ServiceError } from "../../../src/errors.ts";
import { boxesOf } from "../heif/boxes.ts";
import { metaAt } from "../heif/read.ts";
import { readRelations } from "../heif/relations.ts";

/** What an AVIF file says of its primary image (AV1 Image File Format 1.1). */
export interface Avif {
  /** As stored, before any rotation. */
  readonly width: number;
  readonly height: number;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** An ICC profile of its colours. */
  readonly icc: Uint8Array | undefined;
}

/** The tables take some kilobytes. */
const LARGEST_TABLES = 64 * 2 ** 20;

/**
 * Reads the tables, not the picture.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function readAvif(file: Blob): Promise<Avif> {
  try {
    return await primaryImage(file);
  } catch (thrown) {
    // The reader of tables says HEIC, which has the same ones.
    throw thrown instanceof ServiceError ? damaged("its tables are cut off or make no sense") : thrown;
  }
}

async function primaryImage(file: Blob): Promise<Avif> {
  for await (const place of boxesOf(file)) {
    const { type, start, end } = place;
    if (type !== "meta") continue;
    if (end - start > LARGEST_TABLES) throw damaged("its tables are larger than any file's");
    const meta = await metaAt(file, place);
    const [first] = meta.items.keys();
    const primary = meta.primary ?? first ?? 0;
    const properties = meta.properties.get(primary) ?? [];
    const size = properties.find((property) => property.kind === "size");
    if (size === undefined) throw damaged("nothing says how large it is");
    const hasAlpha = readRelations(meta).alphas.has(primary);
    const icc = properties.flatMap((one) =>
      one.kind === "colour" && one.colour.kind === "icc" ? [one.colour.profile] : [],
    );
    return { width: size.width, height: size.height, hasAlpha, icc: icc[0] };
  }
  throw damaged("it holds no still picture");
}

function damaged(reason: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `The AVIF image cannot be read: ${reason}. Try another copy of it.`,
  );
}
