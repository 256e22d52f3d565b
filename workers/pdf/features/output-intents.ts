import { zlibSync } from "fflate";
import type { PdfDocument } from "../file/document.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { UndecodableStream } from "../file/filters.ts";
import { latin1 } from "../syntax/characters.ts";
import {
  integerOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from "../syntax/objects.ts";

/** The most output intents of a document. The standard allows one for each of a few purposes. */
const MOST_INTENTS = 16;

/** An output intent (ISO 32000-2, 14.11.5). */
interface Intent {
  /** Its names and texts. */
  readonly entries: readonly (readonly [key: string, value: PdfName | PdfString])[];
  readonly profile: { readonly components: number; readonly bytes: Uint8Array } | undefined;
}

/** The output intents of a document, in memory: an output gets them only when all documents have the same. */
export class OutputIntents {
  readonly #intents: readonly Intent[];

  private constructor(intents: readonly Intent[]) {
    this.#intents = intents;
  }

  /** Reads the output intents of a document. Returns none when a profile cannot be read. */
  static of(document: PdfDocument): OutputIntents {
    const listed = document.array(document.catalog?.get("OutputIntents"));
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

  /** Writes the output intents. Returns the entry of the catalog, an empty list when there are none. */
  write(writer: FileWriter): PdfObject[] {
    return this.#intents.map(({ entries, profile }) => {
      const intent = PdfDict.from(entries);
      if (profile) {
        const ref = new PdfRef(writer.allocate(), 0);
        const dict = PdfDict.from([
          ["N", profile.components],
          ["Filter", PdfName.of("FlateDecode")],
        ]);
        writer.stream(ref.num, 0, dict, { kind: "memory", bytes: zlibSync(profile.bytes) });
        intent.set("DestOutputProfile", ref);
      }
      return intent;
    });
  }
}

function intentOf(document: PdfDocument, object: PdfObject): Intent {
  const dict = document.dict(object) ?? new PdfDict();
  const entries = [...dict.entries()].flatMap(([key, value]) => {
    const found = document.resolve(value);
    return found instanceof PdfName || found instanceof PdfString ? [[key, found] as const] : [];
  });
  const stream = document.resolve(dict.get("DestOutputProfile"));
  if (!(stream instanceof PdfStream)) return { entries, profile: undefined };
  const components = integerOf(document.resolve(stream.dict.get("N"))) ?? 0;
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
