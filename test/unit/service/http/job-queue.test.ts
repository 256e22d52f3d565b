import { expect, test } from "vitest";
import { JobQueue } from "../../../../service/http/job-queue.ts";

const { signal } = new AbortController();

test("jobs start in order, also when one that waits gives up", async () => {
  const queue = new JobQueue(1, 4);
  const running = queue.add();
  await running.start(signal);
  const started: string[] = [];
  const leaving = new AbortController();
  const left = queue.add();
  const gone = left.start(leaving.signal).finally(() => left.end());
  const jobs = ["A", "B", "C"].map((name) => {
    const job = queue.add();
    return job.start(signal).then(() => {
      started.push(name);
      job.end();
    });
  });
  leaving.abort(new Error("the caller is gone"));
  await expect(gone).rejects.toThrow("the caller is gone");
  expect(started).toEqual([]);
  running.end();
  await Promise.all(jobs);
  expect(started).toEqual(["A", "B", "C"]);
});

test("a slot is free again when no job waits for it", async () => {
  const queue = new JobQueue(1, 0);
  for (let round = 0; round < 2; round++) {
    const job = queue.add();
    expect(() => queue.add()).toThrow(expect.objectContaining({ code: "rate_limited" }));
    await job.start(signal);
    job.end();
  }
});
