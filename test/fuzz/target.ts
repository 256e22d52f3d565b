import type { Random } from "./random.ts";
import type { Tally } from "./tally.ts";

/** A part of Stayput that is fuzzed: it makes cases, runs them, and says what must not happen. */
export interface Target {
  /** The fuzzed part of the product, for the help. */
  readonly about: string;
  /** Loads its code, makes its seeds and starts what runs the cases. */
  start(settings: Settings): Promise<StartedTarget>;
}

export interface Settings {
  /** A folder of real files that mutations start from. */
  readonly folder: string | undefined;
  readonly seedNumber: number;
  /** The share of cases whose outputs native tools judge. */
  readonly checked: number;
  readonly tally: Tally;
}

/** A target that is ready for cases. */
export interface StartedTarget {
  /** The number of files, or forms, that mutations start from. */
  readonly seeds: number;
  /**
   * Makes the case of that index, runs it, and reports to the tally.
   *
   * @returns what the case is: its seed, and every change to it
   */
  examine(index: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A mutated input. The seed number and the index determine it. */
export interface MutatedInput {
  readonly index: number;
  readonly input: Uint8Array;
  /** The seed and every change to it. */
  readonly log: readonly string[];
}

/** How a run ended. Every kind but the first two must not happen. */
export type Outcome =
  | { readonly kind: "files" }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error" | "unreadable output" | "hang" | "crash"; readonly message: string };

/** How a run ended, and what it took. */
export interface Run<Ended extends Outcome = Outcome> {
  readonly outcome: Ended | Interrupted;
  readonly milliseconds: number;
  /** The heap afterwards, in bytes. */
  readonly heap: number;
  /** By how much the processes grew meanwhile, in bytes: heap and buffers together. */
  readonly grown: number;
  /** The blocks of code that ran, if they were counted. */
  readonly blocks: readonly string[];
}

/** The end of a run that did not end by itself. */
export type Interrupted = { readonly kind: "hang" | "crash"; readonly message: string };

/** A change to something, with its description. Undefined if there is nothing to change so. */
export type Mutation<Mutable> = (mutable: Mutable, random: Random) => string | undefined;
