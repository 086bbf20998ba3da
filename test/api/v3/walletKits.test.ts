import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { openV3Stage, raw, tokens, type V3Stage } from "../../kit/api/v3/v3Stage.ts";

let stage: V3Stage;
beforeAll(async () => {
  stage = await openV3Stage("postgres");
});
afterAll(() => stage.close());

type Json = Readonly<Record<string, unknown>>;

async function list(path: string, key: string): Promise<readonly Json[]> {
  const response = await fetch(`${stage.server.origin}/api/v3/${path}`);
  return Object(await response.json())[key];
}

describe("features that wallet kits rely on", () => {
  it.each(["/accountStates", "/walletStates"])("%s requires an address, and its document shows it", async (path) => {
    const { get } = Object(Object(makeOpenApi(v3Api).paths)[path]);
    const address = (get.parameters as readonly Json[]).find(({ name }) => name === "address");
    expect(address?.required).toBe(true);
    const response = await fetch(`${stage.server.origin}/api/v3${path}`);
    expect([response.status, await response.json()]).toEqual([
      422,
      { code: 422, error: "address of account is required" },
    ]);
  });

  it("a jetton has extra before its document was fetched, and when it could not be", async () => {
    const ask = async (path: string) =>
      Object(await (await fetch(`${stage.server.origin}/api/v3/${path}`)).json()) as Record<string, unknown>;
    const master = raw(tokens.master);
    const run = (statement: string) => stage.database.write((session) => session.run(statement));
    await run("update address_metadata set valid = false");
    expect((await ask(`metadata?address=${master}`))[master]).toEqual({
      is_indexed: true,
      token_info: [{ valid: false, type: "jetton_masters", extra: {} }],
    });
    await run("delete from address_metadata");
    const bare = { is_indexed: false, token_info: [{ type: "jetton_masters", extra: {} }] };
    // In another form, so that no answer in the cache is meant.
    expect((await ask(`metadata?address=${master.toLowerCase()}`))[master]).toEqual(bare);
    const { metadata } = await ask(`jetton/masters?address=${master}`);
    expect(metadata).toEqual({ [master]: bare });
  });

  it("a finalized transaction names the external message of its trace", async () => {
    const traces = await list("traces?limit=1000&include_actions=false", "traces");
    const externals = new Map(traces.map(({ trace_id: id, external_hash: hash }) => [id, hash ?? undefined]));
    const transactions = await list("transactions?limit=1000", "transactions");
    const found = transactions.map(({ trace_id: id, trace_external_hash: hash }) => [id, hash]);
    expect(found).toEqual(transactions.map(({ trace_id: id }) => [id, externals.get(id)]));
    expect(found.filter(([, hash]) => hash !== undefined).length).toBeGreaterThan(0);
  });
});
