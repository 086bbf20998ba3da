import { describe, expect, it } from "vitest";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { emulateApi } from "../../../src/api/emulate/envelope.ts";
import { v4Api } from "../../../src/api/v4/envelope.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const versions = [
  { api: "v4", base: v4Api, document: JSON.parse(JSON.stringify(makeOpenApi(v4Api))) as Document },
  { api: "emulate", base: emulateApi, document: JSON.parse(JSON.stringify(makeOpenApi(emulateApi))) as Document },
];

const refsIn = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, each]) => (name === "$ref" ? [String(each)] : refsIn(each)));

it("the example of a map has keys that its pattern allows", () => {
  const { content } = Object(versions[0]?.document.paths["/block/{seqno}/{address}"]?.get?.responses[200]);
  expect(content["application/json"].example.account.balance.currencies).toEqual({ "1000000000": expect.any(String) });
});

describe.each(versions)("the OpenAPI document of $api", ({ base, document }) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );

  it("has every endpoint by each of its methods", () => {
    const declared = base.endpoints.map(({ name, path, methods }) => [
      `/${path ?? name}`,
      methods.map((method) => method.toLowerCase()).toSorted(),
    ]);
    const described = Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(methods).toSorted()]);
    expect(described.toSorted()).toEqual(declared.toSorted());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("describes what each path, query and body has, what comes back, and errors", () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = operation.parameters?.filter((each) => each.in === "path").map(({ name }) => name) ?? [];
      expect(inPath.toSorted(), path).toEqual(named.toSorted());
      expect(operation.summary, path).not.toBe("");
      expect(operation.responses["200"]?.content, path).toBeDefined();
      expect(Object.keys(operation.responses), path).toEqual(expect.arrayContaining(["429", "500"]));
    }
    for (const ref of refsIn(document))
      expect(document.components.schemas).toHaveProperty([ref.replace("#/components/schemas/", "")]);
  });
});

it("describes every field of a request to emulate", () => {
  const emulate = versions.find(({ api }) => api === "emulate");
  const schema = emulate?.document.paths["/emulateTrace"]?.post?.requestBody?.content["application/json"]?.schema;
  const known = ["boc", "ignore_chksig", "with_actions", "include_code_data", "include_address_book"];
  const more = ["include_metadata", "mc_block_seqno", "state_overrides", "now", "vm_log", "value_flow", "on_pending"];
  expect(Object.keys(Object(schema).properties)).toEqual(expect.arrayContaining([...known, ...more]));
});
