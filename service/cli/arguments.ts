import { parseArgs } from "node:util";
import { flag } from "../../src/fields.ts";
import { invalidParameter } from "../../src/shared/failure.ts";
import { type KeyPolicy, knownValues } from "../../src/shared/known-keys.ts";
import type { Command } from "./commands.ts";
import { type Option, type Options, optionsOf, ownersOf, type SettingName } from "./options.ts";
import { isSecret, SECRET_VARIABLES, type SecretName, secretRefused } from "./secrets.ts";

/** What the arguments of a command say. */
export interface Arguments {
  /** Files and patterns, in order. */
  readonly files: readonly string[];
  /** The fields that are given, as text. One that is given several times is a list, as in a form. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** The files of the secrets that are given. `-` is the standard input. */
  readonly secretFiles: ReadonlyMap<SecretName, string>;
  /** The path of the option `output`. */
  readonly output: string | undefined;
  readonly switches: ReadonlySet<SettingName>;
}

/** An option as it was given. */
interface Given {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads the arguments of a command. The values of fields stay text: what reads forms checks them.
 *
 * @param args those after the name of the command
 * @throws {ServiceError} `invalid_parameter` for an option that is not known, for one without its value, and for a
 *   password
 */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const options = optionsOf(command);
  const tokens = tokensOf(options, args);
  const files: string[] = [];
  const given: Given[] = [];
  checkKnown(options, tokens);
  for (const token of tokens) {
    if (token.kind === "positional") files.push(token.value);
    const option = token.kind === "option" ? options[token.name] : undefined;
    if (token.kind === "option" && option !== undefined)
      given.push({ name: token.name, value: givenValue(token, option) });
  }
  return { files, ...sorted(options, given) };
}

type Tokens = ReturnType<typeof tokensOf>;
type OptionToken = Extract<Tokens[number], { readonly kind: "option" }>;

/** Not strict, because a value may begin with a dash: `--rotate -90`. */
function tokensOf(options: Options, args: readonly string[]) {
  const config = Object.entries(options).map(([name, { kind, short }]) => [
    name,
    { type: kind === "switch" ? "boolean" : "string", ...(short !== undefined && { short }) },
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(config),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

function checkKnown(options: Options, tokens: Tokens): void {
  const secrets = Object.keys(SECRET_VARIABLES).filter(isSecret);
  const refused = new Map(secrets.map((name) => [name.replace("_", "-"), name]));
  const names: Record<string, true> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const secret = refused.get(token.name);
    if (secret !== undefined) throw secretRefused(secret);
    names[Object.hasOwn(options, token.name) ? `--${token.name}` : token.rawName] = true;
  }
  const policy: KeyPolicy = { noun: "option", others: "refused", ownersOf: (key) => ownersOf(key.slice(2)) };
  // The names of the secrets are known, so that a misspelled one leads to the sentence that says what to do.
  const known = [...Object.keys(options), ...refused.keys()].map((name) => `--${name}`);
  knownValues(names, known, policy);
}

function givenValue({ name, value, inlineValue }: OptionToken, { kind }: Option): string {
  if (kind === "switch") return String(flag(value ?? "true", `--${name}`));
  if (value === undefined || (!inlineValue && value.startsWith("--")))
    throw invalidParameter(`--${name}`, `The option "--${name}" needs a value: --${name}=VALUE.`);
  return value;
}

/** Sorts the values of options by what they are for. */
function sorted(options: Options, given: readonly Given[]): Omit<Arguments, "files"> {
  const fields = new Map<string, string[]>();
  const secretFiles = new Map<SecretName, string>();
  const switches = new Set<SettingName>();
  let output: string | undefined;
  for (const { name, value } of given) {
    const { target, kind } = options[name] ?? {};
    if (target?.kind === "field") fields.set(target.name, [...(fields.get(target.name) ?? []), value]);
    else if (target?.kind === "secret") secretFiles.set(target.name, value);
    else if (kind === "value") output = value;
    else if (value === "true") switches.add(name as SettingName);
    else switches.delete(name as SettingName);
  }
  const texts = [...fields].map(([name, list]) => [name, list.length > 1 ? list : list[0]]);
  return { fields: Object.fromEntries(texts), secretFiles, output, switches };
}
