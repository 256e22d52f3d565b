import { type CodingTables, codingTables, SYMBOLS } from "../../../../codecs/jpeg/coding-tables.ts";
import type { HuffmanTables } from "../../../../codecs/jpeg/header.ts";
import { sampleOf } from "../../../../codecs/jpeg/jpeg-encoder.ts";
import { MCU } from "../../../../codecs/jpeg/mcu-rows.ts";
import type { Helper } from "../../../../parallel/helper-pool.ts";
import { StallTimeout } from "../../../../parallel/stall-timeout.ts";
import { yieldToEventLoop } from "../../../../parallel/yield-to-event-loop.ts";
import type { Size } from "../../../picture/size.ts";
import { type BandAnswer, type BandRows, type BandTask, handedOver } from "./band-helper.ts";
import { addTo, STRIPS_OF_INTERVAL, topHeightOf } from "./top-encoding.ts";

/** A band is an interval between restarts. */
export const BAND_ROWS = STRIPS_OF_INTERVAL * MCU;

/** A helper is asked for some tasks at a time: what it has done is heard of between two bands only. */
const AT_A_TIME = 4;
/** So many bands more than those that have to wait may wait, before they are encoded here. */
const MOST_LATE = 6;
/** For so many bands memory is made ready. */
const MOST_READY = 6;

/** Encoded intervals between restarts, each of a band of rows. */
export interface EncodedBands {
  readonly tables: HuffmanTables;
  readonly intervals: readonly (Uint8Array<ArrayBuffer> | undefined)[];
}

interface Band extends BandRows {
  readonly index: number;
}

type Work = { readonly kind: "count" | "encode"; readonly band: Band } | { readonly kind: "prepare" };
type BandHelper = Helper<BandTask, BandAnswer>;

/**
 * Encodes bands of rows as they come, by helpers, and here what they do not get done. Helpers are given rows once they
 * are known to be there: what is handed over to one that then fails is lost.
 */
export class BandEncoding {
  readonly #size: Size;
  readonly #workHere: (task: BandTask) => Promise<BandAnswer>;
  /** How many tasks each of those that are there is at. */
  readonly #tasks = new Map<BandHelper, number>();
  readonly #patience = new StallTimeout();
  /** By bands, which of their strips are counted. */
  readonly #sampled: ReadonlyMap<number, readonly number[]>;
  readonly #hasGaps: boolean;
  readonly #early: number;
  readonly #counts = new Uint32Array(SYMBOLS);
  #counted = 0;
  #coding: CodingTables | undefined;
  #toCount: Band[] = [];
  #toEncode: Band[] = [];
  readonly #intervals = new Map<number, Uint8Array<ArrayBuffer>>();
  /** Memory that is in nobody's use, and for how many bands more it is being made ready. */
  readonly #free: ArrayBuffer[] = [];
  #inPreparation = 0;
  #added = 0;
  #isLost = false;
  #listeners: (() => void)[] = [];

  constructor(size: Size, workHere: (task: BandTask) => Promise<BandAnswer>, helpers: readonly BandHelper[]) {
    this.#size = size;
    this.#workHere = workHere;
    const early = topHeightOf(size) ?? size.height;
    this.#early = Math.ceil(early / BAND_ROWS);
    const { strips, hasGaps } = sampleOf({ ...size, early });
    this.#sampled = byBands(strips);
    this.#hasGaps = hasGaps;
    for (const helper of helpers) this.#welcome(helper);
  }

