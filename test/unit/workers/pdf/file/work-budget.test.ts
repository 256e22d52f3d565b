import { describe, expect, it } from "vitest";
import { WorkBudget } from "../../../../../workers/pdf/file/work-budget.ts";

const MB = 1024 * 1024;

describe("WorkBudget", () => {
  it("refuses objects after 48 MB and 12 times the file", () => {
    const budget = new WorkBudget(MB);
    budget.charge("byte", 60 * MB);
    expect(() => budget.charge("byte")).toThrow(/objects overlap/);
  });

  it("charges a unit of each kind", () => {
    const budget = new WorkBudget(0);
    budget.charge("entry", 6 * MB - 21);
    // 8, and the memory: 160.
    budget.charge("part");
    expect(() => budget.charge("writtenByte")).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  it("refuses page content with a message of its own", () => {
    const budget = new WorkBudget(0);
    budget.content.charge("byte", (64 + 48 / 4) * MB);
    expect(() => budget.content.charge("byte")).toThrow(/pages unpack to so much content/);
  });

  it("charges memory for the first reading of parts only", () => {
    const parts = 280_000;
    const budget = new WorkBudget(0);
    budget.repeated.charge("part", parts);
    budget.charge("part", parts);
    expect(() => budget.charge("part", parts)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  it("starts again for a rebuilt document", () => {
    const budget = new WorkBudget(0);
    budget.charge("byte", 48 * MB);
    budget.renew();
    budget.charge("byte", 48 * MB);
    expect(() => budget.charge("byte")).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });
});
