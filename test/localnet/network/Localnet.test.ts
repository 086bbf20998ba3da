import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { firstVersion } from "../../../src/localnet/ledger/networkVersion.ts";
import { makeSigningKey } from "../../../src/localnet/wallets/SigningKey.ts";
import { makeExternal, signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import { makeWallet } from "../../../src/localnet/wallets/Wallet.ts";
import { type Address, accountOf, makeAddress } from "../../../src/model/Address.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import type { Transaction } from "../../../src/model/Transaction.ts";
import { compileTolk } from "../../kit/cell/compileTolk.ts";
import { listTransactions } from "../../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

let kit: ChainKit;
let chain: TestChain;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
});
afterAll(() => kit.close());

const coin = 1_000_000_000n;

/** The server's error for a message, or "accepted". */
async function answerTo(send: Promise<void>): Promise<string> {
  try {
    await send;
    return "accepted";
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    return `${error.data.serverCode} ${error.data.serverMessage}`;
  }
}

function transactionsOf(address: Address): Transaction[] {
  return listTransactions(chain.net.ledger).filter(({ account }) => account === accountOf(address));
}

describe("a transfer", () => {
  it.each([0, 3, 6, 7, 8, 9])("from funded wallet %i moves its coins, with exact fees", async (index) => {
    const from = chain.wallet(index);
    const to = makeAddress(0, index.toString(16).padStart(64, "a"));
    const before = chain.balance(from.address);
    await chain.send(from, { to, amount: 3n * coin });
    expect(chain.net.pending).toBe(1);
    await chain.rounds(1);
    const [sent] = transactionsOf(from.address).slice(-1);
    const [received] = transactionsOf(to);
    const [message] = sent?.messages.out.values() ?? [];
    const info = message?.info.kind === "internal" ? message.info : undefined;
    expect(info?.value.coins).toBe(3n * coin);
    const action = sent?.description.kind === "ordinary" ? sent.description.action : undefined;
    const forwarded = action?.totalFwdFees ?? 0n;
    const actionFees = action?.totalActionFees ?? 0n;
    // The transaction's fees contain the sender's share of the forward fee; the rest travels with the message.
    const paid = (sent?.totalFees.coins ?? 0n) + forwarded - actionFees;
    expect(chain.balance(from.address)).toBe(before - 3n * coin - paid);
    expect(chain.balance(to)).toBe(3n * coin - (received?.totalFees.coins ?? 0n));
    expect(chain.net.pending).toBe(0);
  });

  it("is made once, however often its message is sent", async () => {
    const from = chain.wallet(4);
    const to = makeAddress(0, "b".repeat(64));
    const message = chain.sign(from, { to, amount: coin });
    await chain.submit(message);
    await chain.submit(message);
    expect(chain.net.pending).toBe(1);
    await chain.rounds(2);
    expect(chain.balance(to)).toBe(coin);
    expect(await answerTo(chain.submit(message))).toMatch(/^-701 .*\nexitcode=33, steps=\d+, gas_used=0\n/);
  });
});

describe("a contract", () => {
  it("is deployed by a message with its code", async () => {
    const wallet = makeWallet("v4r2", makeSigningKey(new Uint8Array(32).fill(7)));
    await chain.send(chain.wallet(3), { to: wallet.address, amount: 5n * coin });
    await chain.rounds(1);
    expect(chain.net.account(wallet.address).account.load()).toMatchObject({ storage: { state: { kind: "uninit" } } });
    const to = makeAddress(0, "c".repeat(64));
    const options = { seqno: 0, now: chain.net.clock.seconds, deploy: true };
    await chain.submit(signTransfers(wallet, [{ to, amount: coin }], options));
    await chain.rounds(1);
    expect(chain.net.account(wallet.address).account.load()).toMatchObject({ storage: { state: { kind: "active" } } });
    expect(chain.seqno(wallet)).toBe(1);
    expect(chain.balance(to)).toBe(coin);
  });

  it("is deployed by a transfer with its code, and bounces what it cannot handle", async () => {
    // Code that always fails: THROW 77.
    const init = plainInit(beginCell().storeUint(0xf2c04d, 24).cell(), emptyCell);
    const to = makeAddress(0, storeCell(StateInit, init).hash());
    const from = chain.wallet(5);
    const before = chain.balance(from.address);
    await chain.send(from, { to, amount: 2n * coin, init, bounce: true });
    await chain.rounds(1);
    const [failed] = transactionsOf(to);
    expect(failed?.description).toMatchObject({ aborted: true, bounce: { kind: "ok" }, compute: { kind: "vm" } });
    expect(chain.balance(from.address)).toBeGreaterThan(before - coin / 50n);
    expect(chain.balance(from.address)).toBeLessThan(before);
  });
});

