import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Address, JettonMaster, JettonWallet, TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faucet } from "../../src/app/commands/faucet.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { recordTerminal } from "../kit/suite/recordTerminal.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-demo-flow-"));

/** Starts the service on the same data each time; the demo set needs no index. */
const start = () => startService({ folder, flags: ["--no-index"], isNew: true });

let service: StartedService;
let origin: string;
let output: string;
/** Addresses of the demo set by name. */
let demo: ReadonlyMap<string, string>;

beforeAll(async () => {
  service = await start();
  ({ origin, output } = service);
  const { result } = await ask("/localnet/demo");
  const contracts = result as readonly { readonly name: string; readonly address: string }[];
  demo = new Map(contracts.map(({ name, address }) => [name, address]));
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly ok: boolean;
  readonly result: unknown;
  readonly error?: string;
  readonly code?: number;
}

async function ask(path: string): Promise<Answer> {
  return (await (await fetch(`${origin}${path}`)).json()) as Answer;
}

async function post(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}

async function token(name: string): Promise<unknown> {
  const { result } = await ask(`/api/v2/getTokenData?address=${demo.get(name)}`);
  return result;
}

/** The types of a get-method's results, and its numbers. */
async function run(name: string, method: string): Promise<unknown> {
  const { result } = await post("/api/v2/runGetMethod", { address: demo.get(name), method, stack: [] });
  const { exit_code, stack } = result as { exit_code: number; stack: readonly (readonly [string, unknown])[] };
  return [exit_code, stack.map(([kind, value]) => (kind === "num" ? value : kind))];
}

describe("the demo set, asked over HTTP", () => {
  it("is printed, with all funded wallets and their words", () => {
    const versions = service.wallets.map(({ version }) => version);
    expect(versions).toEqual([
      ...["v5r1", "v5r1", "v5r1", "v4r2", "v4r2", "v4r2"],
      ...["v3r2", "v3r1", "v2r2", "highloadV3"],
    ]);
    expect(output).toMatch(/the demo contracts were deployed in .* s and \d+ blocks\n/);
    expect(demo.size).toBe(24);
  });

  it("has a token", async () => {
    expect(await token("jetton master")).toMatchObject({
      contract_type: "jetton_master",
      total_supply: "1069500000000000",
      mintable: true,
      jetton_content: { type: "onchain", data: { name: "Tongate Demo Coin", symbol: "DEMO", decimals: "9" } },
    });
    expect(await token("jetton wallet of wallet 1")).toMatchObject({
      contract_type: "jetton_wallet",
      balance: "999750000000000",
    });
    expect(await run("jetton master", "get_jetton_data")).toEqual([
      0,
      ["0x3ccb45f965800", "-0x1", "cell", "cell", "cell"],
    ]);
    expect(await run("jetton wallet of wallet 1", "get_wallet_data")).toEqual([
      0,
      ["0x38d446f9d3c00", "cell", "cell", "cell"],
    ]);
  });

  it("has a token that @ton/ton reads, from the master to a wallet", async () => {
    const client = new TonClient({ endpoint: `${origin}/api/v2/jsonRPC`, timeout: 300_000 });
    const master = client.open(JettonMaster.create(Address.parse(demo.get("jetton master") ?? "")));
    const { totalSupply, mintable, adminAddress } = await master.getJettonData();
    expect([totalSupply, mintable]).toEqual([1_069_500_000_000_000n, true]);
    const wallet = await master.getWalletAddress(adminAddress);
    expect(wallet.toRawString()).toBe(demo.get("jetton wallet of wallet 1"));
    expect(await client.open(JettonWallet.create(wallet)).getBalance()).toBe(999_750_000_000_000n);
  });

  it("has items", async () => {
    expect(await token("NFT collection")).toMatchObject({
      contract_type: "nft_collection",
      next_item_index: "4",
      collection_content: { type: "onchain", data: { name: "Tongate Demo Gates" } },
    });
    expect(await token("NFT item 1")).toMatchObject({
      contract_type: "nft_item",
      init: true,
      index: "1",
      content: { type: "onchain", data: { name: "Gate #1" } },
    });
    expect(await run("NFT collection", "get_collection_data")).toEqual([0, ["0x4", "cell", "cell"]]);
    expect(await run("NFT item 1", "get_nft_data")).toEqual([0, ["-0x1", "0x1", "cell", "cell", "cell"]]);
  });

  it("has an open sale and a finished one", async () => {
    const sale = (isComplete: string, price: string, fee: string, royalty: string) => [
      0,
      ...[["0x46495850", isComplete, expect.stringMatching(/^0x6/), "cell", "cell", "cell"]].map((head) => [
        ...head,
        ...[price, "cell", fee, "cell", royalty],
      ]),
    ];
    expect(await run("NFT sale, open", "get_sale_data")).toEqual(
      sale("0x0", "0x5d21dba00", "0x4a817c80", "0x2540be40"),
    );
    expect(await run("NFT sale, finished", "get_sale_data")).toEqual(
      sale("-0x1", "0x2540be400", "0x1dcd6500", "0xee6b280"),
    );
  });

  it("has names that resolve to wallets from the root", async () => {
    const wallet = service.wallet("v5r1").address;
    const { result } = await ask(`/api/v2/unpackAddress?address=${wallet}`);
    const resolved = await ask(`/api/v2/dnsResolve?address=${demo.get("DNS root")}&name=alice.ton&ttl=3`);
    const entry = (resolved.result as { entries: readonly { entry: { smc_address: { account_address: string } } }[] })
      .entries[0];
    const named = await ask(`/api/v2/unpackAddress?address=${entry?.entry.smc_address.account_address}`);
    expect(named.result).toBe(result);
    expect(await token("alice.ton")).toMatchObject({
      contract_type: "nft_item",
      content: {
        domain: "alice.ton",
        data: { wallet: { "@type": "dns_smc_address", smc_addr: { "@type": "addr_std" } } },
      },
    });
  });

  it("has a multisig wallet, with an executed order and a pending one", async () => {
    expect(await run("multisig", "get_multisig_data")).toEqual([0, ["0x2", "0x2", "cell", "cell"]]);
    expect(await run("multisig order, executed", "get_order_data")).toEqual([
      0,
      ["cell", "0x0", "0x2", "-0x1", "cell", "0x3", "0x2", "0xf4865700", "cell"],
    ]);
    expect(await run("multisig order, open", "get_order_data")).toEqual([
      0,
      ["cell", "0x1", "0x2", "0x0", "cell", "0x0", "0x0", "0xf4865700", "cell"],
    ]);
  });

  it("has a nominator pool with a stake at the elector, three nominators and a request", async () => {
    const [exitCode, stack] = (await run("nominator pool", "get_pool_data")) as [number, unknown[]];
    expect([exitCode, stack.length, stack.slice(0, 3)]).toEqual([0, 17, ["0x2", "0x3", "0x14681f7dea600"]]);
    expect(await run("nominator pool", "has_withdraw_requests")).toEqual([0, ["-0x1"]]);
    expect(await run("nominator pool", "list_nominators")).toEqual([0, ["list"]]);
  });

  it("has a name with an auction, which belongs to nobody yet", async () => {
    expect(await run("tea.ton, auctioned", "get_auction_info")).toEqual([
      0,
      ["cell", "0x12a05f200", expect.stringMatching(/^0x[67]/)],
    ]);
    expect(await token("tea.ton, auctioned")).toMatchObject({ contract_type: "nft_item", init: true });
  });

  it("has a vesting wallet", async () => {
    expect(await run("vesting wallet", "get_vesting_data")).toEqual([
      0,
      ["0x63b0cd00", "0x128a1800", "0x278d00", "0x278d00", "0x174876e800", "cell", "cell", "cell"],
    ]);
  });
});

const somebody = `0:${"ab".repeat(32)}`;

async function balanceOf(address: string): Promise<unknown> {
  return (await ask(`/api/v2/getAddressBalance?address=${address}`)).result;
}

describe("the faucet", () => {
  it("sends the requested amount over HTTP, to an address in any form", async () => {
    expect(await post("/localnet/faucet", { address: somebody, amount: "2.5" })).toMatchObject({
      ok: true,
      result: {
        "@type": "localnet.gift",
        address: somebody,
        amount: "2.5",
        message_hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        status: "sent",
        mc_seqno: expect.any(Number),
      },
    });
    expect(await balanceOf(somebody)).toBe("2500000000");
    const { result } = await ask(`/api/v2/packAddress?address=0:${"cd".repeat(32)}`);
    expect(await post("/localnet/faucet", { address: result })).toMatchObject({
      result: { address: `0:${"cd".repeat(32)}`, amount: "100" },
    });
  });

  it.each([
    [{}, "failed to parse address"],
    [{ address: "nobody" }, "failed to parse address"],
    [{ address: somebody, amount: "many" }, "failed to parse amount"],
    [
      { address: somebody, amount: 0 },
      "the faucet gives up to 1000000 coins at once, not 0; amounts are in coins, not in nanocoins",
    ],
    [
      { address: somebody, amount: "1000000.000000001" },
      "the faucet gives up to 1000000 coins at once, not 1000000.000000001; amounts are in coins, not in nanocoins",
    ],
  ])("refuses %j", async (body, error) => {
    expect(await post("/localnet/faucet", body)).toMatchObject({ ok: false, code: 422, error });
  });

  it("sends by command", async () => {
    const terminal = recordTerminal();
    const port = new URL(origin).port;
    const to = `0:${"ef".repeat(32)}`;
    await faucet.run(terminal, [to, "--amount", "0.75", "--port", port]);
    expect(terminal.written()).toMatch(new RegExp(`^gave 0\\.75 TON to ${to}: message \\S{44}, in a block\n$`));
    expect(await balanceOf(to)).toBe("750000000");
    const refused = faucet.run(terminal, ["nobody", "--port", port]);
    await expect(refused).rejects.toMatchObject({ code: "api/refused", data: { status: 422 } });
    await expect(faucet.run(terminal, ["--port", port])).rejects.toMatchObject({ code: "app/usage" });
    await expect(faucet.run(terminal, [to, "--amount", "-1"])).rejects.toMatchObject({ code: "app/config" });
  });

  it("is reported as unavailable if nothing answers", async () => {
    const absent = faucet.run(recordTerminal(), [somebody, "--port", "1"]);
    await expect(absent).rejects.toMatchObject({ code: "api/unreachable" });
  });
});

describe("a second start", () => {
  it("finds the demo set unchanged", async () => {
    const before = [...demo];
    await service.close();
    service = await start();
    ({ origin, output } = service);
    expect(output).not.toContain("were deployed");
    const { result } = await ask("/localnet/demo");
    expect((result as readonly { name: string; address: string }[]).map((each) => [each.name, each.address])).toEqual(
      before,
    );
    expect(await run("multisig", "get_multisig_data")).toEqual([0, ["0x2", "0x2", "cell", "cell"]]);
  });
});
