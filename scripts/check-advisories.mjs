// Asks a public feed for the advisories of what the package ships, and prints those that advisories.mjs lacks. Ends with
// 1 when there are any, and when the feed does not answer. The feed is one with the API of OSV:
// https://google.github.io/osv.dev/post-v1-query/
//
//   node scripts/check-advisories.mjs <address of the feed> <SBOM>
import { readFileSync } from "node:fs";
import { ADVISORIES } from "./advisories.mjs";

/** The answer to one question has at most 1,000 advisories, and says when there are more. */
const MOST_PAGES = 20;
const TIMEOUT_MS = 60_000;

/**
 * @typedef {object} Component a part of the SBOM
 * @property {string} name
 * @property {string} [version]
 * @property {string} [purl]
 * @property {readonly { type: string, url: string }[]} [externalReferences]
 * @property {readonly { name: string, value: string }[]} [properties]
 */

/** @typedef {{ id: string, aliases?: readonly string[], summary?: string }} Found */

const [feed, sbom] = process.argv.slice(2);
if (feed === undefined || sbom === undefined) {
  console.error("Usage: node scripts/check-advisories.mjs <address of the feed> <SBOM>");
  process.exit(1);
}
/** @type {readonly Component[]} */
const components = JSON.parse(readFileSync(sbom, "utf8")).components;

/** The advisories that were printed, so that a library in two files is printed once. @type {Set<string>} */
const missing = new Set();
const unasked = new Set();
for (const component of components) {
  const question = questionOf(component);
  if (question === undefined) unasked.add(component.name);
  else for (const one of await ask(question)) if (!isListed(component.name, one)) report(component, one);
}
if (unasked.size > 0) console.log(`Not asked, because no version is known: ${[...unasked].join(", ")}`);
console.log(`${components.length} components, ${missing.size} advisories that scripts/advisories.mjs lacks`);
process.exitCode = missing.size > 0 ? 1 : 0;

/**
 * Returns what to ask the feed: by the address in a package registry, else by commit, else by the tag of a release.
 *
 * @param {Component} component
 */
function questionOf({ purl, externalReferences = [], properties = [] }) {
  if (purl !== undefined) return { package: { purl } };
  const property = (/** @type {string} */ name) => properties.find((one) => one.name === name)?.value;
  const commit = property("stayput:commit");
  if (commit !== undefined) return { commit };
  const version = property("stayput:release");
  const url = externalReferences.find(({ type }) => type === "vcs")?.url;
  if (version === undefined || url === undefined) return undefined;
  return { version, package: { ecosystem: "GIT", name: `${url}.git` } };
}

/**
 * @param {object} question
 * @returns {Promise<readonly Found[]>}
 */
async function ask(question) {
  /** @type {Found[]} */
  const found = [];
  let token;
  for (let page = 0; page < MOST_PAGES; page++) {
    /** @type {Response} */
    const response = await fetch(new URL("/v1/query", feed), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...question, ...(token && { page_token: token }) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${feed} answers ${response.status} to ${JSON.stringify(question)}`);
    const { vulns = [], next_page_token } = await response.json();
    found.push(...vulns);
    token = next_page_token;
    if (!token) return found;
  }
  throw new Error(`${feed} has more than ${MOST_PAGES} pages for ${JSON.stringify(question)}`);
}

/**
 * @param {string} library
 * @param {Found} found
 */
function isListed(library, { id, aliases = [] }) {
  return ADVISORIES.some(
    (one) => one.library === library && [id, ...aliases].some((id) => one.ids.includes(id)),
  );
}

/**
 * @param {Component} component
 * @param {Found} found
 */
function report({ name, version }, { id, aliases = [], summary = "" }) {
  const line = `${name} ${version}: ${[id, ...aliases].join(" = ")} ${summary}`;
  if (!missing.has(line)) console.log(line);
  missing.add(line);
}
