import { unzipSync } from "fflate";
import { beforeEach, describe, expect, type Mock, test, vi } from "vitest";
import type { SplitOptions } from "../../../../src/shared/protocol.ts";
import type { ArchiveSection } from "../../../../workers/archive/zip.ts";
import { BlobSink } from "../../../../workers/io/blob-sink.ts";
import { bufferSource } from "../../../../workers/io/source.ts";
import { SectionWriter, type Stretch } from "../../../../workers/pdf/section-writer.ts";
import { SplitSession } from "../../../../workers/pdf/split.ts";
import { splitIntoArchive } from "../../../../workers/pdf/split-archive.ts";
import { helpWithSplit, type SplitRequest } from "../../../../workers/pdf/split-helper.ts";
import { damagedOnTheWay } from "../../../fixtures/damaged-pdf.ts";
import { makePdf } from "../../../fixtures/pdf.ts";
import { catalogOf, pageOf, pdfOf } from "../../../fixtures/pdf-objects.ts";
import { CountingReader, ReadableBlob } from "../../../support/readable-blob.ts";
import { scriptedHelper } from "../../../support/scripted-helper.ts";

const callHelpers = vi.hoisted(() => vi.fn());
vi.mock("../../../../workers/parallel/helper-pool.ts", async (original) => ({
  ...(await original<object>()),
  callHelpers,
}));

const PAGES = 120;
const MODIFIED = 1_700_000_000_000;
const pdf = makePdf({ pages: PAGES, ballastPerPage: 1000 });

/** Splits while each look at the clock finds it so many milliseconds later, and gives the archive and the progress. */
async function split(options: Partial<SplitOptions>, perLook = 60, bytes = pdf) {
  let time = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    time += perLook;
    return time;
  });
  const progress: number[] = [];
  try {
    const file = new ReadableBlob(bytes);
    const source = bufferSource(bytes);
    const output = new BlobSink(file, source);
    const all = { pages: "all", name: "page", ...options };
    await splitIntoArchive(file, source, output, all, MODIFIED, (_, done, total) => {
      expect(total).toBe(bytes === pdf ? PAGES : 5);
      progress.push(done);
    });
    return { archive: new Uint8Array(await output.toBlob().arrayBuffer()), progress };
  } finally {
    clock.mockRestore();
  }
}

/** What a helper does with a stretch, given how its section is made. */
type Way = (made: () => Promise<ArchiveSection>, index: number) => Promise<ArchiveSection | undefined>;

/** Has one helper come when it is called, which does as the way says. */
function haveHelper(way: Way) {
  const asked: Stretch[] = [];
  const released: Mock[] = [];
  callHelpers.mockImplementation((count: number, kind: string, request: SplitRequest) => {
    expect([count, kind]).toEqual([1, "helpWithSplit"]);
    const { file, options, lastModified } = request;
    const source = bufferSource(pdf);
    const maker = SplitSession.open(source, options).then(
      (splitting) => new SectionWriter(splitting, file, source, lastModified),
    );
    const helper = scriptedHelper<Stretch, ArchiveSection>((stretch) =>
      way(async () => (await maker).make(stretch), asked.push(stretch) - 1),
    );
    released.push(helper.release);
    return [helper];
  });
  return { asked, released };
}

beforeEach(() => {
  callHelpers.mockReset().mockReturnValue([]);
});

describe("the archive is the same whoever makes what", async () => {
  const alone = await split({});

  test("alone", () => {
    expect(callHelpers).not.toHaveBeenCalled();
    const names = Object.keys(unzipSync(alone.archive));
    expect([names[0], names.length, names.at(-1)]).toEqual(["page-001.pdf", PAGES, "page-120.pdf"]);
    expect(alone.progress).toEqual(Array.from({ length: PAGES }, (_, index) => index + 1));
  });

  const ways: readonly [string, Way][] = [
    ["with a helper", (made) => made()],
    ["with one that never answers", () => Promise.resolve(undefined)],
    ["with one that does half of what it is asked", async (made, index) => (index % 2 ? undefined : made())],
  ];
  test.each(ways)("%s", async (_, way) => {
    const { asked, released } = haveHelper(way);
    const { archive, progress } = await split({ helpers: 3 });
    expect(Buffer.compare(archive, alone.archive)).toBe(0);
    expect(asked.length).toBeGreaterThan(0);
    expect(progress).toEqual([...progress].sort((one, other) => one - other));
    expect(progress.at(-1)).toBe(PAGES);
    expect(released.map((release) => release.mock.calls.length)).toEqual([1]);
  });

  test("where none comes", async () => {
    const { archive } = await split({ helpers: 1 });
    expect(callHelpers).toHaveBeenCalledTimes(1);
    expect(Buffer.compare(archive, alone.archive)).toBe(0);
  });

  test("no helper is called for a large file", async () => {
    const size = vi.spyOn(ReadableBlob.prototype, "size", "get").mockReturnValue(2 ** 24 + 1);
    const { archive } = await split({ helpers: 1 }).finally(() => size.mockRestore());
    expect(callHelpers).not.toHaveBeenCalled();
    expect(Buffer.compare(archive, alone.archive)).toBe(0);
  });

  test("no helper is called for what is soon done", async () => {
    const { archive } = await split({ helpers: 1 }, 0.5);
    expect(callHelpers).not.toHaveBeenCalled();
    expect(Buffer.compare(archive, alone.archive)).toBe(0);
  });
});

