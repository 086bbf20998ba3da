import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalNetwork, startLocalNetwork } from "../../../src/app/testing/startLocalNetwork.ts";

const account = `0:${"ab".repeat(32)}`;
const ahead = `0:${"a7".repeat(32)}`;
const other = `0:${"12".repeat(32)}`;

let origin: LocalNetwork;
let fork: LocalNetwork;
beforeAll(async () => {
  origin = await startLocalNetwork();
  await origin.control.setBalance({ address: ahead, balance: "3" });
  await origin.control.setBalance({ address: account, balance: "4" });
  await origin.control.setBalance({ address: account, balance: "5" });
  fork = await startLocalNetwork({ flags: ["--fork", origin.origin] });
});
afterAll(async () => {
  await fork.close();
  await origin.close();
});

async function ask(network: LocalNetwork, method: string, params: object): Promise<unknown> {
  const request = { jsonrpc: "2.0", id: 1, method, params };
  const response = await fetch(network.endpoint, { method: "POST", body: JSON.stringify(request) });
  const { ok, result, error } = Object(await response.json());
  return ok ? result : error;
}

const balances = (address: string) =>
  Promise.all([origin, fork].map((network) => ask(network, "getAddressBalance", { address })));

describe("a network that continues another one over HTTP", () => {
  it("has its accounts, and changes them without changing it", async () => {
    expect(await balances(account)).toEqual(["5000000000", "5000000000"]);
    await fork.control.setBalance({ address: account, balance: "7" });
    await fork.control.setBalance({ address: other, balance: "1" });
    expect(await balances(account)).toEqual(["5000000000", "7000000000"]);
    expect(await balances(other)).toEqual(["0", "1000000000"]);
  });

  it("lists transactions of both, the newest first", async () => {
    const lists = await Promise.all(
      [origin, fork].map((net) => ask(net, "getTransactions", { address: account, limit: 10 })),
    );
    const [theirs, both] = lists.map((list) =>
      (list as { transaction_id: { hash: string } }[]).map((t) => t.transaction_id.hash),
    );
    expect(theirs).toHaveLength(2);
    expect(both?.slice(1)).toEqual(theirs);
    expect(both).toHaveLength(3);
  });

  it("answers about blocks of both", async () => {
    const [found] = await fork.control.fork();
    const { seqno } = Object(found).block;
    const header = (network: LocalNetwork, at: number) =>
      ask(network, "getBlockHeader", { workchain: -1, shard: "-9223372036854775808", seqno: at });
    expect(await header(fork, 1)).toEqual(await header(origin, 1));
    expect(await header(fork, seqno)).toEqual(await header(origin, seqno));
    expect(Object(await header(fork, seqno + 1))).toMatchObject({ is_key_block: true, prev_blocks: [{ seqno }] });
    expect(await ask(fork, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 1 })).toEqual(
      await ask(origin, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 1 }),
    );
  });

  it("reports what it continues, and fetches accounts ahead", async () => {
    const [before] = await fork.control.fork();
    const [after] = await fork.control.forkFetch({ addresses: [ahead] });
    expect(after).toMatchObject({ origin: origin.origin, accounts: Object(before).accounts + 1, messages_left: 0 });
    expect(await origin.control.fork()).toEqual([]);
  });

  it("goes back to the block that it continues", async () => {
    const [found] = await fork.control.fork();
    await fork.control.reset();
    await fork.control.automaticBlocks({ mode: "message" });
    expect(await balances(account)).toEqual(["5000000000", "5000000000"]);
    expect(Object((await fork.control.fork())[0]).block).toEqual(Object(found).block);
  });
});
