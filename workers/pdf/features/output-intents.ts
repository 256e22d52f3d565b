import { zlibSync } from "fflate";
import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { latin1 } from "../syntax/characters.ts";
import { dictOf, PdfDict, PdfName, type PdfObject, PdfString, resolved } from "../syntax/objects.ts";
import { feature } from "./feature.ts";
import type { OutputDocument } from "./output-document.ts";

/** The most output intents of a document. The standard allows one for each of a few purposes. */
const MOST_INTENTS = 16;

/** An output intent (ISO 32000-2, 14.11.5). */
interface Intent {
  /** Its names and texts. */
  readonly entries: readonly (readonly [key: string, value: PdfName | PdfString])[];
  readonly profile: { readonly components: number; readonly bytes: Uint8Array } | undefined;
}

/**
 * The conditions for which the pages are prepared (ISO 32000-2, 14.11.5). A merged document has those that all its
 * documents have. Until all are known, they are held in memory.
 */
export const outputIntents = feature<undefined, OutputIntents | PdfObject>({
  read: () => undefined,
  keep(_, { document, output, copier }) {
    if (output.names.isMerge) return OutputIntents.of(document);
    return copier.map(document.catalog?.get("OutputIntents") ?? null, "other");
  },
  combine(documents) {
    const [first] = documents.map(({ kept }) => kept);
    const isSame = ({ kept }: { readonly kept?: OutputIntents | PdfObject | undefined }) =>
      first instanceof OutputIntents && kept instanceof OutputIntents && first.equals(kept);
    return documents.every(isSame) ? first : undefined;
  },
  write(kept, output) {
    const intents = kept instanceof OutputIntents ? kept.write(output) : kept;
    if (intents !== null) output.catalog.set("OutputIntents", intents);
  },
});

/** The output intents of a document, in memory. */
class OutputIntents {
  readonly #intents: readonly Intent[];

  private constructor(intents: readonly Intent[]) {
    this.#intents = intents;
  }

  /** Reads the output intents of a document. Returns none when a profile cannot be read. */
  static of(document: PdfDocument): OutputIntents {
    const listed = document.catalog?.array("OutputIntents") ?? [];
    try {
      return new OutputIntents(listed.slice(0, MOST_INTENTS).map((intent) => intentOf(document, intent)));
    } catch (error) {
      if (error instanceof UndecodableStream) return new OutputIntents([]);
      throw error;
    }
  }

  /** Returns whether another document has the same output intents. */
  equals(other: OutputIntents): boolean {
    return (
      this.#intents.length === other.#intents.length &&
      this.#intents.every((intent, index) => {
        const same = other.#intents[index];
        return same !== undefined && textOf(intent) === textOf(same) && hasSameProfile(intent, same);
      })
    );
  }

  /** Writes the output intents. Returns the entry of the catalog; null when there are none. */
  write(output: OutputDocument): PdfObject {
    if (this.#intents.length === 0) return null;
    return this.#intents.map(({ entries, profile }) => {
      const intent = PdfDict.from(entries);
      if (profile) {
        const ref = output.newReference();
        const dict = PdfDict.from([
          ["N", profile.components],
          ["Filter", PdfName.of("FlateDecode")],
        ]);
        output.writer.stream(ref.num, 0, dict, { kind: "memory", bytes: zlibSync(profile.bytes) });
        intent.set("DestOutputProfile", ref);
      }
      return intent;
    });
  }
}

function intentOf(document: PdfDocument, object: PdfObject): Intent {
  const dict = dictOf(object) ?? new PdfDict();
  const entries = [...dict.entries()].flatMap(([key, value]) => {
    const found = resolved(value);
    return found instanceof PdfName || found instanceof PdfString ? [[key, found] as const] : [];
  });
  const stream = dict.stream("DestOutputProfile");
  if (!stream) return { entries, profile: undefined };
  const components = stream.dict.integer("N") ?? 0;
  return { entries, profile: { components, bytes: document.objects.decoded(stream) } };
}

function textOf({ entries, profile }: Intent): string {
  const texts = entries.map(
    ([key, value]) => `${key} ${value instanceof PdfName ? value.value : latin1(value.bytes)}`,
  );
  return [...texts.sort(), profile?.components].join("\n");
}

function hasSameProfile({ profile: one }: Intent, { profile: other }: Intent): boolean {
  if (!one || !other) return one === other;
  return one.bytes.length === other.bytes.length && one.bytes.every((byte, at) => byte === other.bytes[at]);
}
