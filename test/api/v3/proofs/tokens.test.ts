import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/lib/json.ts";
import { type Demo, makeDemo } from "../../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../../src/localnet/demo/playDemo.ts";
import { formatRawAddress } from "../../../../src/model/Address.ts";
import { type Json, openProvedStage, type ProvedStage } from "../../../kit/api/v3/provedStage.ts";

let stage: ProvedStage;
let demo: Demo;

beforeAll(async () => {
  stage = await openProvedStage(async (chain) => {
    demo = makeDemo(chain.net.keys);
    await playDemo(chain.net, demo);
  });
});

afterAll(() => stage?.close());

const rowsOf = (result: JsonValue | undefined, name: string) => (Object(result) as Json)[name] as readonly Json[];

async function prove(path: string): Promise<{ readonly result: Json; readonly proof: Json }> {
  const { status, body } = await stage.ask(`${path}&proof=1&proof_since=0`);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return { result: body.result as Json, proof: body.proof as Json };
}

/** The paths of all values in JSON. */
function* pathsIn(json: JsonValue | undefined, path: readonly string[] = []): Iterable<readonly string[]> {
  if (typeof json !== "object" || json === null) yield path;
  else for (const [name, value] of Object.entries(json)) yield* pathsIn(value, [...path, name]);
}

/** JSON with another value at a path. */
function changeAt(json: unknown, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) return typeof json === "boolean" ? !json : typeof json === "number" ? json + 1 : `${json}1`;
  const copy: Json = { ...Object(json), [name]: changeAt(Object(json)[name], rest) };
  return Array.isArray(json) ? Object.values(copy) : copy;
}

/** Every value that is proved, changed: each is refused. */
async function refuseChanges(path: string, { result, proof }: { readonly result: Json; readonly proof: Json }) {
  const proved = await stage.check(path, { result, proof });
  for (const each of pathsIn(proved)) {
    const changed = stage.check(path, { result: changeAt(result, each), proof });
    await expect(changed, each.join(".")).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
  }
  return proved;
}

/** A row without fields that only the index has. */
function provedPart(row: JsonValue, unproved: readonly string[]): JsonValue {
  if (typeof row !== "object" || row === null) return row;
  if (Array.isArray(row)) return row.map((each) => provedPart(each, unproved));
  const kept = Object.entries(row).filter(([name]) => !unproved.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, provedPart(value, unproved)]));
}

const nobody = `0:${"5".repeat(64)}`;

describe("contracts of the index with proofs", () => {
  it.each([
    ["vesting", "vesting_contracts", "contract_address", "wallet_address", (demo: Demo) => demo.vesting.wallet],
    ["multisig/wallets", "multisigs", "address", "wallet_address", (demo: Demo) => demo.multisig.wallet],
    ["multisig/orders", "orders", "address", "multisig_address", (demo: Demo) => demo.multisig.openOrder],
  ] as const)("%s are what their get-methods say at the receiver", async (name, list, key, other, contractOf) => {
    const path = `${name}?${key}=${formatRawAddress(contractOf(demo))}`;
    const answer = await prove(path);
    const proved = await refuseChanges(path, answer);
    expect(rowsOf(proved, list)).toEqual(provedPart(rowsOf(answer.result, list), ["last_transaction_lt"]));
    const elsewhere = stage.check(`${name}?${key}=${nobody}`, answer);
    await expect(elsewhere).rejects.toMatchObject({ code: "verify/incomplete" });
    const others = stage.check(`${name}?${other}=${nobody}`, answer);
    await expect(others).rejects.toMatchObject({ code: "verify/incomplete" });
  });

  it("dns/records are those of an item of a collection that the root of the network names", async () => {
    const items = rowsOf((await stage.ask("nft/items?limit=100")).body, "nft_items");
    const domains = items.flatMap(({ content }) => Object(content).domain ?? []);
    const path = `dns/records?domain=${domains[0]}`;
    const answer = await prove(path);
    const proved = await refuseChanges(path, answer);
    expect(rowsOf(proved, "records")).toEqual(rowsOf(answer.result, "records"));
    const other = stage.check("dns/records?domain=another.ton", answer);
    await expect(other).rejects.toMatchObject({ code: "verify/incomplete" });
  });
});

describe("messages and actions of the index with proofs", () => {
  it("messages are in the transactions that they name", async () => {
    for (const filter of ["limit=20", "limit=5&direction=in&exclude_externals=true", "limit=5&only_externals=true"]) {
      const path = `messages?${filter}`;
      const answer = await prove(path);
      const own = rowsOf(await stage.check(path, answer), "messages");
      const unproved = ["decoded_opcode", "ihr_fee", "extra_flags"];
      const expected = rowsOf(answer.result, "messages").map((row) => {
        const { message_content: content, init_state: init, ...rest } = provedPart(row, unproved) as Json;
        const plain = (each: JsonValue | undefined) => (each === null ? null : provedPart(each ?? null, ["decoded"]));
        return { ...rest, message_content: plain(content), init_state: init ?? null };
      });
      expect([filter, own]).toEqual([filter, expected]);
    }
    const path = "messages?limit=3&direction=out&exclude_externals=true";
    await refuseChanges(path, await prove(path));
  }, 60_000);

  it("messages that were not asked for, or are of another transaction, are refused", async () => {
    const path = "messages?limit=2&exclude_externals=true";
    const { result, proof } = await prove(path);
    for (const other of ["only_externals=true", `source=${nobody}`, "end_lt=1", `msg_hash=${"1".repeat(64)}`]) {
      const checked = stage.check(`messages?limit=2&${other}`, { result, proof });
      await expect(checked, other).rejects.toMatchObject({ code: "verify/incomplete" });
    }
    const [first = {}, second = {}] = rowsOf(result, "messages");
    const swapped = {
      ...first,
      in_msg_tx_hash: second.in_msg_tx_hash ?? null,
      out_msg_tx_hash: second.out_msg_tx_hash ?? null,
    };
    const checked = stage.check(path, { result: { ...result, messages: [swapped, second] }, proof });
    await expect(checked).rejects.toMatchObject({ code: "verify/incomplete" });
  });

  it("actions name transactions of the chain, which come through where they are shown", async () => {
    const path = "actions?limit=5&include_transactions=true";
    const answer = await prove(path);
    const own = rowsOf(await stage.check(path, answer), "actions");
    const shown = rowsOf(answer.result, "actions");
    expect(own.map(({ transactions }) => transactions)).toEqual(shown.map(({ transactions }) => transactions));
    const hashesOf = (row: Json) => rowsOf(row, "transactions_full").map(({ hash }) => hash);
    expect(own.map(hashesOf)).toEqual(shown.map(hashesOf));
    expect(own.map((row) => Object.keys(row))).toEqual(shown.map(() => ["transactions", "transactions_full"]));
    const few = "actions?limit=1&include_transactions=true";
    await refuseChanges(few, await prove(few));
    const other = stage.check(`${few}&tx_hash=${"1".repeat(64)}`, await prove(few));
    await expect(other).rejects.toMatchObject({ code: "verify/incomplete" });
  }, 60_000);

  it("actions whose transactions are said to be elsewhere are refused", async () => {
    const path = "actions?limit=1";
    const { result, proof } = await prove(path);
    const places = proof.places as readonly Json[];
    for (const changed of [
      [],
      places.map((place) => ({ ...place, lt: "1" })),
      places.map((place) => ({ ...place, hash: "AA" })),
    ]) {
      const checked = stage.check(path, { result, proof: { ...proof, places: changed } });
      await expect(checked).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
    }
  });
});

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
