import { buildDemosOnce } from "../../scripts/built.mjs";

/** Builds the demo before the tests of it. */
export default buildDemosOnce;
