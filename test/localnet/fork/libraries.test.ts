import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { type ServedOrigin, serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const publisher = makeAddress(-1, "7".repeat(64) as Hash);
const receiver = makeAddress(0, "2".repeat(64) as Hash);

let kit: ChainKit;
let origin: TestChain;
let served: ServedOrigin;
/** A wallet whose code is a library. */
let wallet: Wallet;

beforeAll(async () => {
  kit = await openChainKit();
  origin = await kit.open();
  const plain = origin.wallet(0);
  const code = plain.init.code as Cell;
  const init = { ...plain.init, code: makeLibrary(code.hash()) };
  wallet = { ...plain, init, address: makeAddress(0, storeCell(StateInit, init).hash()) };
  const empty = plainInit(emptyCell, emptyCell);
  const libraries = empty.libraries.set(code.hash(), { public: true, root: code });
  const { controls } = origin.net;
  controls.write(publisher, { kind: "balance", balance: 1_000n * coin });
  controls.write(publisher, { kind: "state", state: { kind: "active", init: { ...empty, libraries } } });
  await origin.rounds(1);
});
afterAll(async () => {
  await served.close();
  await kit.close();
});

async function open(): Promise<TestChain> {
  served = await serveOrigin(origin.net);
  return kit.open({ fork: { origin: served } });
}

describe("a library of the origin of a fork", () => {
  it("comes when a message brings code that needs it", async () => {
    origin.net.controls.write(wallet.address, { kind: "balance", balance: 10n * coin });
    await origin.rounds(1);
    const fork = await open();
    const now = fork.net.clock.seconds;
    const message = signTransfers(wallet, [{ to: receiver, amount: coin }], { seqno: 0, now, deploy: true });
    await fork.submit(message);
    await fork.rounds(3);
    expect(fork.balance(receiver)).toBeGreaterThan(0n);
    await served.close();
  });

  it("comes with an account that names it", async () => {
    origin.net.controls.write(wallet.address, { kind: "state", state: { kind: "active", init: wallet.init } });
    await origin.rounds(1);
    const fork = await open();
    await fork.net.touch([wallet.address]);
    const queries = fork.net.fork?.report().queries;
    await fork.send(wallet, { to: wallet.address, amount: coin });
    await fork.rounds(1);
    expect(fork.seqno(wallet)).toBe(1);
    expect(fork.net.fork?.report().queries).toBe(queries);
  });
});
