import { describeAttacks } from "./attack-suite.ts";
import { ATTACK_CASES, USUAL_OPERATIONS } from "./attack-table.ts";
import { IMAGE_ATTACKS } from "./image-attacks.ts";

// bounded-work.alone.test.ts and test/hostile try such files in Node. Here, some show that the same holds in a tab.
describeAttacks({
  pdfs: ATTACK_CASES.filter(({ runs }) => runs === "always"),
  operations: USUAL_OPERATIONS,
  images: IMAGE_ATTACKS.filter(({ runs }) => runs === "always"),
});
