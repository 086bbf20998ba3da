import { describe, expect, it } from "vitest";
import { generatorForm } from "../../../src/api/declare/generatorForms.ts";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { emulateApi } from "../../../src/api/emulate/envelope.ts";
import { liteApi } from "../../../src/api/lite/envelope.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v4Api } from "../../../src/api/v4/envelope.ts";

const documents = {
  v2: makeOpenApi(v2Api),
  v3: makeOpenApi(v3Api),
  v4: makeOpenApi(v4Api),
  emulate: makeOpenApi(emulateApi),
  lite: makeOpenApi(liteApi),
};

interface Found {
  readonly at: string;
  readonly node: Readonly<Record<string, unknown>>;
}

/** All objects of a document but its examples, whose names are not those of schemas. */
function objectsIn(value: unknown, at = ""): Found[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) =>
    name === "example" || name === "examples" ? [] : objectsIn(each, `${at}/${name}`),
  );
  return [{ at, node: value as Found["node"] }, ...inner];
}

describe.each(Object.entries(documents))("the document of %s", (_name, document) => {
  const objects = objectsIn(document).filter(({ at }) => !at.endsWith("/properties"));
  const whereThat = (holds: (node: Found["node"]) => boolean) =>
    objects.flatMap(({ at, node }) => (holds(node) ? [at] : []));

  it("has no constants: generators make texts of booleans and types of texts", () => {
    expect(whereThat((node) => "const" in node)).toEqual([]);
    expect(whereThat(({ type, enum: words }) => type === "boolean" && words !== undefined)).toEqual([]);
  });

  it("has no alternative for the empty text", () => {
    const isEmpty = (each: unknown) => JSON.stringify(Object(each).enum) === '[""]';
    expect(whereThat(({ anyOf }) => Array.isArray(anyOf) && anyOf.some(isEmpty))).toEqual([]);
  });

  it("has no default of alternatives, and no list as default", () => {
    expect(whereThat((node) => "default" in node && "anyOf" in node)).toEqual([]);
    expect(whereThat(({ default: fallback }) => Array.isArray(fallback))).toEqual([]);
  });
});

it.each([
  [{ type: "boolean", const: true }, { type: "boolean" }],
  [
    { type: "string", const: "ok" },
    { type: "string", enum: ["ok"] },
  ],
  [
    {
      description: "a",
      anyOf: [
        { type: "string", pattern: "^b$", contentEncoding: "base64" },
        { type: "string", const: "" },
      ],
    },
    { type: "string", pattern: "^$|^b$", contentEncoding: "base64", description: "a" },
  ],
  [
    { default: "0", anyOf: [{ type: "integer" }, { type: "string" }] },
    { anyOf: [{ type: "integer" }, { type: "string" }] },
  ],
  [
    { default: 5, type: "integer" },
    { default: 5, type: "integer" },
  ],
  [
    {
      anyOf: [
        { type: "string", const: "a" },
        { type: "string", const: "" },
      ],
    },
    { type: "string", enum: ["a", ""] },
  ],
])("%j is written as %j", (schema, form) => {
  expect(generatorForm(schema)).toEqual(form);
});
