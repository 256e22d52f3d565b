import type { MergeOptions, SplitBy } from "../../src/shared/protocol.ts";
import type { Report } from "../../src/shared/throttled-report.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { cleanTo } from "../../workers/pdf/clean/clean.ts";
import { PdfDocument } from "../../workers/pdf/file/document.ts";
import { merge } from "../../workers/pdf/merge.ts";
import { withRebuild } from "../../workers/pdf/open.ts";
import { protect } from "../../workers/pdf/protect.ts";
import { repair } from "../../workers/pdf/repair.ts";
import { splitFiles } from "../../workers/pdf/split.ts";
import { unlock } from "../../workers/pdf/unlock.ts";
import { contextOf } from "./memory-context.ts";
import { MemorySink } from "./memory-sink.ts";

/** The operations of the PDF engine over bytes in memory, as Node runs them in tests. */

type Options<Operation extends (...args: never) => unknown> = Parameters<Operation>[1];

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A page selection, or another way to split. */
type SplitWay = { readonly pages: string } | { readonly by: SplitBy };

const ignoreProgress: Report = () => undefined;

export async function protectBytes(input: Uint8Array, options: Options<typeof protect>): Promise<Uint8Array> {
  const context = contextOf(input);
  await protect(context, options);
  return context.sink.toBytes();
}

export async function unlockBytes(input: Uint8Array, password: string | undefined): Promise<Uint8Array> {
  const context = contextOf(input);
  await unlock(context, { password });
  return context.sink.toBytes();
}

export async function splitBytes(
  input: Uint8Array,
  {
    name = "file",
    password,
    rotate,
    ...how
  }: SplitWay & {
    readonly name?: string;
    readonly password?: string | undefined;
    readonly rotate?: string;
  },
): Promise<readonly NamedBytes[]> {
  const by: SplitBy = "by" in how ? how.by : { kind: "pages", pages: how.pages };
  return withRebuild(PdfDocument.open(bufferSource(input)), async (document) => {
    const files: NamedBytes[] = [];
    const parts = splitFiles(
      document,
      { by, name, password, rotate },
      ignoreProgress,
      () => new MemorySink(),
    );
    for await (const { name, content } of parts) files.push({ name, bytes: content.toBytes() });
    return files;
  });
}

export async function repairBytes(
  input: Uint8Array,
  options: Options<typeof repair> = {},
): Promise<Uint8Array> {
  const context = contextOf(input);
  await repair(context, options);
  return context.sink.toBytes();
}

export async function cleanBytes(
  input: Uint8Array,
  options: Options<typeof cleanTo> = {},
): Promise<Uint8Array> {
  const context = contextOf(input);
  await cleanTo(context, options, () => bufferSource(context.sink.toBytes()));
  return context.sink.toBytes();
}

/** Merges documents in memory. */
export async function mergeBytes(
  inputs: readonly {
    readonly bytes: Uint8Array;
    readonly title?: string;
    readonly pages?: string;
    readonly rotate?: string;
    readonly password?: string;
  }[],
  options?: Omit<MergeOptions, "inputs">,
): Promise<Uint8Array> {
  const context = contextOf(new Uint8Array());
  const documents = inputs.map(({ bytes, title = "file", ...options }) => ({
    title,
    size: bytes.length,
    open: async () => bufferSource(bytes),
    ...options,
  }));
  await merge(context, documents, options);
  return context.sink.toBytes();
}