test("what is large is not copied into sections", async () => {
  const pages = [1, 2, 3, 4].map((page) => pageOf(10 + page, `/Contents 4 0 R/Rotate ${90 * page}`));
  const content = ",-./0123".repeat(125_000);
  const file = new ReadableBlob(
    pdfOf([
      ...catalogOf("11 0 R 12 0 R 13 0 R 14 0 R"),
      ...pages,
      { num: 4, body: "<</Filter/RunLengthDecode>>", stream: content },
    ]),
  );
  const source = bufferSource(file.content);
  const splitting = await SplitSession.open(source, { pages: "all", name: "page" });
  const maker = new SectionWriter(splitting, file, source, MODIFIED);
  const slice = vi.spyOn(ReadableBlob.prototype, "slice");
  try {
    for (const from of [0, 2]) {
      const { content: made, files } = await maker.make({ from, to: from + 2 });
      expect(files.map(({ name }) => Buffer.from(name).toString())).toEqual([
        `page-${from + 1}.pdf`,
        `page-${from + 2}.pdf`,
      ]);
      expect(made.size).toBeGreaterThan(2 * content.length);
    }
    const large = slice.mock.calls.filter(([start = 0, end = 0]) => end - start === content.length);
    expect(large).toHaveLength(4);
  } finally {
    slice.mockRestore();
  }
});

test.each([0, 60])(
  "damage that is met on the way begins the archive again, %i ms a look",
  async (perLook) => {
    haveHelper(() => Promise.resolve(undefined));
    const bytes = damagedOnTheWay();
    const { archive, progress } = await split({ helpers: 1, pages: "1,1,1,2,1" }, perLook, bytes);
    const texts = Object.values(unzipSync(archive)).map((file) => Buffer.from(file).toString("latin1"));
    expect(texts).toHaveLength(5);
    const ofFirst = texts.filter((text) => text.includes("NEEDED"));
    expect(ofFirst).toHaveLength(4);
    for (const text of ofFirst) for (const part of ["Helvetica", "(note)"]) expect(text).toContain(part);
    expect(progress).toEqual([1, 2, 3, 4, 5]);
  },
);

describe("a helper", () => {
  /** Asks a helper for the sections of a file; nothing for those that it cannot make. */
  async function ask(
    bytes: Uint8Array<ArrayBuffer>,
    stretches: readonly Stretch[],
    options: Partial<SplitOptions> = {},
  ) {
    const { port1, port2 } = new MessageChannel();
    const request: SplitRequest = {
      file: new ReadableBlob(bytes),
      options: { pages: "all", name: "page", ...options },
      lastModified: MODIFIED,
    };
    const served = helpWithSplit(request, port2, new CountingReader()).catch((thrown: unknown) => thrown);
    const answers: (ArchiveSection | undefined)[] = [];
    for (const task of stretches) {
      const answer = new Promise<ArchiveSection | undefined>((resolve) => {
        port1.onmessage = ({ data }) => resolve(data.answer);
      });
      port1.postMessage({ task });
      answers.push(await Promise.race([answer, served.then(() => undefined)]));
    }
    port1.postMessage(null);
    port1.close();
    return { answers, served: await served };
  }

  test("makes sections", async () => {
    const { answers, served } = await ask(pdf, [
      { from: 3, to: 5 },
      { from: 119, to: 120 },
    ]);
    expect(served).toBeUndefined();
    const names = answers.map((section) => section?.files.map(({ name }) => Buffer.from(name).toString()));
    expect(names).toEqual([["page-004.pdf", "page-005.pdf"], ["page-120.pdf"]]);
  });

  test("answers nothing once it has to give up the file's own cross-reference", async () => {
    const damaged = Buffer.from(pdf);
    const text = damaged.toString("latin1");
    // The content of the last page is not where the table says.
    const last = [...text.matchAll(/\d{10} 00000 n/g)].at(-1);
    expect(last?.index).toBeGreaterThan(0);
    damaged.write("0000000020", last?.index ?? 0, "latin1");
    const { answers, served } = await ask(new Uint8Array(damaged), [
      { from: 0, to: 2 },
      { from: 119, to: 120 },
    ]);
    expect(answers[0]?.files).toHaveLength(2);
    expect(answers[1]).toBeUndefined();
    expect(served).toBeInstanceOf(Error);
  });

  test("that cannot open the document answers nothing", async () => {
    const { answers, served } = await ask(pdf, [{ from: 0, to: 1 }], { pages: "7-999" });
    expect(answers).toEqual([undefined]);
    expect(served).toMatchObject({ code: "invalid_page_selection" });
  });
});
