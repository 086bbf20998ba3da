import type { Json } from "../demoStage.ts";

/**
 * Types in the notation of the contract: `dec` decimal text, `num` number, `addr`, `hash`, `boc`, or the name of
 * another type; `T[]` a list, `{T}` an object with any keys, `T?` optional, `T|null` nullable.
 */
export type Fields = Readonly<Record<string, string>>;
export type Types = Readonly<Record<string, Fields>>;

const patterns: Readonly<Record<string, RegExp>> = {
  addr: /^-?[0-9]+:[0-9A-F]{64}$/,
  hash: /^[A-Za-z0-9+/]{43}=$/,
  dec: /^-?(?:0|[1-9][0-9]*)$/,
  boc: /^te6cc[A-Za-z0-9+/]+={0,2}$/,
  shard: /^[1-9A-F][0-9A-F]{0,15}$/,
  opcode: /^0x[0-9a-f]{8}$/,
  hex: /^(?:[0-9a-f]{2})+$/,
  key: /^[0-9A-F]{64}$/,
  hex0x: /^0x[0-9a-f]*$/,
  friendly: /^[A-Za-z0-9_-]{48}$/,
  status: /^(?:active|uninit|frozen|nonexist)$/,
  finality: /^(?:pending|confirmed|finalized)$/,
  change: /^(?:unchanged|frozen|deleted)$/,
};

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  num: Number.isSafeInteger,
  float: Number.isFinite,
  bool: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  null: (value) => value === null,
  object: isObject,
  map: (value) =>
    isObject(value) && Object.entries(value).every((entry) => entry.every((each) => /^\d+$/.test(String(each)))),
};

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Fields of the same type: `of("bool", "bounce bounced")`. */
export function of(notation: string, names: string): Fields {
  return Object.fromEntries(names.split(" ").map((name) => [name, notation]));
}

/** The paths where a value does not match its notation, each type and place once. */
export function differencesFrom(types: Types, notation: string, value: unknown): readonly string[] {
  const found = new Set<string>();
  check({ types, found }, notation, value, notation);
  return [...found].toSorted();
}

interface Checking {
  readonly types: Types;
  readonly found: Set<string>;
}

function check(checking: Checking, notation: string, value: unknown, path: string): void {
  const { types, found } = checking;
  const wrong = () => void found.add(`${path}: ${JSON.stringify(value)?.slice(0, 80)} is no ${notation}`);
  if (notation.endsWith("|null")) {
    if (value !== null) check(checking, notation.slice(0, -5), value, path);
  } else if (notation.endsWith("[]")) {
    if (!Array.isArray(value)) wrong();
    else for (const each of value) check(checking, notation.slice(0, -2), each, `${path}[]`);
  } else if (notation.startsWith("{")) {
    if (!isObject(value)) wrong();
    else for (const each of Object.values(value)) check(checking, notation.slice(1, -1), each, `${path}{}`);
  } else if (types[notation] !== undefined) {
    if (!isObject(value)) wrong();
    else checkFields(checking, notation, value);
  } else {
    const pattern = patterns[notation];
    const isOne = pattern ? typeof value === "string" && pattern.test(value) : kinds[notation]?.(value);
    if (isOne !== true) wrong();
  }
}

function checkFields(checking: Checking, name: string, value: Json): void {
  const fields = checking.types[name] ?? {};
  for (const [key, notation] of Object.entries(fields)) {
    const own = value[key];
    if (own !== undefined) check(checking, notation.replace(/\?$/, ""), own, `${name}.${key}`);
    else if (!notation.endsWith("?")) checking.found.add(`${name}.${key}: absent`);
  }
  for (const key of Object.keys(value)) if (!Object.hasOwn(fields, key)) checking.found.add(`${name}.${key}: unknown`);
}
