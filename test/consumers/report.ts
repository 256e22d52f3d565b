import { columns } from "../support/columns.ts";

/** How a job ended in a set-up. */
export interface JobRow {
  readonly name: string;
  readonly seconds: number;
  /** Why it failed. */
  readonly complaint?: string;
}

/** How the jobs ended in a set-up, and what it took to get there. */
export interface SetUpRow {
  readonly name: string;
  /** The size of all packages of the app, with its tools. */
  readonly megabytes: number;
  readonly installSeconds: number;
  readonly buildSeconds: number;
  readonly jobs: readonly JobRow[];
}

export function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

/** A table with a line for each set-up. A job's column has its seconds, or says that it failed. */
export function tableOf(rows: readonly SetUpRow[]): string {
  const names = [...new Set(rows.flatMap(({ jobs }) => jobs.map(({ name }) => name)))];
  const lines = [["set-up", "installed", "install", "build", ...names]];
  for (const { name, megabytes, installSeconds, buildSeconds, jobs } of rows) {
    const outcomes = names.map((name) => {
      const job = jobs.find((job) => job.name === name);
      if (job === undefined) return "";
      return job.complaint === undefined ? inSeconds(job.seconds) : "FAILED";
    });
    lines.push([
      name,
      `${megabytes.toFixed(0)} MB`,
      inSeconds(installSeconds),
      inSeconds(buildSeconds),
      ...outcomes,
    ]);
  }
  return columns(lines, (column) => column === 0).join("\n");
}

/** A line for each job that failed. */
export function failuresOf(rows: readonly SetUpRow[]): readonly string[] {
  return rows.flatMap(({ name, jobs }) =>
    jobs.flatMap((job) =>
      job.complaint === undefined ? [] : [`${name}, ${job.name}: ${job.complaint.replaceAll(/\s+/g, " ")}`],
    ),
  );
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}