  /**
   * Adds the next rows: so many as a band has, but for the last.
   *
   * @throws when rows are lost
   */
  async add(rows: Uint8ClampedArray): Promise<void> {
    const rowBytes = 4 * this.#size.width;
    const memory = this.#free.pop() ?? new ArrayBuffer(BAND_ROWS * rowBytes);
    new Uint8ClampedArray(memory).set(rows);
    const band = { index: this.#added++, memory, rows: rows.length / rowBytes };
    if (this.#sampled.has(band.index)) this.#toCount.push(band);
    else this.#toEncode.push(band);
    this.#handOut();
    while (this.#toCount.length + this.#toEncode.length > this.#early + MOST_LATE) await this.#goOn();
  }

  /**
   * Waits until all is encoded.
   *
   * @throws when rows are lost
   */
  async finish(): Promise<EncodedBands> {
    while (this.#intervals.size < this.#added) await this.#goOn();
    if (this.#coding === undefined) throw new Error("a picture has rows");
    const { tables } = this.#coding;
    return {
      tables,
      intervals: Array.from({ length: this.#added }, (_, index) => this.#intervals.get(index)),
    };
  }

  /** Does what there is to do, or waits for those who do it. */
  async #goOn(): Promise<void> {
    if (this.#isLost) throw lost();
    const work = this.#next();
    if (work !== undefined) {
      const task = this.#taskOf(work);
      this.#take(work, await this.#patience.timed(() => this.#workHere(task)));
      await yieldToEventLoop();
    } else {
      const busy = [...this.#tasks].filter(([, tasks]) => tasks > 0).map(([helper]) => helper);
      const news = new Promise<void>((resolve) => this.#listeners.push(resolve));
      if (await this.#patience.isLostOn(busy, news)) throw lost();
    }
  }

  async #welcome(helper: BandHelper): Promise<void> {
    if ((await helper.ask({ kind: "report" })) === undefined) return;
    this.#tasks.set(helper, 0);
    this.#handOut();
  }

  #handOut(): void {
    // A helper that fails, or is let go, would be given one task after the other.
    if (this.#isLost) return;
    for (const helper of this.#tasks.keys()) {
      while ((this.#tasks.get(helper) ?? AT_A_TIME) < AT_A_TIME) {
        const work = this.#next() ?? this.#preparation();
        if (work === undefined) return;
        this.#give(helper, work);
      }
    }
  }

  /** To make memory ready takes as long as to fill it, and whoever decodes is who is waited for. */
  #preparation(): Work | undefined {
    const isEnough = this.#free.length + this.#inPreparation >= MOST_READY;
    if (isEnough || this.#added + this.#inPreparation >= this.#early) return undefined;
    this.#inPreparation++;
    return { kind: "prepare" };
  }

  async #give(helper: BandHelper, work: Work): Promise<void> {
    this.#tasks.set(helper, (this.#tasks.get(helper) ?? 0) + 1);
    const task = this.#taskOf(work);
    const answer = await helper.ask(task, handedOver(task)).catch(() => undefined);
    this.#tasks.set(helper, (this.#tasks.get(helper) ?? 0) - 1);
    if (work.kind === "prepare") this.#inPreparation--;
    if (answer === undefined) this.#isLost = true;
    else this.#take(work, answer);
    this.#handOut();
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #next(): Work | undefined {
    const early = this.#toCount.shift();
    if (early !== undefined) return { kind: "count", band: early };
    const band = this.#coding && this.#toEncode.shift();
    return band && { kind: "encode", band };
  }

  #taskOf(work: Work): BandTask {
    if (work.kind === "prepare") return { kind: "prepare", bytes: 4 * this.#size.width * BAND_ROWS };
    const { memory, rows, index } = work.band;
    const band = { memory, rows };
    if (work.kind === "count") return { kind: "count", band, strips: this.#sampled.get(index) ?? [] };
    if (this.#coding === undefined) throw new Error("nobody knows yet how to encode");
    return { kind: "encode", band, codes: this.#coding.codes };
  }

  #take(work: Work, { memory, made }: BandAnswer): void {
    if (memory === undefined) throw new Error("an answer is of another kind");
    if (work.kind === "count" && made instanceof Uint32Array) {
      addTo(this.#counts, made);
      this.#toEncode.push({ ...work.band, memory });
      this.#counted++;
      if (this.#counted === this.#sampled.size) this.#coding = codingTables(this.#counts, this.#hasGaps);
      return;
    }
    this.#free.push(memory);
    if (work.kind === "encode" && made instanceof Uint8Array) this.#intervals.set(work.band.index, made);
  }
}

/** Strips by the bands that they are in, in which they count from 0. */
function byBands(strips: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const bands = new Map<number, number[]>();
  for (const strip of strips) {
    const index = Math.floor(strip / STRIPS_OF_INTERVAL);
    const others = bands.get(index) ?? [];
    bands.set(index, [...others, strip % STRIPS_OF_INTERVAL]);
  }
  return bands;
}

function lost(): Error {
  return new Error("rows that were handed over are lost");
}
