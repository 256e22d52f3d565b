import { describe, expect, it } from "vitest";
import { OutputNames } from "../../../../../workers/pdf/copy/output-names.ts";

describe("the names in an output of several documents", () => {
  it("get a number that no document has taken, the same for each use", () => {
    const names = new OutputNames(true);
    for (const name of ["total", "total#2"]) expect(names.of("field", name)).toBe(name);
    names.nextDocument([]);
    expect(names.of("field", "total")).toBe("total#3");
    expect(names.of("field", "total")).toBe("total#3");
    expect(names.of("field", "total#2")).toBe("total#2#2");
    names.nextDocument([]);
    expect(names.of("field", "total")).toBe("total#4");
  });

  it("have structure parent keys after those of earlier documents", () => {
    const names = new OutputNames(true);
    names.nextDocument([0, 7, 3]);
    expect(names.nextStructureKey).toBe(8);
    // A document without tags takes none. Those of hostile files do not count.
    names.nextDocument([]);
    expect(names.nextStructureKey).toBe(8);
    names.nextDocument([2 ** 40, 1]);
    expect(names.nextStructureKey).toBe(10);
  });
});
