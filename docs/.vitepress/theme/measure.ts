// Measures the library beside other ways to do the same, in the browser of the reader.
import type { Client, ServiceResult } from "../../../src/index.ts";
import { pictureFile, reportFile } from "./examples.ts";

const PAGE_COUNT = 200;
const PHOTO = { width: 4000, height: 3000 };
/** The tiles of a HEIC of 12.6 megapixels. */
const HEIC = { columns: 8, rows: 6 };
const WIDTH = 1600;
const QUALITY = 0.85;

/** One way to do a job. */
interface Contestant {
  readonly name: string;
  /** Does the job and returns the length of the result in bytes. */
  run(): Promise<number>;
}

interface Contest {
  readonly job: string;
  readonly stayput: Contestant;
  readonly other: Contestant;
}

/** The times of a job, as medians. */
export interface Measured {
  readonly job: string;
  readonly milliseconds: number;
  readonly other: string;
  readonly otherMilliseconds: number;
}

/**
 * Measures all jobs, one after another. Each way runs once before it is measured, and then both take turns.
 *
 * @param rounds how often each way is measured
 */
export async function* measure(client: Client, rounds: number): AsyncGenerator<Measured, void, undefined> {
  for (const { job, stayput, other } of await contests(client)) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      for (const [index, contestant] of [stayput, other].entries()) {
        const start = performance.now();
        const bytes = await contestant.run();
        const time = performance.now() - start;
        if (bytes === 0) throw new Error(`${contestant.name} made an empty file.`);
        if (round > 0) times[index]?.push(time);
      }
    }
    const [milliseconds, otherMilliseconds] = [median(times[0]), median(times[1])];
    yield { job, milliseconds, other: other.name, otherMilliseconds };
  }
}

async function contests(client: Client): Promise<readonly Contest[]> {
  const [{ PDFDocument }, cantoo, { heicPhoto }] = await Promise.all([
    import("pdf-lib"),
    import("@cantoo/pdf-lib"),
    import("./heic-photo.ts"),
  ]);
  const report = reportFile(PAGE_COUNT);
  const photo = await pictureFile("photo.jpg", undefined, PHOTO);
  const heic = heicPhoto(HEIC.columns, HEIC.rows);
  const stayput = (call: () => Promise<ServiceResult>): Contestant => ({
    name: "Stayput",
    async run() {
      const result = await call();
      const { byteLength } = await client.blob(result).arrayBuffer();
      client.release(result);
      return byteLength;
    },
  });
  return [
    {
      job: `Protect a PDF of ${PAGE_COUNT} pages`,
      stayput: stayput(() => client.protectPdf({ file: report, password: "open sesame" })),
      other: {
        name: "@cantoo/pdf-lib",
        async run() {
          const document = await cantoo.PDFDocument.load(await report.arrayBuffer());
          document.encrypt({ userPassword: "open sesame", ownerPassword: "open sesame" });
          return (await document.save()).length;
        },
      },
    },
    {
      job: "Take its odd pages out",
      stayput: stayput(() => client.convert({ file: report, output_format: "pdf", pages: "odd" })),
      other: {
        name: "pdf-lib",
        async run() {
          const [document, part] = await Promise.all([
            PDFDocument.load(await report.arrayBuffer()),
            PDFDocument.create(),
          ]);
          const odd = document.getPageIndices().filter((index) => index % 2 === 0);
          for (const page of await part.copyPages(document, odd)) part.addPage(page);
          return (await part.save()).length;
        },
      },
    },
    {
      job: `A JPG of 12 megapixels to ${WIDTH.toLocaleString("en")} pixels`,
      stayput: stayput(() =>
        client.convert({ file: photo, output_format: "jpg", max_width: WIDTH, quality: QUALITY }),
      ),
      other: {
        name: "a canvas",
        async run() {
          const picture = await createImageBitmap(photo);
          const canvas = new OffscreenCanvas(WIDTH, (WIDTH * PHOTO.height) / PHOTO.width);
          const context = canvas.getContext("2d");
          if (context === null) throw new Error("The browser has no 2D canvas.");
          context.imageSmoothingQuality = "high";
          context.drawImage(picture, 0, 0, canvas.width, canvas.height);
          picture.close();
          return (await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY })).size;
        },
      },
    },
    {
      job: "A HEIC of 12 megapixels to JPG",
      stayput: stayput(() => client.convert({ file: heic, output_format: "jpg", quality: QUALITY })),
      other: {
        name: "libheif-js",
        run: async () => (await (await import("./libheif.ts")).jpegOf(heic, QUALITY)).size,
      },
    },
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
