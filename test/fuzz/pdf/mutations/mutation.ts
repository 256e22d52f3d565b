import type { Model } from "../model.ts";
import type { Random } from "../../random.ts";

/** Changes a model in one way and says how; undefined when there is nothing in it to change so. */
export type Mutation = (model: Model, random: Random) => string | undefined;
