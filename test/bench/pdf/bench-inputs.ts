import { rmSync, statSync } from "node:fs";
import { writeReport } from "./inputs/report.ts";
import { writeScan } from "./inputs/scan.ts";
import { packIntoObjectStreams, writeSmallObjects } from "./inputs/small-objects.ts";

const MEGABYTE = 1_000_000;
const TIME_LIMIT_MS = 60_000;
const HUGE_TIME_LIMIT_MS = 300_000;

export const INPUT_NAMES = ["scan", "objects", "object streams", "document", "huge scan"] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** A document to be worked on. */
export interface BenchInput {
  readonly name: InputName;
  readonly pageCount: number;
  /** What is in it, for people. */
  readonly content: string;
  /** How long one task may take with it. */
  readonly timeLimitMs: number;
  /** Writes it to the disk. */
  write(path: string): Promise<void>;
}

/** The documents, in sizes that are multiplied by `scale` (the one of 1 MB, which is small, stays as it is). */
export function benchInputs(scale: number): readonly BenchInput[] {
  const scaled = (count: number) => Math.max(1, Math.round(count * scale));
  const pages = scaled(2000);
  const objects = { pages, objectsPerPage: 100 };
  return [
    scan("scan", scaled(100), 2.1 * MEGABYTE, TIME_LIMIT_MS),
    {
      name: "objects",
      pageCount: pages,
      content: `${pages * 100} small objects`,
      timeLimitMs: TIME_LIMIT_MS,
      write: async (path) => writeSmallObjects(path, objects),
    },
    {
      name: "object streams",
      pageCount: pages,
      content: `the same ${pages * 100} in object streams`,
      timeLimitMs: TIME_LIMIT_MS,
      write: async (path) => {
        const plain = `${path}.plain`;
        writeSmallObjects(plain, objects);
        await packIntoObjectStreams(plain, path, TIME_LIMIT_MS);
        rmSync(plain);
      },
    },
    {
      name: "document",
      pageCount: 20,
      content: "text, links and small pictures",
      timeLimitMs: TIME_LIMIT_MS,
      write: async (path) => writeReport(path, { pages: 20 }),
    },
    scan("huge scan", scaled(1000), 2.1 * MEGABYTE, HUGE_TIME_LIMIT_MS),
  ];
}

function scan(name: InputName, pages: number, bytesPerPage: number, timeLimitMs: number): BenchInput {
  return {
    name,
    pageCount: pages,
    content: "JPEGs",
    timeLimitMs,
    write: async (path) => writeScan(path, { pages, bytesPerPage }),
  };
}

/** `scan: 210.1 MB, 100 pages, JPEGs`. */
export function describe({ name, pageCount, content }: BenchInput, path: string): string {
  return `${name}: ${(statSync(path).size / MEGABYTE).toFixed(1)} MB, ${pageCount} pages, ${content}`;
}
