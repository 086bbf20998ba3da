import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NodeKind } from "../../../src/contracts/engine/kind.ts";
import { supportedTypes } from "../../../src/contracts/visibility.ts";
import { detailsOf, v3Details } from "../../kit/api/v3/v3Details.ts";

type Schema = Readonly<Record<string, unknown>>;

const folder = join(import.meta.dirname, "../../../src/contracts");

function isKind(value: unknown): value is NodeKind<unknown> {
  const { name, type, showsParts, details } = Object(value);
  return typeof name === "string" && typeof type === "string" && showsParts !== undefined && details !== undefined;
}

/** The kinds that an export is, or has as its parts: the actions of an exchange are declared together. */
function kindsIn(value: unknown): readonly NodeKind<unknown>[] {
  return isKind(value) ? [value] : Object.values(Object(value)).filter(isKind);
}

/** Every declared kind of event, found in the exports of the contract files. */
async function listKinds(): Promise<readonly NodeKind<unknown>[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const modules = await Promise.all(files.map((path) => import(join(folder, path)) as Promise<object>));
  return [...new Set(modules.flatMap((each) => Object.values(each).flatMap(kindsIn)))];
}

const kinds = (await listKinds()).filter(({ type }) => type !== "root" && type !== "empty");

/** The contract's word for the values that a schema accepts. */
function wordOf(schema: Schema): string {
  const { anyOf, type, pattern, items, const: fixed } = schema as { anyOf?: Schema[]; items?: Schema } & Schema;
  if (anyOf !== undefined) {
    return anyOf
      .filter((each) => each.type !== "null")
      .map(wordOf)
      .join("|");
  }
  if (type === "array") return `${wordOf(items ?? {})}[]`;
  if (type === "object") return "properties" in schema ? "object" : "map";
  if (type === "string") return pattern === "^-?[0-9]+$" && fixed === undefined ? "dec" : "string";
  return type === "integer" ? "num" : type === "boolean" ? "bool" : String(type);
}

const plainWords = new Set(["dec", "num", "bool", "map", "null"]);

/** The contract's word for a detail, as precise as a schema can express it. */
function reported(kind: string): string {
  if (kind.endsWith("[]")) return `${reported(kind.slice(0, -2))}[]`;
  return plainWords.has(kind) ? kind : /^[A-Z]/.test(kind) ? "object" : "string";
}

function partOf(schema: Schema): Schema {
  const { anyOf, items } = schema as { anyOf?: Schema[]; items?: Schema };
  return anyOf?.find((each) => each.type === "object") ?? items ?? schema;
}

function expectDetails(type: string, schema: Schema): void {
  const wanted = detailsOf(type);
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const found = Object.entries(properties).map(([name, each]) => [name, wordOf(each), !required.includes(name)]);
  const expected = [...(wanted ?? [])].map(([name, { kind, isOptional }]) => [name, reported(kind), isOptional]);
  expect([type, found.sort()]).toEqual([type, expected.sort()]);
  for (const [name, { kind }] of wanted ?? [])
    if (/^[A-Z]/.test(kind)) expectDetails(kind.replace("[]", ""), partOf(properties[name] ?? {}));
}

describe("the details of actions", () => {
  it.each(kinds.map((kind) => [kind.type, kind] as const))("of %s are those of the contract", (type, { details }) => {
    expectDetails(type, details.schema as Schema);
  });

  it("are declared for every requestable type", () => {
    const declared = new Set(kinds.map(({ type }) => type));
    const wanted = [...supportedTypes(["latest", "tgbtc"])].filter((type) => type !== "unknown");
    expect(wanted.filter((type) => !declared.has(type))).toEqual([]);
    expect(wanted.filter((type) => detailsOf(type) === undefined)).toEqual([]);
    expect(Object.keys(v3Details).length).toBeGreaterThan(60);
  });
});
