import type { SplitBy } from "../../../src/shared/protocol.ts";
import { mutateBytes, splice } from "../mutate-bytes.ts";
import { Random } from "../random.ts";
import type { MutatedInput, Mutation } from "../target.ts";
import { PLACES, sharedListModel } from "./hostile/shared-lists.ts";
import { copyOf, type Model } from "./model.ts";
import { PDF_BYTE_MUTATIONS } from "./mutations/bytes.ts";
import { ENCRYPTION_MUTATIONS } from "./mutations/encryption.ts";
import { KEY_MUTATIONS } from "./mutations/keys.ts";
import { LAYOUT_MUTATIONS } from "./mutations/layout.ts";
import { OBJECT_MUTATIONS } from "./mutations/objects.ts";
import { SHARING_MUTATIONS } from "./mutations/sharing.ts";
import { STREAM_MUTATIONS } from "./mutations/streams.ts";
import { NEW_PASSWORD, type Operation } from "./operations.ts";
import type { Seed } from "./seeds.ts";
import { writeModel } from "./write-model.ts";

/** One mutated file and what is done with it. */
export interface FuzzCase extends MutatedInput {
  /** What opens the seed. */
  readonly password: string | undefined;
  readonly operations: readonly Operation[];
  /** Whether the engine reads again what it has written. */
  readonly reread: boolean;
}

const SIZE_LIMIT = 8 * 1024 * 1024;
/** The share of cases whose objects share a long list from the start. */
const SHARED_LISTS = 0.03;
const SIZES = [1000, 3000, 10_000, 20_000];
const FAMILIES: readonly (readonly [weight: number, mutations: readonly Mutation<Model>[]])[] = [
  [30, OBJECT_MUTATIONS],
  [30, KEY_MUTATIONS],
  [20, STREAM_MUTATIONS],
  [15, LAYOUT_MUTATIONS],
  [10, SHARING_MUTATIONS],
  [5, ENCRYPTION_MUTATIONS],
];

/** The case that a seed number and an index determine, whatever came before. */
export function makeCase(seeds: readonly Seed[], seedNumber: number, index: number): FuzzCase {
  const random = new Random(seedNumber, index);
  const isShared = random.chance(SHARED_LISTS);
  const seed = isShared ? sharedListSeed(random) : random.pick(seeds);
  const log = [seed.name];
  let input = seed.bytes;
  if (seed.model && random.chance(isShared ? 0.3 : 0.8)) {
    const model = copyOf(seed.model);
    mutateModel(model, random, log);
    input = writeModel(model);
  }
  if ((log.length === 1 && !isShared) || random.chance(0.12)) {
    const changed = mutateBytes(input, random, PDF_BYTE_MUTATIONS);
    input = changed.bytes;
    log.push(...changed.log);
  }
  if (input.length > 0 && random.chance(0.03)) {
    const other = random.pick(seeds);
    input = splice(input, other.bytes, random);
    log.push(`a piece of ${other.name} inside`);
  }
  return {
    index,
    input: input.subarray(0, SIZE_LIMIT),
    password: seed.password,
    log,
    operations: operationsOn(seed, random),
    reread: random.chance(0.3),
  };
}

/** A document of objects that share a long list. */
function sharedListSeed(random: Random): Seed {
  const place = random.pick(Object.keys(PLACES));
  const sizes = { owners: random.pick(SIZES), entries: random.pick(SIZES) };
  const encrypted = random.chance(0.2);
  const model = sharedListModel(place, sizes, { packed: random.chance(0.5), encrypted });
  const name = `crowded: ${place}, ${sizes.owners} × ${sizes.entries}`;
  return { name, bytes: writeModel(model), password: encrypted ? "" : undefined, model };
}

/** Changes a model in some ways, and logs them. */
export function mutateModel(model: Model, random: Random, log: string[]): void {
  const encrypted = model.trailer.includes("/Encrypt");
  const weights = FAMILIES.map(([weight, family]) =>
    encrypted && family === ENCRYPTION_MUTATIONS ? 30 : weight,
  );
  const total = sumOf(weights);
  for (let count = random.pick([1, 1, 1, 2, 2, 3, 5, 8]); count > 0; count--) {
    const place = random.below(total);
    const family =
      FAMILIES.find((_, index) => place < sumOf(weights.slice(0, index + 1)))?.[1] ?? OBJECT_MUTATIONS;
    const description = random.pick(family)(model, random);
    if (description !== undefined) log.push(description);
  }
}

const SPLITS: readonly SplitBy[] = [
  ...["1,last", "1,last", "1-", "all", "odd"].map((pages) => ({ kind: "pages", pages }) as const),
  { kind: "every", count: 2 },
  { kind: "outline" },
  { kind: "size", maxBytes: 5000 },
];

function operationsOn({ password }: Seed, random: Random): readonly Operation[] {
  return [
    { kind: "protect", password: NEW_PASSWORD },
    { kind: "unlock", password: password ?? "" },
    { kind: "split", by: random.pick(SPLITS), password },
    { kind: "repair", password },
    { kind: "merge", password },
    { kind: "inspect", password },
    { kind: "clean", flatten: random.chance(0.5), password },
  ];
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
