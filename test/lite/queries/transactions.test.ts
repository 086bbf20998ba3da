import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { checkOneTransaction, findTransaction } from "../../../kit/lite/queries/oneTransaction.ts";
import { readBoc, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { blockIdFromTl, type TlAccountId } from "../../../src/lite/queries/ids.ts";
import {
  type BlockListQuery,
  checkBlockTransactions,
  checkBlockTransactionsExt,
  checkTransactions,
  fetchBlockTransactions,
  fetchTransactions,
} from "../../../src/lite/queries/transactions.ts";
import {
  getBlock,
  getOneTransaction,
  getTransactions,
  listBlockTransactions,
  listBlockTransactionsExt,
} from "../../../src/lite/tl/liteQueries.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";
import { forgeTree } from "../../kit/cell/forgedValues.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();

function addressOf({ workchain, id }: TlAccountId): Address {
  return makeAddress(workchain, toHex(id));
}

function pointOf({ lt, hash }: { readonly lt: bigint; readonly hash: Uint8Array }) {
  return { lt, hash: hashFromBytes(hash) };
}

describe("an account's history", () => {
  const { args, answer } = findRecorded(getTransactions, ({ note }) => note === "alice, newest 16");
  const [address, from] = [addressOf(args.account), pointOf(args)];
  const roots = readBoc(answer.transactions);
  const { ids } = answer;

  function refusal(cells: readonly Cell[], blocks: typeof ids = ids.slice(0, cells.length)): string {
    const transactions = cells.length === 0 ? new Uint8Array(0) : writeBoc(cells);
    return refusalCode(() => checkTransactions(address, from, args.count, { ids: blocks, transactions }));
  }

  it.each(listRecorded(getTransactions))("as recorded is proved: $note", (recorded) => {
    const { count, account } = recorded.args;
    const items = checkTransactions(addressOf(account), pointOf(recorded.args), count, recorded.answer);
    expect(items.map(({ claimedBlock }) => claimedBlock)).toEqual(recorded.answer.ids.map(blockIdFromTl));
    expect(items[0]?.transaction.lt).toBe(recorded.args.lt);
  });

  it("starts with the requested transaction and follows its pointers", () => {
    expect(refusal(roots.slice(1))).toBe("lite/proof");
    expect(refusal(roots.toReversed())).toBe("lite/proof");
    expect(refusal(roots.toSpliced(5, 1))).toBe("lite/proof");
    expect(refusal(roots.toSpliced(5, 2, ...roots.slice(5, 7).toReversed()))).toBe("lite/proof");
    expect(refusal([...roots.slice(0, 6), ...roots.slice(5, 10)])).toBe("lite/proof");
  });

  it("may come in shorter pages, but never in an empty one", () => {
    const transactions = writeBoc(roots.slice(0, 3));
    expect(checkTransactions(address, from, args.count, { ids: ids.slice(0, 3), transactions })).toHaveLength(3);
    expect(refusal([])).toBe("lite/proof");
  });

  it("has no more than requested", () => {
    expect(refusalCode(() => checkTransactions(address, from, 15, answer))).toBe("lite/proof");
  });

  it("is empty if nothing was requested, and after its end", () => {
    const nothing = { ids: [], transactions: new Uint8Array(0) };
    expect(checkTransactions(address, from, 0, nothing)).toEqual([]);
    expect(checkTransactions(address, { ...from, lt: 0n }, 16, nothing)).toEqual([]);
  });

  it("has a block for every transaction", () => {
    expect(refusal(roots, ids.slice(1))).toBe("lite/proof");
    expect(refusal(roots.slice(1), ids)).toBe("lite/proof");
  });

  it("is that of the requested account", () => {
    const other = findRecorded(getTransactions, ({ note }) => note === "bob, newest 16");
    expect(refusalCode(() => checkTransactions(addressOf(other.args.account), from, 16, answer))).toBe("lite/proof");
    expect(refusalCode(() => checkTransactions(address, from, 16, other.answer))).toBe("lite/proof");
  });

  it("has exactly the transactions of its pointers", () => {
    const [first, ...rest] = roots;
    if (first === undefined) throw new Error("no transaction");
    for (const forgery of forgeTree(first, seededRandom("history"), 60)) {
      const cell = forgery.make();
      if (cell.hash() !== first.hash()) expect(refusal([cell, ...rest])).toBe("lite/proof");
    }
  });

  it("has only complete transactions", () => {
    const [first, ...rest] = roots;
    if (first === undefined) throw new Error("no transaction");
    const proof = makeMerkleProof(first, () => false);
    for (const cell of [proof, proof.ref(0)]) expect(refusal([cell, ...rest])).toBe("lite/proof");
  });

  it("is requested by account and point", async () => {
    const server = new ScriptedLite([replyTo(getTransactions, answer)]);
    expect(await fetchTransactions(server, address, from, 16, { signal })).toHaveLength(16);
    expect(server.asked.map(({ args }) => args)).toMatchObject([{ count: 16, lt: args.lt }]);
  });
});

describe("a block's transactions", () => {
  const recorded = listRecorded(listBlockTransactions).filter(({ args }) => args.wantProof === true);
  const recordedExt = listRecorded(listBlockTransactionsExt).filter(({ args }) => args.wantProof === true);

  function pageOf(args: (typeof recorded)[number]["args"]): BlockListQuery {
    const { after, count, reverseOrder: reverse = false } = args;
    if (after === undefined) return { count, reverse };
    return { count, reverse, after: { account: hashFromBytes(after.account), lt: after.lt } };
  }

  const isPage = (count: number, more: boolean) => (recordedAnswer: (typeof recorded)[number]) =>
    recordedAnswer.answer.ids.length === count && recordedAnswer.answer.incomplete === more;
  const whole = recorded.find(isPage(5, false));
  const part = recorded.find(isPage(4, true));
  if (whole === undefined || part === undefined) throw new Error("no pages recorded");

  function check(page: (typeof recorded)[number], change: Partial<(typeof recorded)[number]["answer"]>) {
    const { args, answer } = page;
    return checkBlockTransactions(blockIdFromTl(args.id), pageOf(args), { ...answer, ...change });
  }

  it.each(recorded)("as recorded are proved, $args.count of mode $args.mode", ({ args, answer }) => {
    const page = checkBlockTransactions(blockIdFromTl(args.id), pageOf(args), answer);
    expect(page.incomplete).toBe(answer.incomplete);
    expect(page.items.map(({ lt }) => lt)).toEqual(answer.ids.map(({ lt }) => lt));
  });

  it.each(recordedExt)("as recorded are proved as a whole, $args.count of mode $args.mode", ({ args, answer }) => {
    const page = checkBlockTransactionsExt(blockIdFromTl(args.id), pageOf(args), answer);
    const roots = answer.transactions.length === 0 ? [] : readBoc(answer.transactions);
    expect(page.items.map(({ cell }) => cell.hash())).toEqual(roots.map((root) => root.hash()));
  });

  it("are complete if the page claims so", () => {
    const { ids } = whole.answer;
    for (const cut of [ids.slice(1), ids.slice(0, 4), ids.toSpliced(2, 1), []])
      expect(refusalCode(() => check(whole, { ids: cut }))).toBe("lite/proof");
    expect(refusalCode(() => check(part, { incomplete: false }))).toBe("lite/proof");
    expect(refusalCode(() => check(part, { ids: [], incomplete: false }))).toBe("lite/proof");
  });

  it("are in the block's order, each once", () => {
    const { ids } = whole.answer;
    for (const mutated of [ids.toReversed(), [...ids, ...ids.slice(4)], [...ids.slice(1), ...ids.slice(0, 1)]])
      expect(refusalCode(() => check(whole, { ids: mutated }))).toBe("lite/proof");
  });

  it("may come in shorter pages marked as incomplete, but never in an empty one", () => {
    const shorter = check(whole, { ids: whole.answer.ids.slice(0, 2), incomplete: true });
    expect([shorter.items.length, shorter.incomplete]).toEqual([2, true]);
    expect(refusalCode(() => check(whole, { ids: [], incomplete: true }))).toBe("lite/proof");
  });

  it("are known to be the last ones whatever the page claims", () => {
    expect(check(whole, { incomplete: true }).incomplete).toBe(false);
  });

  it("are no more than requested", () => {
    const few = { ...pageOf(whole.args), count: 4 };
    expect(refusalCode(() => checkBlockTransactions(blockIdFromTl(whole.args.id), few, whole.answer))).toBe(
      "lite/proof",
    );
  });

  it("show nothing for an empty page", () => {
    const none = { ...pageOf(whole.args), count: 0 };
    const answer = { ...whole.answer, ids: [] };
    for (const incomplete of [true, false]) {
      expect(checkBlockTransactions(blockIdFromTl(whole.args.id), none, { ...answer, incomplete })).toEqual({
        items: [],
        incomplete: true,
      });
    }
  });

  it("are taken from the proof if the answer omits parts of them", () => {
    const ids = whole.answer.ids.map(() => ({ mode: 0 }));
    expect(check(whole, { ids })).toEqual(check(whole, {}));
  });

  it("are those of the requested block", () => {
    expect(refusalCode(() => check(whole, { proof: part.answer.proof }))).toBe("lite/proof");
    expect(refusalCode(() => check(whole, { id: part.answer.id }))).toBe("lite/proof");
    expect(refusalCode(() => check(whole, { proof: new Uint8Array(0) }))).toBe("lite/proof");
  });

  it("as a whole cannot be exchanged, mutated or pruned", () => {
    const page = recordedExt.find(({ answer }) => !answer.incomplete);
    if (page === undefined) throw new Error("no page recorded");
    const roots = readBoc(page.answer.transactions);
    const [first, ...rest] = roots;
    if (first === undefined) throw new Error("no transaction");
    const mutated = [
      rest,
      roots.toReversed(),
      [first, ...roots],
      [makeMerkleProof(first, () => false).ref(0), ...rest],
    ];
    for (const cells of mutated) {
      const answer = { ...page.answer, transactions: writeBoc(cells) };
      expect(refusalCode(() => checkBlockTransactionsExt(blockIdFromTl(page.args.id), pageOf(page.args), answer))).toBe(
        "lite/proof",
      );
    }
  });

  it("are requested with their proof", async () => {
    const server = new ScriptedLite([replyTo(listBlockTransactions, whole.answer)]);
    const after = { account: hashFromBytes(new Uint8Array(32)), lt: 0n };
    const page = await fetchBlockTransactions(server, blockIdFromTl(whole.args.id), { count: 40, after }, { signal });
    expect(page).toEqual(check(whole, {}));
    expect(server.asked[0]?.args).toMatchObject({ mode: 0b1010_0111, count: 40, wantProof: true, after: { lt: 0n } });
  });
});

describe("one transaction", () => {
  const recorded = findRecorded(
    getOneTransaction,
    ({ answer, args }) => answer.transaction.length > 0 && args.id.seqno > 1,
  );
  const missing = findRecorded(getOneTransaction, ({ answer }) => answer.transaction.length === 0);
  const block: BlockIdExt = blockIdFromTl(recorded.args.id);
  const { lt } = recorded.args;
  const address = addressOf(recorded.args.account);

  it.each(listRecorded(getOneTransaction))("as recorded is proved: $note", ({ args, answer }) => {
    const proved = checkOneTransaction(blockIdFromTl(args.id), addressOf(args.account), args.lt, answer);
    expect(proved === "claimed-missing").toBe(answer.transaction.length === 0);
  });

  it("is the one of that account and time in that block", () => {
    const others = listRecorded(getOneTransaction).filter(({ args }) => args.lt !== lt);
    for (const { answer } of others.filter((other) => other.answer.transaction.length > 0)) {
      const { proof, transaction } = recorded.answer;
      for (const forgery of [
        answer,
        { ...recorded.answer, transaction: answer.transaction },
        { ...answer, transaction },
      ])
        expect(refusalCode(() => checkOneTransaction(block, address, lt, forgery))).toBe("lite/proof");
      expect(refusalCode(() => checkOneTransaction(block, address, lt, { ...answer, proof }))).toBe("lite/proof");
    }
    expect(refusalCode(() => checkOneTransaction(block, address, lt + 1n, recorded.answer))).toBe("lite/proof");
  });

  it("that is reported missing is searched after the previous one", async () => {
    const { answer: data } = findRecorded(getBlock, ({ args }) => args.id.workchain === -1 && args.id.seqno === 1);
    const root = readBoc(data.data)[0];
    if (root === undefined) throw new Error("no block");
    const all = listRecorded(getOneTransaction).filter(({ args }) => args.id.seqno === 1);
    for (const { args, answer } of all) {
      const page = {
        id: data.id,
        reqCount: 1,
        incomplete: true,
        transactions: answer.transaction,
        proof: writeBoc(makeMerkleProof(root, () => true)),
      };
      const forger = new ScriptedLite([
        replyTo(getOneTransaction, { ...answer, transaction: new Uint8Array(0) }),
        replyTo(listBlockTransactionsExt, page),
      ]);
      const one = await findTransaction(forger, blockIdFromTl(args.id), addressOf(args.account), args.lt, { signal });
      expect(one?.cell.hash()).toBe(readBoc(answer.transaction)[0]?.hash());
      const after = { account: new Uint8Array(args.account.id), lt: args.lt - 1n };
      expect(forger.asked[1]?.args).toMatchObject({ count: 1, after });
      const none = await findTransaction(forger, blockIdFromTl(args.id), addressOf(args.account), args.lt - 1n, {
        signal,
      });
      expect(none).toBeUndefined();
    }
  });

  it("is found, or not requested if the block cannot have it", async () => {
    const server = new ScriptedLite([replyTo(getOneTransaction, recorded.answer)]);
    expect((await findTransaction(server, block, address, lt, { signal }))?.lt).toBe(lt);
    const elsewhere = makeAddress(7, address.split(":")[1] ?? "");
    expect(await findTransaction(server, block, elsewhere, lt, { signal })).toBeUndefined();
    expect(server.asked).toHaveLength(1);
    expect(missing.answer.transaction).toHaveLength(0);
  });
});
