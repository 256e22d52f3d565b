import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import type { OperationName } from "../../../src/http/path.ts";

export type { OperationName };

/** What was answered to a request, however it came. */
export interface Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
}

interface RequestSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody: {
    readonly content: { readonly "multipart/form-data": { readonly schema: RequestSchema } };
  };
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

/** openapi.yaml, as far as it is read here. */
export interface Contract {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> };
}

const SOURCE = readFileSync(new URL("../../../openapi.yaml", import.meta.url), "utf8");
const ID = "openapi.yaml";

/** The contract of this repository. */
export const CONTRACT: Contract = parse(SOURCE);

const schemas = addFormats
  .default(new Ajv2020({ strict: false, allErrors: true }))
  .addSchema(parse(SOURCE), ID);

/** What the standard finds wrong in the contract itself. */
export async function faultsOfContract(): Promise<readonly string[]> {
  const validator = new Validator();
  const { valid, errors = [] } = await validator.validate(parse(SOURCE));
  if (!valid) return [JSON.stringify(errors)];
  try {
    validator.resolveRefs();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** The operation of the contract, and its path. */
export function operationOfContract(name: OperationName): {
  readonly path: string;
  readonly operation: Operation;
} {
  for (const [path, { post }] of Object.entries(CONTRACT.paths)) {
    if (post?.operationId === name) return { path, operation: post };
  }
  throw new Error(`openapi.yaml has no operation ${name}`);
}

/** In what an answer breaks the contract of its operation; nothing when it keeps it. */
export function breaches(name: OperationName, { status, headers, body }: Answer): readonly string[] {
  const { operation } = operationOfContract(name);
  const response = operation.responses[status];
  if (response === undefined) return [`${name} never answers ${status}`];
  const found: string[] = [];
  const type = headers["content-type"];
  if (type !== "application/json") found.push(`the content-type is ${type}`);
  const { [response.$ref.replace(/^.*\//, "")]: shape } = CONTRACT.components.responses;
  for (const [header, { required = false }] of Object.entries(shape?.headers ?? {})) {
    if (required && headers[header] === undefined) found.push(`the header ${header} is missing`);
  }
  const matches = schemas.compile({ $ref: `${ID}${response.$ref}/content/application~1json/schema` });
  if (!matches(body)) found.push(schemas.errorsText(matches.errors));
  return found;
}
