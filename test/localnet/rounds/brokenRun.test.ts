import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { makeExternal } from "../../../src/localnet/wallets/transfer.ts";
import { type Address, accountOf, makeAddress } from "../../../src/model/Address.ts";
import { Message } from "../../../src/model/Message.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import type { Executor, TransactionRun } from "../../../src/tvm/Executor.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { checkBlocks, checkDelivery, checkTotals } from "../../kit/localnet/checkDelivery.ts";
import { listTransactions } from "../../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
// Does nothing; what it does is never seen, because the machine breaks on it once it is told to.
const init = plainInit(beginCell().storeUint(0, 8).cell(), emptyCell);
const place = makeAddress(0, storeCell(StateInit, init).hash());

/** The machine, except that it breaks on one code. */
function breaking(executor: Executor, isBreaking: () => boolean): Executor {
  const runsCode = ({ account, message }: TransactionRun): boolean => {
    const known = account.account.load();
    const isActive = known.kind === "account" && known.storage.state.kind === "active";
    const own = isActive ? known.storage.state.init : loadCell(Message, message).init;
    return own?.code?.hash() === init.code?.hash();
  };
  return {
    supportedGlobalVersion: executor.supportedGlobalVersion,
    runGetMethod: (run, signal) => executor.runGetMethod(run, signal),
    runTickTock: (run, signal) => executor.runTickTock(run, signal),
    runTransaction: async (run, signal) => {
      if (isBreaking() && runsCode(run)) throw new TvmError("tvm/crash", "broken by the test");
      return executor.runTransaction(run, signal);
    },
  };
}

let kit: ChainKit;
let chain: TestChain;
let isBreaking = true;
beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open(
    {},
    breaking(kit.executor, () => isBreaking),
  );
});
afterAll(() => kit.close());

function lastOf(address: Address) {
  return listTransactions(chain.net.ledger)
    .filter(({ account }) => account === accountOf(address))
    .at(-1);
}

function initHashOf(address: Address) {
  const account = chain.net.account(address).account.load();
  const state = account.kind === "account" ? account.storage.state : undefined;
  return state?.kind === "active" ? storeCell(StateInit, state.init).hash() : undefined;
}

describe("a message on which the machine breaks", () => {
  it("is sent back without its code, where it brings that", async () => {
    await chain.send(chain.wallet(3), { to: place, amount: coin, init, bounce: true });
    await chain.rounds(2);
    expect(lastOf(place)).toMatchObject({
      description: { aborted: true, compute: { kind: "skipped" }, bounce: { kind: "ok" } },
      messages: { in: { init: { code: { bitLength: 8 } } } },
    });
    expect(chain.balance(place)).toBe(0n);
  });

  it("is refused from outside", async () => {
    await chain.send(chain.wallet(3), { to: place, amount: 5n * coin, bounce: false });
    await chain.rounds(2);
    expect(chain.balance(place)).toBe(5n * coin);
    const message = makeExternal(place, emptyCell, init);
    await expect(chain.submit(message)).rejects.toMatchObject({ code: "lite/server" });
  });

  it("fails between accounts and leaves code and data alone", async () => {
    isBreaking = false;
    await chain.send(chain.wallet(4), { to: place, amount: coin, init, bounce: false });
    await chain.rounds(2);
    isBreaking = true;
    const sent = chain.balance(chain.wallet(4).address);
    const before = chain.balance(place);
    await chain.send(chain.wallet(4), { to: place, amount: 2n * coin, bounce: true });
    await chain.send(chain.wallet(5), { to: makeAddress(0, "b".repeat(64)), amount: coin });
    await chain.rounds(3);
    expect(lastOf(place)?.description).toMatchObject({
      aborted: true,
      compute: { kind: "vm", details: { exitCode: 38 } },
      bounce: { kind: "ok" },
    });
    expect(initHashOf(place)).toBe(storeCell(StateInit, init).hash());
    expect(before - chain.balance(place)).toBeLessThan(coin / 100n);
    expect(sent - chain.balance(chain.wallet(4).address)).toBeLessThan(coin / 10n);
    expect([chain.balance(makeAddress(0, "b".repeat(64))), chain.net.pending, chain.log.lines]).toEqual([coin, 0, []]);
  });

  it("loses nothing and leaves whole blocks", async () => {
    checkTotals(chain.net.ledger);
    checkBlocks(chain.net.ledger);
    checkDelivery(chain.net.ledger);
    isBreaking = false;
    await chain.send(chain.wallet(4), { to: place, amount: coin, bounce: true });
    await chain.rounds(2);
    expect(lastOf(place)?.description).toMatchObject({ aborted: false });
  });
});
