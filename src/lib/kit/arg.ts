import { type TSchema, Type } from "typebox";
import { isCoded, LibError } from "../errors.ts";

/** One argument of a request: its JSON Schema and its decoder. */
export interface Arg<T> {
  readonly schema: TSchema;
  /** Whether the request may omit it. */
  readonly required: boolean;
  /** The allowed values, as the end of a sentence "give …". */
  readonly allowed: string;
  /** Returns the value or throws "lib/argument" with the name, the bad value and the allowed values. */
  decode(value: unknown, name: string): T;
}

/** An argument that may be omitted, marked in its type for derived types. */
export type OptionalArg<T> = Arg<T> & { readonly required: false };

/** The arguments of a request by name. */
export type Args = Readonly<Record<string, Arg<unknown>>>;

/** The decoded values of arguments by name. */
export type ArgValues<A extends Args> = { readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

export interface ArgDeclaration<T> {
  readonly schema: TSchema;
  readonly allowed: string;
  /** Returns `undefined` for a value that is not allowed; a coded error it throws becomes the cause of the refusal. */
  readonly read: (value: unknown) => T | undefined;
}

/** Makes a required argument from its schema and its decoder. */
export function makeArg<T>({ schema, allowed, read }: ArgDeclaration<T>): Arg<T> {
  const decode = (value: unknown, name: string): T => {
    const decoded = value === undefined ? undefined : readCoded(read, value, name, allowed);
    if (decoded === undefined) throw refusal(name, value, allowed);
    return decoded;
  };
  return { schema, required: true, allowed, decode };
}

function readCoded<T>(read: (value: unknown) => T, value: unknown, name: string, allowed: string): T {
  try {
    return read(value);
  } catch (cause) {
    throw isCoded(cause) ? refusal(name, value, allowed, cause) : cause;
  }
}

/** The error for a value that is not allowed. */
export function refusal(name: string, value: unknown, allowed: string, cause?: Error): LibError {
  const shown = showValue(value);
  const problem = value === undefined ? "is missing" : `cannot be ${shown}`;
  const why = cause === undefined ? "" : ` (${cause.message})`;
  const data = { argument: name, value: shown, allowed };
  return new LibError("lib/argument", `argument "${name}" ${problem}${why}; give ${allowed}`, { data, cause });
}

/** The bad value as JSON, shortened: an argument may be as long as a request body. */
function showValue(value: unknown): string {
  const text = typeof value === "bigint" ? value.toString() : (JSON.stringify(value, bigintAsText) ?? typeof value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** The same argument, but it may be omitted or null: then its value is `undefined`. */
export function optional<T>(arg: Arg<T>): OptionalArg<T | undefined> {
  return { ...arg, required: false, decode: (value, name) => (isAbsent(value) ? undefined : arg.decode(value, name)) };
}

/** The same argument, but it may be omitted or null: then its value is the default. */
export function withDefault<T>(arg: Arg<T>, fallback: T): OptionalArg<T> {
  const schema = { ...arg.schema, default: typeof fallback === "bigint" ? fallback.toString() : fallback };
  const decode = (value: unknown, name: string) => (isAbsent(value) ? fallback : arg.decode(value, name));
  return { ...arg, schema, required: false, decode };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/**
 * Decodes all arguments of a request and ignores undeclared names. `within` is a prefix such as "mainnet." for
 * arguments that are part of a larger value.
 */
export function decodeArgs<A extends Args>(
  args: A,
  properties: Readonly<Record<string, unknown>>,
  within = "",
): ArgValues<A> {
  const entries = Object.entries(args).map(([name, arg]) => [
    name,
    arg.decode(Object.hasOwn(properties, name) ? properties[name] : undefined, `${within}${name}`),
  ]);
  // The entries are the declared names with their decoded values, which is what the mapped type describes.
  return Object.fromEntries(entries) as ArgValues<A>;
}

/** The JSON Schema of all arguments of a request, as one object. */
export function argsSchema(args: Args): TSchema {
  const entries = Object.entries(args).map(([name, { schema, required }]) => [
    name,
    required ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(entries));
}
