import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { interfacesOf } from "../../../src/contracts/interfaces.ts";
import { jettonMasters } from "../../../src/history/entities/jettonMasters.ts";
import { nftCollections } from "../../../src/history/entities/nftCollections.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import { findStateAfter, statesAfter } from "../../../src/history/store/write/statesAfter.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { compileTolk } from "../../kit/cell/compileTolk.ts";
import { readTable } from "../../kit/history/databaseRows.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const fixture = (name: string) => join(import.meta.dirname, "../../fixtures/history", name);
const coin = 1_000_000_000n;
const years = 365 * 24 * 3600 * 1000;

let kit: ChainKit;
let chain: TestChain;
let stage: IndexStage;
let [collectionCode, masterCode]: [Cell, Cell] = [emptyCell, emptyCell];
const [changing, leaving, freezing] = [0, 1, 2].map((n) => beginCell().storeUint(n, 8).cell()) as [Cell, Cell, Cell];

const initOf = (data: Cell): StateInit => plainInit(collectionCode, data);
const addressOf = (data: Cell): Address => makeAddress(0, storeCell(StateInit, initOf(data)).hash());

/** Sends to the account with this data and waits for delivery. */
async function report(data: Cell, body: Cell = emptyCell, init?: StateInit, amount = coin): Promise<void> {
  const to = { to: addressOf(data), amount, bounce: false, body };
  await chain.send(chain.wallet(0), init === undefined ? to : { ...to, init });
  await chain.rounds(2);
}

const order = (number: number) => beginCell().storeUint(number, 32);

/** A chain in which accounts change their code, are deleted and recreated, freeze and unfreeze. */
beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  [collectionCode, masterCode] = await Promise.all([
    compileTolk(fixture("asCollection.tolk")),
    compileTolk(fixture("asMaster.tolk")),
  ]);
  await report(changing, emptyCell, initOf(changing));
  await report(changing, order(1).storeRef(masterCode).cell());
  await report(leaving, emptyCell, initOf(leaving));
  await report(leaving, order(2).cell());
  await report(leaving, emptyCell, initOf(leaving));
  await report(freezing, emptyCell, initOf(freezing), coin / 100n);
  // An account that freezes with its initial code and data becomes uninit, not frozen.
  await report(freezing, order(1).storeRef(masterCode).cell(), undefined, coin / 100n);
  await chain.clock.advance(70 * years);
  await chain.rounds(1);
  await report(freezing, emptyCell, undefined, 1n);
  await report(freezing, emptyCell, plainInit(masterCode, freezing));
  stage = await openIndexStage(chain.net.ledger);
  await stage.indexer({}).run(new AbortController().signal);
});

afterAll(async () => {
  await stage?.close();
  await kit.close();
});

async function statusesOf(data: Cell) {
  const rows = await readTable(stage.database, tables.transactions);
  const own = rows.filter(({ account }) => account === addressOf(data));
  return own.toSorted((a, b) => Number(a.lt - b.lt)).map(({ origStatus, endStatus }) => [origStatus, endStatus]);
}

async function statesOf(data: Cell) {
  const apart = await readTable(stage.database, tables.accountStates);
  const after = await readTable(stage.database, statesAfter);
  const states = [...apart, ...after.flatMap((row) => findStateAfter(row) ?? [])];
  const latest = await readTable(stage.database, tables.latestAccountStates);
  const isOwn = ({ account }: { account: Address }) => account === addressOf(data);
  return { states: states.filter(isOwn), latest: latest.find(isOwn) };
}

describe("the index of accounts that", () => {
  it("change their code has all states, and interfaces by the new code", async () => {
    const address = addressOf(changing);
    const isOwn = (row: { readonly address: Address }) => row.address === address;
    const collection = (await readTable(stage.database, nftCollections)).find(isOwn);
    const master = (await readTable(stage.database, jettonMasters)).find(isOwn);
    expect(collection).toMatchObject({ address, nextItemIndex: 3n, codeHash: collectionCode.hash() });
    expect(master).toMatchObject({ address, totalSupply: 5n, mintable: true, codeHash: masterCode.hash() });
    expect((master?.lastTransactionLt ?? 0n) > (collection?.lastTransactionLt ?? 0n)).toBe(true);
    const { latest } = await statesOf(changing);
    expect(latest).toMatchObject({ status: "active", codeHash: masterCode.hash(), dataHash: changing.hash() });
    const codes = await readTable(stage.database, tables.codes);
    const methods = codes.find(({ hash }) => hash === masterCode.hash())?.methods;
    expect(interfacesOf({ codeHash: masterCode.hash(), methods })).toEqual([]);
    expect(methods).toContain(106029);
  });

  it("are deleted and recreated has every step, with an empty state in between", async () => {
    expect(await statusesOf(leaving)).toEqual([
      ["nonexist", "active"],
      ["active", "nonexist"],
      ["nonexist", "active"],
    ]);
    const { states, latest } = await statesOf(leaving);
    const gone = { status: "nonexist", balance: 0n, balanceExtra: undefined, codeHash: undefined, dataHash: undefined };
    expect(states.filter(({ status }) => status === "nonexist")).toMatchObject([gone]);
    expect(latest).toMatchObject({ status: "active", codeHash: collectionCode.hash(), dataHash: leaving.hash() });
    expect(readRoot(latest?.dataBoc ?? new Uint8Array()).hash()).toBe(leaving.hash());
  });

  it("freeze and unfreeze has the frozen hash, and code and data again afterwards", async () => {
    expect(await statusesOf(freezing)).toEqual([
      ["nonexist", "active"],
      ["active", "active"],
      ["active", "frozen"],
      ["frozen", "active"],
    ]);
    const { states, latest } = await statesOf(freezing);
    expect(states.filter(({ status }) => status === "frozen")).toMatchObject([
      {
        frozenHash: storeCell(StateInit, plainInit(masterCode, freezing)).hash(),
        codeHash: undefined,
        dataHash: undefined,
      },
    ]);
    expect(latest).toMatchObject({ status: "active", frozenHash: undefined, codeHash: masterCode.hash() });
    expect(readRoot(latest?.dataBoc ?? new Uint8Array()).hash()).toBe(freezing.hash());
  });
});
