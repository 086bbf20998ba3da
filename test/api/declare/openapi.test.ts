import { describe, expect, it } from "vitest";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { answerError } from "../../../src/api/v2/errors.ts";
import { errorsOfAllCodes } from "../../kit/api/allErrors.ts";

const document = JSON.parse(JSON.stringify(makeOpenApi(v2Api)));

function findRefs(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (name === "$ref" ? [String(each)] : findRefs(each)));
}

describe("the OpenAPI document", () => {
  it("has every endpoint by each of its methods, and JSON-RPC", () => {
    for (const { name, methods, tag, summary } of v2Api.endpoints) {
      const path = document.paths[`/${name}`];
      expect(Object.keys(path).toSorted()).toEqual(methods.map((method) => method.toLowerCase()).toSorted());
      for (const operation of Object.values<{ tags: string[]; summary: string }>(path))
        expect([operation.tags, operation.summary]).toEqual([[tag], summary]);
    }
    expect(
      document.paths["/jsonRPC"].post.requestBody.content["application/json"].schema.anyOf[0].properties.method.enum,
    ).toEqual(v2Api.endpoints.filter(({ methods }) => methods.includes("POST")).map(({ name }) => name));
  });

  it("describes an endpoint completely: arguments, answer and errors", () => {
    const { get, post } = document.paths["/detectHash"];
    expect(get.operationId).toBe("detectHash");
    expect(get.parameters).toEqual([
      expect.objectContaining({
        name: "hash",
        in: "query",
        required: true,
        schema: expect.objectContaining({ type: "string" }),
      }),
    ]);
    expect(post.requestBody.content["application/json"].schema).toMatchObject({ type: "object", required: ["hash"] });
    expect(get.responses["200"].content["application/json"].schema).toMatchObject({
      type: "object",
      required: ["ok", "result", "@extra"],
      properties: { ok: { type: "boolean" }, result: { $ref: "#/components/schemas/ext.utils.detectedHash" } },
    });
    const statuses = [200, 400, 401, 403, 408, 413, 414, 422, 429, 431, 500, 503, 504, 542];
    expect(Object.keys(get.responses)).toEqual(statuses.map(String));
    expect(get.responses["429"].content["application/json"].schema).toEqual({ $ref: "#/components/schemas/Error" });
    expect(document.components.schemas["ext.utils.detectedHash"]).toMatchObject({
      type: "object",
      properties: { "@type": { type: "string", enum: ["ext.utils.detectedHash"] }, hex: { type: "string" } },
    });
  });

  it("lists every status of the error table, and the other paths of JSON-RPC", async () => {
    const { description, responses } = document.paths["/jsonRPC"].post;
    const known = new Set((await errorsOfAllCodes("text")).map((error) => String(answerError(error).status)));
    expect(Object.keys(responses).filter((status) => status !== "200")).toEqual([...known].toSorted());
    expect(description).toContain("`POST /`");
    for (const { description: text } of Object.values<{ description: string }>(responses))
      expect(text).not.toBe("An error");
  });

  it("has no dangling reference and no duplicate name, and marks extra endpoints", () => {
    for (const ref of findRefs(document))
      expect(document.components.schemas).toHaveProperty([ref.replace("#/components/schemas/", "")]);
    expect(Object.values(document.components.schemas)).not.toContain(undefined);
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.paths["/healthcheck"].get.description).toContain("Not part of the published interface.");
  });
});
