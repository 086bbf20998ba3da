import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import type { ApiVersion } from "../../../src/api/declare/ApiVersion.ts";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { emulateApi } from "../../../src/api/emulate/envelope.ts";
import { liteApi } from "../../../src/api/lite/envelope.ts";
import { makeLocalApi } from "../../../src/api/local/localVersion.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v4Api } from "../../../src/api/v4/envelope.ts";

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, { readonly content: Json; readonly headers?: Json }>>;
}
type Json = Readonly<Record<string, { readonly example?: unknown; readonly description?: string }>>;

function operationsOf<S>(version: ApiVersion<S>) {
  const { paths } = JSON.parse(JSON.stringify(makeOpenApi(version))) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return version.endpoints.flatMap((endpoint) =>
    Object.values(paths[`/${endpoint.path}`] ?? {}).map((operation) => ({ endpoint, operation })),
  );
}

describe.each([v2Api, v3Api, v4Api, emulateApi, liteApi, makeLocalApi("loopback")] as readonly ApiVersion<never>[])(
  "the document of $name",
  (version) => {
    const operations = operationsOf(version);

    it("says what every argument means", () => {
      for (const { operation } of operations)
        for (const { description } of operation.parameters ?? []) expect(description).toMatch(/^[A-Z`].+\. .+\.$/s);
    });

    it("has an example of every answer that its schema allows", () => {
      for (const { endpoint, operation } of operations) {
        const example = operation.responses["200"]?.content["application/json"]?.example;
        const schema = endpoint.isBare ? endpoint.result.schema : version.successSchema(endpoint.result.schema);
        expect([endpoint.name, [...Value.Errors(schema, example)].slice(0, 2)]).toEqual([endpoint.name, []]);
        expect([endpoint.name, JSON.stringify(example)]).not.toEqual([
          endpoint.name,
          expect.stringContaining('"string"'),
        ]);
      }
    });

    it("tells of the cursor wherever one is given", () => {
      for (const { endpoint, operation } of operations) {
        const header = operation.responses["200"]?.headers?.["X-Next-Cursor"];
        expect([endpoint.name, header !== undefined]).toEqual([endpoint.name, "cursor" in endpoint.args]);
      }
    });
  },
);
