import { afterAll, beforeAll, expect, it } from "vitest";
import { type DemoStage, openDemoStage } from "../../kit/api/demoStage.ts";

let stage: DemoStage;

beforeAll(async () => {
  stage = await openDemoStage();
});

afterAll(() => stage?.close());

it("shows every contract of the demo set with its data by names", async () => {
  const listed: unknown = await stage.ask("topAccountsByBalance", { limit: "1000" });
  const accounts = Array.isArray(listed) ? listed.map((each) => String(Object(each).account)) : [];
  const unknown: string[] = [];
  const names = new Set<string>();
  for (const address of accounts) {
    const { status, abis, storage, code_hash: codeHash } = await stage.ask("contract", { address });
    if (status !== "active") continue;
    names.add(String(Object(Object(abis)[0]).name));
    if (storage === null) unknown.push(`${address} ${codeHash}`);
  }
  expect(unknown).toEqual([]);
  expect([...names].filter((name) => !name.startsWith("wallet_")).sort()).toEqual([
    "config",
    "demo_dns_collection",
    "demo_dns_item",
    "demo_dns_root",
    "demo_jetton_minter",
    "demo_jetton_wallet",
    "demo_multisig",
    "demo_multisig_order",
    "demo_nft_collection",
    "demo_nft_item",
    "demo_nft_market",
    "demo_nft_sale",
    "elector",
    "nominator_pool",
  ]);
});
