import { splitPages } from "../fuzz/operations.ts";
import { describeSharedLists } from "./shared-list-suite.ts";

describeSharedLists([
  [splitPages("1"), {}],
  [splitPages("1-"), { packed: true }],
  [splitPages("all"), { packed: true }],
  [{ kind: "split", by: { kind: "size", maxBytes: 5000 }, password: undefined }, { packed: true }],
]);
