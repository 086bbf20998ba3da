import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { addressList } from "../../../src/history/store/schema/columns.ts";
import { type Demo, makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import type { Address } from "../../../src/model/Address.ts";
import { openWholeIndex } from "../../kit/app/wholeIndex.ts";
import { openFresh } from "../../kit/history/database.ts";
import { type ServedOrigin, serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

let kit: ChainKit;
let origin: ServedOrigin;
let demo: Demo;
let fork: TestChain;
let database: Database;

beforeAll(async () => {
  kit = await openChainKit();
  const { net } = await kit.open();
  demo = makeDemo(net.keys);
  await playDemo(net, demo);
  origin = await serveOrigin(net);
  fork = await kit.open({ fork: { origin } });
  database = await openFresh("postgres");
  await fork.net.touch(listFirst());
  await fork.rounds(1);
  await openIndex().write();
});
afterAll(async () => {
  await origin.close();
  await database.close();
  await kit.close();
});

/** The contracts that come at the beginning. */
function listFirst(): readonly Address[] {
  return demo.contracts.map(([, address]) => address);
}

const openIndex = () => openWholeIndex(fork.net, { database, executor: kit.executor });

function contract(name: string): Address {
  const [, address] = demo.contracts.find(([each]) => each === name) ?? [];
  if (address === undefined) throw new Error(`the demo set has no ${name}`);
  return address;
}

/** What a damage does to a row of an account that no transaction of the fork mentions. */
const damages = [
  ["latest_account_states", "account", "balance = balance + 1", "NFT item 0", "balance"],
  ["account_states", "account", "balance = balance + 1", "NFT item 1", "balance"],
  ["jetton_wallets", "address", "balance = balance + 1", "jetton wallet of wallet 1", "balance"],
  ["nft_items", "address", "real_owner = address", "NFT item 2", "realOwner"],
  ["multisigs", "address", "threshold = threshold + 1", "multisig", "threshold"],
] as const;

describe("an index of a fork compared with the accounts that came from its origin", () => {
  it("has their rows, without a transaction, and no difference", async () => {
    const report = await openIndex().verify();
    expect(report.differences).toEqual([]);
    const first = listFirst();
    const accounts = addressList(first);
    const count = async (table: string) =>
      (await database.query(`select from ${table} where account = any($1::bytea[])`, [accounts])).length;
    expect(await count("transactions")).toBe(0);
    expect(await count("latest_account_states")).toBe(first.length);
    expect(report.accounts).toBeGreaterThanOrEqual(first.length);
  });

  it("has no difference when a contract that they name was changed after some came, and before others", async () => {
    const address = contract("jetton master");
    fork.net.controls.write(address, { kind: "code", code: beginCell().storeUint(0, 8).cell() });
    await fork.rounds(1);
    await fork.net.touch([demo.jetton.walletOf(demo.people.bob.address)]);
    await fork.rounds(1);
    await openIndex().write();
    expect((await openIndex().verify()).differences).toEqual([]);
  });

  it("reports table, row and column of every changed or deleted row", async () => {
    const expected: string[] = [];
    for (const [table, column, change, name, changed] of damages) {
      const address = contract(name);
      const sql = `update ${table} set ${change} where ${column} = any($1::bytea[])`;
      await database.write((session) => session.query(sql, [addressList([address])]));
      expected.push(`different ${table} ${address} ${changed}`);
    }
    const lost = contract("NFT item 3");
    await database.write((session) =>
      session.query("delete from latest_account_states where account = any($1::bytea[])", [addressList([lost])]),
    );
    expected.push(`missing latest_account_states ${lost} `);
    const found = (await openIndex().verify()).differences.map(
      ({ kind, table, key, columns }) => `${kind} ${table} ${key.split(" ")[0]} ${columns.join()}`,
    );
    expect([...found].sort()).toEqual(expected.sort());
  });
});
