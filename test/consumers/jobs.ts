import { readFileSync, writeFileSync } from "node:fs";
import JSZip from "jszip";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import type { Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

/** A result, as `apps/jobs.js` returns it. */
export interface JobResult {
  readonly name: string;
  readonly bytes: readonly number[];
  /** The size in pixels of an image. 0 for other files. */
  readonly width: number;
  readonly height: number;
}

/** A job that every app runs. */
export interface Job {
  /** The name in `apps/jobs.js`. */
  readonly name: "protect" | "split" | "heic-to-jpg" | "pdf-to-png";
  readonly input: { readonly name: string; readonly bytes: readonly number[] };
  /** Returns the fault of the result, or undefined. */
  complaint(result: JobResult): Promise<string | undefined>;
}

const SIDE = 64;
/** A page of 595 × 842 points at 150 dots per inch. */
const PAGE_SIZE = "1240 × 1754";

/** Returns the jobs with their files. */
export async function makeJobs(scratch: Scratch): Promise<readonly Job[]> {
  const pdf = { name: "report.pdf", bytes: [...makePdf({ pages: 3 })] };
  return [
    {
      name: "protect",
      input: pdf,
      complaint: async ({ name, bytes }) => {
        const text = Buffer.from(bytes).toString("latin1");
        const isEncrypted = text.startsWith("%PDF-") && text.includes("/Encrypt");
        return isEncrypted ? differs("protected-report.pdf", name) : "the file is not an encrypted PDF";
      },
    },
    {
      name: "split",
      input: pdf,
      complaint: async ({ bytes }) => {
        const { files } = await JSZip.loadAsync(Uint8Array.from(bytes));
        return differs("report-1.pdf, report-3.pdf", Object.keys(files).join(", "));
      },
    },
    {
      name: "heic-to-jpg",
      input: { name: "photo.heic", bytes: await makeHeic(scratch) },
      complaint: async ({ bytes, width, height }) =>
        bytes[0] === 0xff && bytes[1] === 0xd8
          ? differs(`${SIDE} × ${SIDE}`, `${width} × ${height}`)
          : "the file is not a JPG",
    },
    {
      name: "pdf-to-png",
      input: pdf,
      complaint: async ({ name, width, height }) =>
        differs("report.png", name) ?? differs(PAGE_SIZE, `${width} × ${height}`),
    },
  ];
}

function differs(expected: string, actual: string): string | undefined {
  return actual === expected ? undefined : `the result is ${actual} and should be ${expected}`;
}

async function makeHeic(scratch: Scratch): Promise<readonly number[]> {
  const [png, heic] = [scratch.path("photo.png"), scratch.path("photo.heic")];
  const sample = (x: number, y: number) => [x * 3, y * 3, 90];
  writeFileSync(png, makePng({ width: SIDE, height: SIDE, colorType: 2, bitDepth: 8, sample }));
  await mustRun("heif-enc", ["-o", heic, png]);
  return [...readFileSync(heic)];
}
