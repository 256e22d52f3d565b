/**
 * How long a job in a browser may take before a test calls it a hang. It only has to tell a hang from a slow machine: the
 * longest job takes 10 s on an idle one.
 */
export const HANG_LIMIT_MS = 5 * 60_000;
