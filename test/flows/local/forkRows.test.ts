import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { until } from "../../kit/web/localActs.ts";
import "../../kit/suite/longRun.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-fork-rows-"));
/** How long the index may take. */
const timeout = 300_000;

let origin: StartedService;
let fork: StartedService;
/** Contracts of the demo set, which only the origin has made, by their names. */
let demo: Readonly<Record<string, string>>;
beforeAll(async () => {
  origin = await startService({ flags: ["--demo", "on", "--block-ms", "200"] });
  const { seqno } = (await ask(origin, "/api/v2/getMasterchainInfo")).result.last;
  await until(async () => (await ask(origin, "/api/v3/masterchainInfo")).last?.seqno >= seqno);
  const listed: readonly { readonly name: string; readonly address: string }[] = (await ask(origin, "/localnet/demo"))
    .result;
  demo = Object.fromEntries(listed.map(({ name, address }) => [name, address]));
  await until(async () => !JSON.stringify(await answersOf(origin)).includes('"is_indexed":false'));
  fork = await startService({ flags: ["--fork", origin.origin, "--block-ms", "200"], folder, engine: "postgres" });
});
afterAll(async () => {
  await fork.close();
  await origin.close();
  rmSync(folder, { recursive: true });
});

async function ask({ origin: at }: StartedService, path: string) {
  return Object(await (await fetch(`${at}${path}`)).json());
}

/** Questions about contracts of every family that has rows; each about one, because lists begin with the first seen. */
function listQuestions(): readonly string[] {
  const each = (path: string, ...names: readonly string[]) => names.map((name) => `${path}=${demo[name]}`);
  const known = Object.keys(demo)
    .filter(isBasechain)
    .map((name) => `address=${demo[name]}`);
  const items = ["NFT item 0", "NFT item 1", "NFT item 2", "NFT item 3", "alice.ton", "bob-shop.ton"];
  return [
    ...each("jetton/masters?address", "jetton master"),
    ...each("jetton/wallets?address", "jetton wallet of wallet 1"),
    `accountStates?${known.join("&")}`,
    `addressBook?${known.join("&")}`,
    `walletStates?${origin.wallets.map(({ address }) => `address=${address}`).join("&")}`,
    ...each("nft/items?address", ...items),
    ...each("nft/collections?collection_address", "NFT collection", "DNS collection"),
    ...each("nft/sales?address", "NFT sale, open", "NFT sale, finished"),
    "dns/records?domain=alice.ton",
    "dns/records?domain=bob-shop.ton",
    ...each("multisig/wallets?include_orders=false&address", "multisig"),
    ...each("multisig/orders?address", "multisig order, executed", "multisig order, open"),
    ...each("vesting?contract_address", "vesting wallet"),
  ].map((path) => `/api/v3/${path}`);
}

/** Elections go on in the origin and change accounts of the masterchain. */
function isBasechain(name: string): boolean {
  return demo[name]?.startsWith("0:") === true;
}

async function answersOf(service: StartedService) {
  return Promise.all(listQuestions().map((path) => ask(service, path)));
}

async function verify({ origin: at }: StartedService) {
  const response = await fetch(`${at}/index/verify?sample=200`, { method: "POST" });
  return Object(await response.json());
}

describe("v3 of a fork", () => {
  it("answers as its origin about accounts that came in, which no transaction of it has changed", async () => {
    const expected = await answersOf(origin);
    for (const answer of expected) expect(answer.error).toBe(undefined);
    const addresses = [...Object.values(demo), ...origin.wallets.map(({ address }) => address)];
    const body = JSON.stringify({ addresses });
    const headers = { "content-type": "application/json" };
    const fetched = await fetch(`${fork.origin}/localnet/forkFetch`, { method: "POST", body, headers });
    expect(fetched.status).toBe(200);
    await expect.poll(() => answersOf(fork), { timeout, interval: 500 }).toEqual(expected);
    const { transactions } = await ask(fork, `/api/v3/transactions?account=${demo["jetton master"]}`);
    expect(transactions).toEqual([]);
    expect(await verify(fork)).toMatchObject({ differences: 0 });
  });

  it("has the same rows in a new index, after a restart without its origin", async () => {
    const expected = await answersOf(origin);
    await fork.close();
    fork = await startService({ flags: ["--block-ms", "200"], folder, engine: "postgres" });
    await expect.poll(() => answersOf(fork), { timeout, interval: 500 }).toEqual(expected);
    expect(await verify(fork)).toMatchObject({ differences: 0 });
  });
});
