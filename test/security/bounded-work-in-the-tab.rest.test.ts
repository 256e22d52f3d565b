import { describeAttacks } from "./attack-suite.ts";
import { ATTACK_CASES, PDF_OPERATIONS, USUAL_OPERATIONS } from "./attack-table.ts";
import { IMAGE_ATTACKS } from "./image-attacks.ts";

/** Whether to run all cases and operations, as before a release. They take half an hour. */
const runsAll = process.env.ALL_ATTACKS !== undefined;

describeAttacks({
  pdfs: ATTACK_CASES.filter(({ runs }) => runsAll || runs === "in CI"),
  operations: runsAll ? PDF_OPERATIONS.map(([operation]) => operation) : USUAL_OPERATIONS,
  images: IMAGE_ATTACKS.filter(({ runs }) => runsAll || runs === "in CI"),
});
