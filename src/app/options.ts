import { type Arg, makeArg } from "../lib/kit/arg.ts";
import { oneOfArg } from "../lib/kit/basicArgs.ts";
import { type LogLevel, logLevels } from "../lib/log.ts";
import { AppError } from "./errors.ts";
import { findNearestName, suggest } from "./nearestName.ts";

/** A setting: its argument, its default, and its description. */
export interface Option<T> {
  readonly arg: Arg<T>;
  /** The default, as written in the configuration file; none: unset. */
  readonly fallback: unknown;
  readonly about: string;
  /** Contains a password, which is never shown. */
  readonly isSecret: boolean;
  /** A flag without a value; has a `--no-` form. */
  readonly isFlag: boolean;
  /** Can be set only in the file, because it is not a single word. */
  readonly isFileOnly: boolean;
  /** The name of its value in help, in capitals. */
  readonly value?: string;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options by name. */
export type OptionValues<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

type Traits = Partial<Pick<Option<unknown>, "isSecret" | "isFlag" | "isFileOnly" | "value">>;

/** Declares an option; one without a default may stay unset. */
export function option<T>(arg: Arg<T>, fallback: undefined, about: string, traits?: Traits): Option<T | undefined>;
export function option<T>(
  arg: Arg<T>,
  fallback: string | number | boolean | object,
  about: string,
  traits?: Traits,
): Option<T>;
export function option<T>(arg: Arg<T>, fallback: unknown, about: string, traits: Traits = {}): Option<T | undefined> {
  return { arg, fallback, about, isSecret: false, isFlag: false, isFileOnly: false, ...traits };
}

export const logLevelOption = (fallback: LogLevel): Option<LogLevel> =>
  option(oneOfArg(logLevels), fallback, "Lowest level of log lines to write.");

/** The text of an option, and its source. */
interface Setting {
  readonly value: unknown;
  /** The source, as the beginning of an error message: `--port`, `TONGATE_PORT`, `"port" in tongate.json`. */
  readonly source: string;
}

export type Settings = ReadonlyMap<string, Setting>;

/** `logLevel` as a flag: `--log-level`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `logLevel` in the environment: `TONGATE_LOG_LEVEL`. */
export function variableOf(name: string): string {
  return `TONGATE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The name of an option's value in help: its own, or one by its type. */
export function valueNameOf(name: string, { value, arg }: Option<unknown>): string {
  if (value !== undefined) return value;
  if (arg.allowed.startsWith("one of ")) return "WORD";
  return name.endsWith("Ms") ? "MS" : "N";
}

/** The words that an option accepts; empty if it accepts others, too. */
export function choicesOf({ arg }: Option<unknown>): readonly string[] {
  return arg.allowed.startsWith("one of ") ? arg.allowed.slice("one of ".length).split(", ") : [];
}

/** The words and options of a command line. */
export interface ParsedFlags {
  readonly words: readonly string[];
  readonly settings: Settings;
}

/** Parses `--name value`, `--name=value`, `--flag` and `--no-flag`; refuses undeclared options. */
export function parseFlags(args: readonly string[], options: Options): ParsedFlags {
  const { own, rest } = parseOwnFlags(args, options);
  refuseUnknownFlag(rest, options);
  return { words: rest, settings: own };
}

/** Refuses an option that is not among `accepted`; suggests the nearest of all options of the command. */
export function refuseUnknownFlag(args: readonly string[], options: Options, accepted: Options = {}): void {
  for (const arg of args) {
    const [flag = ""] = arg.split("=");
    if (!flag.startsWith("--") || findFlag(flag, accepted) !== undefined) continue;
    throw new AppError("app/config", `unknown option ${flag}; ${suggest(flag, [...listFlags(options), "--help"])}`);
  }
}

/** Removes the declared options from a command line and returns the rest unchanged. */
export function parseOwnFlags(args: readonly string[], options: Options): { own: Settings; rest: readonly string[] } {
  const rest: string[] = [];
  const own = new Map<string, Setting>();
  for (let at = 0; at < args.length; at++) {
    const text = args[at] ?? "";
    const equals = text.indexOf("=");
    const flag = equals === -1 ? text : text.slice(0, equals);
    const found = findFlag(flag, options);
    if (found === undefined) {
      rest.push(text);
      continue;
    }
    const inline = equals === -1 ? undefined : text.slice(equals + 1);
    const next = args[at + 1]?.startsWith("--") === true ? undefined : args[at + 1];
    const value = found.option.isFlag ? (inline ?? !found.isNegated) : (inline ?? next);
    if (value === undefined)
      throw new AppError("app/config", `${flag} needs a value; give ${found.option.arg.allowed}`);
    at += found.option.isFlag || inline !== undefined ? 0 : 1;
    own.set(found.name, { value, source: flag });
  }
  return { own, rest };
}

function findFlag(flag: string, options: Options) {
  for (const [name, option] of Object.entries(options)) {
    const isNegated = option.isFlag && flag === flagOf(name).replace("--", "--no-");
    if ((flag === flagOf(name) || isNegated) && !option.isFileOnly) return { name, option, isNegated };
  }
  return undefined;
}

/** All flags; one that is on by default also in its negative form. */
function listFlags(options: Options): string[] {
  return Object.entries(options)
    .filter(([, { isFileOnly }]) => !isFileOnly)
    .flatMap(([name, { isFlag, fallback }]) => {
      const flag = flagOf(name);
      return isFlag && fallback === true ? [flag, flag.replace("--", "--no-")] : [flag];
    });
}

/** The sources of configuration besides the command line. */
export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of a file, `undefined` when there is none. */
  readonly findFile: (path: string) => string | undefined;
  /** Shows a warning; absent where nobody reads it. */
  readonly warn?: (text: string) => void;
}

/**
 * Reads the variables that begin with `TONGATE_`. Unknown ones are ignored with a warning, except those that
 * `isForeign` accepts: other programs use the same prefix. A secret may also be given as `NAME_FILE`, the path of a
 * file that contains it: container platforms provide secrets as files.
 */
export function readVariables(
  { environment, findFile, warn }: ConfigSources,
  options: Options,
  isForeign: (variable: string) => boolean,
): Settings {
  const listed = Object.entries(options).filter(([, { isFileOnly }]) => !isFileOnly);
  const names = new Map(listed.map(([name]) => [variableOf(name), name]));
  const files = new Map(
    listed.filter(([, { isSecret }]) => isSecret).map(([name]) => [`${variableOf(name)}_FILE`, name]),
  );
  const settings = new Map<string, Setting>();
  for (const [variable, value] of Object.entries(environment)) {
    const name = names.get(variable) ?? files.get(variable);
    if (name === undefined && variable.startsWith("TONGATE_") && !isForeign(variable)) {
      // The value may be a secret.
      const nearest = findNearestName(variable, [...names.keys(), ...files.keys()]);
      const advice = nearest === undefined ? "see tongate serve --help" : `did you mean ${nearest}?`;
      warn?.(`the unknown variable ${variable} is ignored; ${advice}`);
    }
    if (name === undefined || value === undefined || value === "") continue;
    const earlier = settings.get(name);
    if (earlier !== undefined) throw new AppError("app/config", `set ${earlier.source} or ${variable}, not both`);
    settings.set(name, {
      value: files.has(variable) ? readSecret(variable, value, findFile) : value,
      source: variable,
    });
  }
  return settings;
}

/** The content of a secret file; editors and `echo` end it with a line break, which is not part of the secret. */
function readSecret(variable: string, path: string, findFile: ConfigSources["findFile"]): string {
  const secret = findFile(path)?.replace(/\r?\n$/, "");
  if (secret === undefined) throw new AppError("app/config", `${variable} names ${path}, which does not exist`);
  if (secret === "") throw new AppError("app/config", `${variable} names ${path}, which is empty`);
  return secret;
}

/** Reads the properties of a configuration file; refuses unknown ones. */
export function readProperties(
  properties: Readonly<Record<string, unknown>>,
  options: Options,
  file: string,
): Settings {
  const settings = new Map<string, Setting>();
  for (const [name, value] of Object.entries(properties)) {
    if (!Object.hasOwn(options, name)) {
      const known = Object.keys(options);
      throw new AppError("app/config", `unknown option "${name}" in ${file}; ${suggest(name, known)}`);
    }
    settings.set(name, { value, source: `"${name}" in ${file}` });
  }
  return settings;
}

/** All options from all sources, later sources take precedence, as written and as decoded. */
export function mergeSettings<O extends Options>(
  options: O,
  sources: readonly Settings[],
): { readonly values: OptionValues<O>; readonly written: Readonly<Record<string, unknown>> } {
  const written: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  for (const [name, { arg, fallback }] of Object.entries(options)) {
    const setting = sources.findLast((source) => source.has(name))?.get(name);
    const value = setting === undefined ? fallback : setting.value;
    written[name] = value;
    values[name] = value === undefined ? undefined : decodeSetting(arg, value, setting?.source ?? name);
  }
  // Each name has its own decoded value, which is what the mapped type describes.
  return { values: values as OptionValues<O>, written };
}

function decodeSetting(arg: Arg<unknown>, value: unknown, source: string): unknown {
  try {
    return arg.decode(value, source);
  } catch (cause) {
    const message = findInner(cause) ?? `${source} cannot be ${JSON.stringify(value)}; give ${arg.allowed}`;
    throw new AppError("app/config", message, { cause });
  }

  /** The precise error inside a value with parts; the whole value may be long and may contain passwords. */
  function findInner(cause: unknown): string | undefined {
    const inner = cause instanceof Error ? cause.cause : undefined;
    return inner instanceof Error ? `${source}: ${inner.message.replace(/^argument /, "")}` : undefined;
  }
}

/** A list of texts in the file; as a flag the same joined by commas. */
export function textsArg<T>(allowed: string, find: (text: string) => T | undefined): Arg<readonly T[]> {
  return makeArg({
    schema: { type: "array", items: { type: "string" } },
    allowed,
    read: (value) => {
      const items: unknown = typeof value === "string" ? value.split(",").filter((text) => text !== "") : value;
      const found = Array.isArray(items)
        ? items.map((item: unknown) => (typeof item === "string" ? find(item.trim()) : undefined))
        : [undefined];
      return found.every((each): each is T & {} => each !== undefined) ? found : undefined;
    },
  });
}

const passwordInAddress = /(:\/\/[^:/@\s]*):[^@/\s]+@/g;
const passwordInQuery = /([?&]password=)[^&#\s]+/gi;

/** Everything as written, in the form of a configuration file, with passwords masked. */
export function showSettings(options: Options, written: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(written).map(([name, value]) => [
    name,
    options[name]?.isSecret === true ? maskPasswords(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function maskPasswords(value: unknown): unknown {
  if (typeof value === "string")
    return value.replace(passwordInAddress, "$1:[masked]@").replace(passwordInQuery, "$1[masked]");
  if (Array.isArray(value)) return value.map(maskPasswords);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskPasswords(each)]));
}
