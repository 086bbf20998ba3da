import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/lib/json.ts";
import { makeDemo } from "../../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../../src/localnet/demo/playDemo.ts";
import { type Json, openProvedStage, type ProvedStage } from "../../../kit/api/v3/provedStage.ts";

let stage: ProvedStage;

beforeAll(async () => {
  stage = await openProvedStage(async (chain) => {
    await playDemo(chain.net, makeDemo(chain.net.keys));
  });
});

afterAll(() => stage?.close());

const rowsOf = (result: JsonValue | undefined, name: string) => (Object(result) as Json)[name] as readonly Json[];

async function prove(path: string): Promise<{ readonly result: Json; readonly proof: Json }> {
  const { status, body } = await stage.ask(`${path}&proof=1&proof_since=0`);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return { result: body.result as Json, proof: body.proof as Json };
}

describe("tokens of the index with proofs", () => {
  it.each([
    ["jetton/masters", "jetton_masters", ["total_supply", "mintable", "admin_address", "jetton_wallet_code_hash"]],
    ["jetton/wallets", "jetton_wallets", ["balance", "owner", "jetton"]],
    ["nft/collections", "nft_collections", ["owner_address", "next_item_index"]],
    ["nft/items", "nft_items", ["init", "index", "collection_address", "owner_address"]],
  ])("%s say of themselves what is shown, and nothing else comes through", async (name, list, fields) => {
    const path = `${name}?limit=5`;
    const { result, proof } = await prove(path);
    const own = rowsOf(await stage.check(path, { result, proof }), list);
    const all = ["address", ...fields, "code_hash", "data_hash"];
    expect(own.length).toBeGreaterThan(0);
    expect(own).toEqual(
      rowsOf(result, list).map((row) => Object.fromEntries(all.map((field) => [field, row[field] ?? null]))),
    );
    for (const field of all) {
      const [first = {}, ...others] = rowsOf(result, list);
      const value = first[field];
      const wrong = { ...first, [field]: typeof value === "boolean" ? !value : `${value}1` };
      const changed = stage.check(path, { result: { ...result, [list]: [wrong, ...others] }, proof });
      await expect(changed, field).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
    }
  });

  it("are refused where they were not asked for", async () => {
    const { result, proof } = await prove("jetton/wallets?limit=2");
    const [{ owner = "" } = {}] = rowsOf(result, "jetton_wallets");
    const other = String(owner) === `0:${"5".repeat(64)}` ? "6" : "5";
    const path = `jetton/wallets?owner_address=0:${other.repeat(64)}&limit=2`;
    await expect(stage.check(path, { result, proof })).rejects.toMatchObject({ code: "verify/incomplete" });
    const { status } = await stage.ask("nft/items?include_on_sale=true&limit=2&proof=1");
    expect(status).toBe(422);
  });
});
