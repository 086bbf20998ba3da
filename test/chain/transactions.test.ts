import { describe, expect, it } from "vitest";
import { getAccount } from "../../src/chain/accounts.ts";
import { listBlockEntries, listBlockTransactions, listTransactions } from "../../src/chain/transactions.ts";
import type { AskOptions, LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getTransactions } from "../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../src/lite/tl/liteRecords.ts";
import { decodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../src/lite/tl/types.ts";
import type { LedgerBlock } from "../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { accountOf, makeAddress } from "../../src/model/Address.ts";
import { forEachTransaction } from "../../src/model/block/Block.ts";
import { masterchain } from "../../src/model/block/BlockId.ts";
import { zeroHash } from "../../src/model/Hash.ts";
import { type InCell, loadInCell } from "../../src/model/Message.ts";
import { Transaction } from "../../src/model/Transaction.ts";
import { openChain } from "../kit/chain/openChain.ts";
import { listBlocks } from "../kit/localnet/ledgerTransactions.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const ledger = importSplitChain();
const chain = openChain(ledger);
function listOfBlock(block: LedgerBlock): InCell<Transaction>[] {
  const found: InCell<Transaction>[] = [];
  forEachTransaction(ledger.block(block), (cell) => found.push(loadInCell(Transaction, cell)));
  return found;
}

const elector = makeAddress(masterchain, "3".repeat(64));

/** The elector's transactions from the blocks, newest first. */
const all = listBlocks(ledger)
  .filter(({ id }) => id.workchain === masterchain)
  .flatMap(listOfBlock)
  .filter(({ account }) => account === accountOf(elector))
  .sort((a, b) => Number(b.lt - a.lt));
const hashes = all.map(({ cell }) => cell.hash());

const everything = { from: undefined, limit: 1000, toLt: 0n };

describe("a history", () => {
  it("continues over as many queries as necessary", async () => {
    expect(all.length).toBeGreaterThan(64);
    const { items, next, isCut } = await listTransactions(chain, elector, everything);
    expect(items.map(({ transaction }) => transaction.cell.hash())).toEqual(hashes);
    expect({ lt: next.lt, isCut }).toEqual({ lt: 0n, isCut: false });
  });

  it("starts at the given point, and returns where it continues", async () => {
    const first = await listTransactions(chain, elector, { ...everything, limit: 20 });
    const second = await listTransactions(chain, elector, { ...everything, from: first.next, limit: 3 });
    expect([...first.items, ...second.items].map(({ transaction }) => transaction.cell.hash())).toEqual(
      hashes.slice(0, 23),
    );
  });

  it("is empty from logical time zero on, whatever the hash", async () => {
    const from = { lt: 0n, hash: hashes[0] ?? zeroHash };
    const history = await listTransactions(chain, elector, { ...everything, from });
    expect(history).toEqual({ items: [], next: { lt: 0n, hash: zeroHash }, isCut: false });
  });

  it("stops before a logical time", async () => {
    const toLt = all[30]?.lt ?? 0n;
    const { items } = await listTransactions(chain, elector, { ...everything, toLt });
    expect(items).toHaveLength(30);
  });

  it("returns what is available when no server has the rest, and reports that", async () => {
    const forgetful = openChain(ledger, forgetting(new LocalLiteServer({ ledger }), 2));
    const { items, isCut, next } = await listTransactions(forgetful, elector, everything);
    expect({ count: items.length, isCut, next: next.hash }).toEqual({ count: 32, isCut: true, next: hashes[32] });
    const empty = openChain(ledger, forgetting(new LocalLiteServer({ ledger }), 0));
    await expect(listTransactions(empty, elector, everything)).rejects.toMatchObject({ code: "lite/server" });
  });

  it("of an unknown account is empty", async () => {
    const nobody = makeAddress(0, "1".repeat(64));
    expect((await getAccount(chain, nobody)).content.kind).toBe("nonexist");
    expect((await listTransactions(chain, nobody, everything)).items).toEqual([]);
  });
});

/** A server that answers only the first `pages` queries for transactions. */
function forgetting(server: LiteServer, pages: number): LiteServer {
  let left = pages;
  const ask = async (bytes: Uint8Array, options: AskOptions) => {
    const isAsked = decodeQuery(bytes).query.id === getTransactions.id;
    if (isAsked && left-- <= 0) return encode(serverError.boxed, { code: 651, message: "block not found" });
    return server.ask(bytes, options);
  };
  return { ask, close: () => server.close(), destroy: (reason) => server.destroy(reason) };
}

describe("a block", () => {
  const busiest = listBlocks(ledger).sort((a, b) => listOfBlock(b).length - listOfBlock(a).length)[0];

  it("is listed in pages that continue each other", async () => {
    if (busiest === undefined) throw new Error("no block");
    const { workchain, shard, seqno } = busiest.id;
    const block = { workchain, shard, seqno, hashes: undefined };
    const whole = await listBlockEntries(chain, { block, after: undefined, count: 1000 });
    expect(whole.items.map(({ hash }) => hash)).toEqual(listOfBlock(busiest).map(({ cell }) => cell.hash()));
    expect(whole.incomplete).toBe(false);
    const first = await listBlockTransactions(chain, { block, after: undefined, count: 2 });
    expect(first.incomplete).toBe(true);
    const last = first.items.at(-1)?.transaction;
    if (last === undefined) throw new Error("an empty block");
    const rest = await listBlockEntries(chain, { block, after: { account: last.account, lt: last.lt }, count: 1000 });
    expect([
      ...first.items.map(({ transaction }) => transaction.cell.hash()),
      ...rest.items.map(({ hash }) => hash),
    ]).toEqual(whole.items.map(({ hash }) => hash));
  });
});
