import { type KeyPair, mnemonicToPrivateKey } from "@ton/crypto";
import { Address, beginCell, external, internal, SendMode, storeMessage, TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";

const patience = { timeout: 300_000, interval: 200 };

let service: StartedService;
let demo: ReadonlyMap<string, string>;
let demoEnd: number;

beforeAll(async () => {
  service = await startService({ engine: "embedded", flags: ["--index"], isNew: true });
  const { result } = await ask<{ result: readonly { readonly name: string; readonly address: string }[] }>(
    "/localnet/demo",
  );
  demo = new Map(result.map(({ name, address }) => [name, address.toUpperCase()]));
  const { result: info } = await ask<{ result: { last: { seqno: number } } }>("/api/v2/getMasterchainInfo");
  demoEnd = info.last.seqno;
  // The demo set is complete when the service reports that it runs.
  const newest = async () => (await ask<{ last?: { seqno: number } }>("/api/v3/masterchainInfo")).last?.seqno ?? 0;
  while ((await newest()) < demoEnd) await systemClock.sleep(200);
});

afterAll(() => service.close());

async function ask<T>(path: string): Promise<T> {
  return (await (await fetch(`${service.origin}${path}`)).json()) as T;
}

const part = (name: string) => encodeURIComponent(demo.get(name) ?? "");

describe("the index of a new local network over HTTP", () => {
  it("starts with the first block", async () => {
    const { blocks } = await ask<{ blocks: readonly { seqno: number }[] }>("/api/v3/blocks?workchain=-1&seqno=1");
    expect(blocks.map(({ seqno }) => seqno)).toEqual([1]);
  });

  it("has the transactions of an account", async () => {
    const path = `/api/v3/transactions?account=${part("jetton master")}&limit=100&sort=asc`;
    const { transactions } = await ask<{ transactions: readonly Record<string, unknown>[] }>(path);
    expect(transactions.length).toBeGreaterThan(1);
    expect(transactions[0]).toMatchObject({ account: demo.get("jetton master"), end_status: "active" });
  });

  it("has the token with its content", async () => {
    const path = `/api/v3/jetton/masters?address=${part("jetton master")}`;
    const name = { name: "Tongate Demo Coin", symbol: "DEMO" };
    expect(await ask(path)).toMatchObject({
      jetton_masters: [{ address: demo.get("jetton master"), total_supply: "1069500000000000", jetton_content: name }],
    });
    const info = async () => {
      const { metadata } = await ask<{ metadata: Record<string, unknown> }>(path);
      return metadata[demo.get("jetton master") ?? ""];
    };
    const reported = { valid: true, type: "jetton_masters", ...name, extra: { decimals: "9" } };
    await expect.poll(info, patience).toMatchObject({ is_indexed: true, token_info: [reported] });
  });

  it("has the items of the collection", async () => {
    const path = `/api/v3/nft/items?collection_address=${part("NFT collection")}&limit=10`;
    const { nft_items } = await ask<{ nft_items: readonly Record<string, unknown>[] }>(path);
    const items = [0, 1, 2, 3].map((number) => demo.get(`NFT item ${number}`));
    expect(nft_items.map(({ address }) => address).toSorted()).toEqual(items.toSorted());
  });

  it("resolves the names of this network", async () => {
    expect(await ask("/api/v3/dns/records?domain=alice.ton")).toMatchObject({
      records: [{ domain: "alice.ton", nft_item_address: demo.get("alice.ton") }],
    });
  });

  it("has the multisig wallet and the vesting wallet", async () => {
    const { multisigs } = await ask<{ multisigs: readonly Record<string, unknown>[] }>(
      `/api/v3/multisig/wallets?address=${part("multisig")}`,
    );
    expect(multisigs.map(({ address }) => address)).toEqual([demo.get("multisig")]);
    const path = `/api/v3/vesting?contract_address=${part("vesting wallet")}`;
    expect(await ask(path)).toMatchObject({ vesting_contracts: [{ address: demo.get("vesting wallet") }] });
  });

  it("has actions and traces", async () => {
    const { actions } = await ask<{ actions: readonly { type: string; trace_id: string }[] }>(
      `/api/v3/actions?account=${part("jetton wallet of wallet 1")}&limit=100`,
    );
    const types = new Set(actions.map(({ type }) => type));
    expect([...types]).toEqual(expect.arrayContaining(["jetton_mint", "jetton_transfer"]));
    const [{ trace_id: id } = { trace_id: "" }] = actions;
    const { traces } = await ask<{ traces: readonly Record<string, unknown>[] }>(
      `/api/v3/traces?trace_id=${encodeURIComponent(id)}`,
    );
    expect(traces).toMatchObject([{ trace_id: id, is_incomplete: false }]);
  });

  it("finds a message sent through v2 by its hash, in transactions, traces and actions", async () => {
    const client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
    const { message, hash, to } = await makeTransfer(client);
    await client.sendFile(message);
    const query = `msg_hash=${encodeURIComponent(hash)}`;
    const found = async () => {
      const { transactions } = await ask<{ transactions?: readonly Record<string, unknown>[] }>(
        `/api/v3/transactionsByMessage?${query}&direction=in`,
      );
      return transactions?.length;
    };
    await expect.poll(found, patience).toBe(1);
    const done = async () => {
      const { actions } = await ask<{ actions: readonly Record<string, unknown>[] }>(`/api/v3/actions?${query}`);
      return actions.map(({ type, finality, details }) => ({ type, finality, details }));
    };
    const details = { value: "3000000000", comment: "found again", destination: to.toRawString().toUpperCase() };
    await expect.poll(done, patience).toMatchObject([{ type: "ton_transfer", finality: "finalized", details }]);
    const { traces } = await ask<{ traces: readonly Record<string, unknown>[] }>(`/api/v3/traces?${query}`);
    expect(traces).toMatchObject([{ is_incomplete: false, trace_info: { transactions: 2 } }]);
  });
});

describe("a service with an index", () => {
  it("is ready when the index follows the chain", async () => {
    const checks = async () => (await ask<{ checks: Record<string, { ok: boolean }> }>("/readyz")).checks;
    await expect
      .poll(checks, patience)
      .toMatchObject({ head: { ok: true }, database: { ok: true }, index: { ok: true } });
  });

  it("shows the URL of v3 and the status of the index", async () => {
    expect(service.output).toContain(`  v3        ${service.origin}/api/v3/`);
    const page = await (await fetch(`${service.origin}/`)).text();
    expect(page).toContain("/api/v3/");
    expect(page).toMatch(/Index/);
    expect((await fetch(`${service.origin}/api/v3/`)).status).toBe(200);
  });

  it("has metrics", async () => {
    const metrics = await (await fetch(`${service.origin}/metrics`)).text();
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    expect(value("tongate_index_seqno")).toBeGreaterThanOrEqual(demoEnd);
    for (const name of ["commits", "rows", "commit_seconds", "fetched_blocks"])
      expect(value(`tongate_index_${name}_total`)).toBeGreaterThan(0);
    expect(metrics).toMatch(/^tongate_index_account_queries_total\{reason="\w+"\} \d+$/m);
  });
});

async function makeTransfer(client: TonClient) {
  const keys: KeyPair = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
  const to = Address.parse(`0:${"7c".repeat(32)}`);
  const body = wallet.createTransfer({
    seqno: await wallet.getSeqno(),
    secretKey: keys.secretKey,
    messages: [internal({ to, value: "3", bounce: false, body: "found again" })],
    sendMode: SendMode.PAY_GAS_SEPARATELY,
  });
  const cell = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell();
  return { message: cell.toBoc(), hash: cell.hash().toString("base64"), to };
}
