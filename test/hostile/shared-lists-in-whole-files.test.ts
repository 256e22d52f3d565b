import { NEW_PASSWORD } from "../fuzz/operations.ts";
import { describeSharedLists } from "./shared-list-suite.ts";

describeSharedLists([
  [{ kind: "protect", password: NEW_PASSWORD }, {}],
  [{ kind: "rewrite", password: undefined }, { packed: true }],
  [{ kind: "inspect", password: undefined }, {}],
  [
    { kind: "unlock", password: "" },
    { packed: true, encrypted: true },
  ],
]);