describe("the masterchain and the basechain", () => {
  it("deliver to each other through their queues, in both directions", async () => {
    const echo = plainInit(
      await compileTolk(join(import.meta.dirname, "../../fixtures/localnet/echo.tolk")),
      emptyCell,
    );
    const to = makeAddress(-1, storeCell(StateInit, echo).hash());
    const from = chain.wallet(6);
    await chain.send(from, { to, amount: 10n * coin, init: echo });
    await chain.rounds(1);
    const sent = chain.balance(from.address);
    await chain.rounds(3);
    expect(transactionsOf(to)).toHaveLength(1);
    const [answered] = transactionsOf(from.address).slice(-1);
    expect(answered?.messages.in?.info).toMatchObject({ kind: "internal", src: to });
    expect(chain.balance(from.address)).toBeGreaterThan(sent + 9n * coin);
    expect(chain.net.hasWork).toBe(false);
  });
});

describe("a message that a node would reject", () => {
  const start = "cannot apply external message to current state : ";
  const far = makeAddress(0, "d".repeat(64));

  it("is rejected with the node's text", async () => {
    const wallet = chain.wallet(3);
    const good = chain.sign(wallet, { to: far, amount: coin });
    const account = accountOf(wallet.address).toUpperCase();
    const rejected = `${start}External message was not accepted: cannot run message on account: inbound external message rejected by transaction ${account}:\n`;
    const expired = signTransfers(wallet, [], { seqno: chain.seqno(wallet), now: 1 });
    expect(await answerTo(chain.submit(expired))).toBe(
      `-701 ${rejected}exitcode=36, steps=13, gas_used=0\nVM Log (truncated):\n...CTPUSHCONST 19 (xC_,1)\nexecute DICTIGETJMPZ\nexecute PUSHPOW2 9\nexecute LDSLICEX\nexecute DUP\nexecute LDU 32\nexecute LDU 32\nexecute LDU 32\nexecute XCHG s2\nexecute NOW\nexecute LEQ\nexecute THROWIF 36\ndefault exception handler, terminating vm with exit code 36\n`,
    );
    const wrongKey = { ...wallet, key: makeSigningKey(new Uint8Array(32).fill(1)) };
    const forged = chain.sign(wrongKey, { to: far, amount: coin });
    expect(await answerTo(chain.submit(forged))).toContain(`-701 ${rejected}exitcode=35, steps=`);
    expect(await answerTo(chain.submit(good))).toBe("accepted");
    await chain.rounds(1);
  });

  it("needs an existing account", async () => {
    const body = beginCell().storeUint(1, 32).cell();
    expect(await answerTo(chain.submit(makeExternal(makeAddress(0, "e".repeat(64)), body)))).toBe(
      `0 ${start}Failed to unpack account state`,
    );
    const deploying = makeExternal(makeAddress(0, "e".repeat(64)), body, chain.wallet(3).init);
    expect(await answerTo(chain.submit(deploying))).toBe(`0 ${start}Failed to unpack account state`);
    expect(await answerTo(chain.submit(makeExternal(makeAddress(7, "e".repeat(64)), body)))).toBe(
      `651 ${start}no shard in masterchain state for account 7:0x${"e".repeat(16)}`,
    );
    expect(await answerTo(chain.submit(makeExternal(makeAddress(0, "b".repeat(64)), body)))).toBe(
      `-701 ${start}External message was not accepted: cannot run message on account: inbound external message rejected by transaction ${"B".repeat(64)}:\nexitcode=0, steps=0, gas_used=0`,
    );
  });

  it("must be a message", async () => {
    expect(await answerTo(chain.net.submit(new TextEncoder().encode("not a boc")))).toBe(
      `0 ${start}cannot deserialize bag-of-cells: invalid header, error 0`,
    );
    expect(await answerTo(chain.submit(emptyCell))).toBe(
      `0 ${start}external message must begin with ext_in_msg_info$10`,
    );
  });
});

describe("time", () => {
  it("advances on request, and never goes back", async () => {
    const before = chain.net.clock.seconds;
    chain.net.advanceTime(86_400);
    await chain.rounds(1);
    expect(chain.net.ledger.head?.info.genUtime).toBe(before + 86_401);
    expect(() => chain.net.advanceTime(-1)).toThrowError("time can only be advanced, not by -1 seconds");
  });
});

it("measures the age of its newest block by the clock, however far ahead the chain's time is", async () => {
  const other = await kit.open();
  other.net.advanceTime(1_000_000);
  await other.rounds(1);
  expect(other.net.headAgeMs).toBe(0);
  await other.clock.advance(90_000);
  expect(other.net.headAgeMs).toBe(90_000);
});

describe("the global version of a new network", () => {
  it.each([
    [undefined, 14],
    [13, 13],
    [15, 15],
  ] as const)("requested as %s is %i, and its blocks follow it", async (globalVersion, expected) => {
    const other = await kit.open({ globalVersion });
    const [from, to] = [other.wallet(0), makeAddress(0, "ab".repeat(32))];
    await other.send(from, { to, amount: coin });
    await other.rounds(2);
    expect(other.balance(to)).toBe(coin);
    expect(firstVersion(other.net.ledger.zero)).toBe(expected);
  });
});
