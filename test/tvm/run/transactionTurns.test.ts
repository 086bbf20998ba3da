import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { CellCounter } from "../../../src/model/CellCounter.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { Message, RelaxedMessage } from "../../../src/model/Message.ts";
import { SimpleLibrary, StateInit } from "../../../src/model/StateInit.ts";
import { RunQueue } from "../../../src/tvm/run/RunQueue.ts";
import { runTransaction } from "../../../src/tvm/run/transaction.ts";
import { makeCellTree } from "../../kit/cell/cellTrees.ts";
import { makeRunHost } from "../../kit/tvm/runHost.ts";
import {
  makeActiveAccount,
  makeCode,
  makeExternalMessage,
  readSmallConfig,
  sentMessage,
  testAddress,
  testNow,
} from "../../kit/tvm/tvmValues.ts";

/**
 * Runs with a clock by which every step takes as long as a turn; gives how often the event loop went on in the
 * meantime.
 */
async function countTurns(account: ShardAccount, message: Cell) {
  let ms = 0;
  const host = { ...makeRunHost(), queue: new RunQueue({ monotonic: () => (ms += 2) }) };
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const run = { config: readSmallConfig(), account, message, now: testNow, lt: 1_000_000n, randomSeed: zeroHash };
  const outcome = await runTransaction(run, host);
  isOver = true;
  if (outcome.kind !== "done") throw new Error(outcome.reason);
  return { ...outcome, turns };
}

describe("a transaction lets others use the thread", () => {
  it("while it counts a large state and makes its storage dictionary", async () => {
    // ACCEPT, then replaces the data by its first reference: PUSHROOT CTOS LDREF DROP POPROOT
    const code = makeCode("f800ed44d0d430ed54");
    const data = makeCellTree(20_000, 1);
    const before = makeActiveAccount(testAddress, code, beginCell().storeRef(data).cell());
    const { account, turns } = await countTurns(before, makeExternalMessage(testAddress));
    const counter = runAtOnce(CellCounter.ofState([code, data]));
    const stored = account.account.load();
    expect(stored.kind === "account" && stored.storageInfo.used.cells).toBe(counter.cells + 1);
    const dictHash = BigInt(`0x${runAtOnce(counter.dictionaryHash())}`);
    expect(stored.kind === "account" && stored.storageInfo.extra).toEqual({ kind: "info", dictHash });
    expect(turns).toBeGreaterThan(20_000 / 500 + 20_000 / 128);
  });

  it("while it measures large messages", async () => {
    const messages = [1, 2].map((salt) => storeLarge(makeCellTree(8_000, salt)));
    const code = makeCode(`f800${"8871fb00".repeat(2)}`, ...messages);
    const { turns, transaction } = await countTurns(
      makeActiveAccount(testAddress, code),
      makeExternalMessage(testAddress),
    );
    expect(transaction.messages.out.count()).toBe(2);
    expect(turns).toBeGreaterThanOrEqual(2 * Math.floor((8_000 - 1) / 500));
  });

  it("while it measures an external message and the state in it", async () => {
    const libraries = makeDictionary(hashKey, SimpleLibrary, []);
    const data = makeCellTree(8_000, 3);
    const init = { fixedPrefixLength: undefined, special: undefined, code: makeCode("f800"), data, libraries };
    const address = makeAddress(0, storeCell(StateInit, init).hash());
    const info = { kind: "externalIn", src: undefined, dest: address, importFee: 0n } as const;
    const message = { info, init, body: emptyCell, initPlace: "ref", bodyPlace: "inline" } as const;
    const { turns, exitCode } = await countTurns(uninitAccount(address), storeCell(Message, message));
    expect(exitCode).toBe(0);
    expect(turns).toBeGreaterThan((2 * 8_000) / 500 + 8_000 / 128);
  });
});

function storeLarge(body: Cell): Cell {
  return storeCell(RelaxedMessage, sentMessage(testAddress, { body, bodyPlace: "ref" }));
}

function uninitAccount(address: ReturnType<typeof makeAddress>): ShardAccount {
  const account = makeLinked(Account, {
    kind: "account",
    address,
    storageInfo: { used: { cells: 1, bits: 103 }, extra: { kind: "none" }, lastPaid: testNow, duePayment: undefined },
    storage: { lastTransactionLt: 0n, balance: coinsOnly(100_000_000_000n), state: { kind: "uninit" } },
  });
  return { account, lastTransactionHash: zeroHash, lastTransactionLt: 0n };
}
