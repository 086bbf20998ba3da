import { describe, expect, it } from "vitest";
import { readApiFacts } from "../../scripts/apiFacts.ts";
import { compareWithOurs, findMissing } from "../../scripts/compareOpenApi.ts";
import { makeOpenApi } from "../../src/api/declare/openapi.ts";
import { v3Api } from "../../src/api/v3/envelope.ts";

const row = {
  type: "object",
  properties: {
    hash: { type: "string" },
    parent: { $ref: "#/definitions/Row" },
    by_name: { type: "object", additionalProperties: { type: "object", properties: { size: { type: "integer" } } } },
    decoded: { type: "object" },
  },
};

const swagger = {
  swagger: "2.0",
  basePath: "/api/v3",
  paths: {
    "/rows": {
      get: {
        parameters: [
          { name: "limit", in: "query" },
          { name: "X-Key", in: "header" },
          { name: "old", in: "query" },
        ],
        responses: {
          200: { schema: { properties: { rows: { type: "array", items: { $ref: "#/definitions/Row" } } } } },
        },
      },
    },
    "/send": {
      post: {
        parameters: [{ name: "body", in: "body", schema: { properties: { boc: { type: "string" } } } }],
        responses: { 200: { schema: { type: "string" } } },
      },
    },
    "/gone": { get: { responses: {} } },
  },
  definitions: { Row: row },
};

const json = (schema: object) => ({ content: { "application/json": { schema } } });

const openApi = {
  openapi: "3.1.0",
  paths: {
    "/rows": {
      parameters: [{ $ref: "#/components/parameters/limit" }],
      get: {
        responses: {
          200: json({
            properties: {
              rows: {
                type: "array",
                items: { allOf: [{ properties: { hash: { type: "string" } } }, { $ref: "#/components/schemas/More" }] },
              },
              next: { type: ["string", "null"] },
            },
          }),
        },
      },
    },
    "/send": { post: { requestBody: json({ properties: { boc: {}, mode: {} } }), responses: { 200: json({}) } } },
  },
  components: {
    parameters: { limit: { name: "limit", in: "query" } },
    schemas: {
      More: {
        properties: {
          parent: { type: "object" },
          by_name: { patternProperties: { ".*": { properties: { weight: {} } } } },
          decoded: { properties: { comment: {} } },
        },
      },
    },
  },
};

describe("the comparison of API documents", () => {
  const [one, other] = [readApiFacts(swagger), readApiFacts(openApi)];

  it("finds operations, parameters and fields that the other document lacks", () => {
    expect(findMissing(one, other)).toEqual({
      operations: ["GET /gone"],
      parameters: [["GET /rows", ["old"]]],
      fields: [["GET /rows", ["rows[].by_name{}.size"]]],
    });
    // Nothing is said about fields of values that the other document does not describe.
    expect(findMissing(other, one)).toEqual({
      operations: [],
      parameters: [["POST /send", ["mode"]]],
      fields: [["GET /rows", ["rows[].by_name{}.weight", "next"]]],
    });
  });

  it("takes of a value of several kinds the one that the other document has", () => {
    const kinds = [{ properties: { a: {}, b: {} } }, { properties: { c: {}, d: {} } }, { type: "string" }];
    const union = readApiFacts({ paths: { "/x": { get: { responses: { 200: json({ oneOf: kinds }) } } } } });
    const plain = readApiFacts({ paths: { "/x": { get: { responses: { 200: json({ properties: { c: {} } }) } } } } });
    expect(findMissing(union, plain).fields).toEqual([["GET /x", ["d"]]]);
  });

  it("finds nothing between our document and itself, and what is taken out of it", () => {
    const document = JSON.parse(JSON.stringify(makeOpenApi(v3Api)));
    const nothing = "only in the published document, not in v3 here: nothing\nonly in v3 here: nothing\n";
    expect(compareWithOurs(document)).toEqual({ text: nothing, isLevel: true });
    delete document.paths["/nft/sales"];
    document.paths["/newest"] = { get: { responses: {} } };
    expect(compareWithOurs(document)).toEqual({
      text: "only in the published document, not in v3 here:\n  operation GET /newest\nonly in v3 here:\n  operation GET /nft/sales\n",
      isLevel: false,
    });
  });

  it.each([[{}], ["text"], [null], [{ paths: { "/unknown": { get: { responses: {} } } } }]])(
    "refuses %j",
    (document) => {
      expect(() => compareWithOurs(document)).toThrow(/no OpenAPI document|shares no operation/);
    },
  );
});
