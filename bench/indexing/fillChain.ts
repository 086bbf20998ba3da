import { writeBoc } from "../../src/cell/boc.ts";
import { jettonTransferBody } from "../../src/contracts/families/jetton/messages.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import { beginBody, storeAddress } from "../../src/localnet/demo/body.ts";
import { type Demo, makeDemo } from "../../src/localnet/demo/Demo.ts";
import { callMethod } from "../../src/localnet/demo/DemoStage.ts";
import { playDemo } from "../../src/localnet/demo/playDemo.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { makeSigningKey } from "../../src/localnet/wallets/SigningKey.ts";
import { signTransfers, type Transfer } from "../../src/localnet/wallets/transfer.ts";
import { findSeqno, makeWallet, type Wallet } from "../../src/localnet/wallets/Wallet.ts";
import type { Address } from "../../src/model/Address.ts";
import { coin } from "../../src/model/coins.ts";

export interface FillOptions {
  /** Rounds with transfers, after those that set the chain up. */
  readonly rounds: number;
  /** External messages of each round. */
  readonly transfersPerRound: number;
}

/** Somebody who sends; the tokens are known here, because nobody else moves them. */
interface Sender {
  readonly wallet: Wallet;
  tokens: bigint;
}

const startingCoins = 1_000n * coin;
/** One of this many transfers moves tokens: five transactions instead of two. */
const tokensEvery = 4;
const tokensAtStart = 100_000n * coin;
/** A wallet sends again this many rounds later at the earliest, when its message before is in a block. */
const roundsBetween = 8;
const validForSeconds = 3_600;

/**
 * Makes a chain with a demo set, then transfers of coins and tokens among many wallets, as fast as blocks can be made.
 * The network must make blocks by steps only.
 */
export async function fillChain(net: Localnet, { rounds, transfersPerRound }: FillOptions): Promise<void> {
  const demo = makeDemo(net.keys);
  await playDemo(net, demo);
  const random = seededRandom("filled chain");
  const make = (): Wallet => makeWallet("v3r2", makeSigningKey(random.bytes(32)));
  const senders = Array.from({ length: transfersPerRound * roundsBetween }, () => ({ wallet: make(), tokens: 0n }));
  await fund(net, senders);
  await giveTokens(net, demo, senders);
  let next = 0;
  for (let round = 0; round < rounds; round++) {
    const sent = Array.from({ length: transfersPerRound }, () => {
      const sender = senders[next++ % senders.length] as Sender;
      return send(net, sender.wallet, makeTransfer(demo, { sender, senders, random }));
    });
    await Promise.all(sent);
    await net.step();
  }
  while (net.hasWork) await net.step();
}

/** Lets a promise that waits for blocks resolve. */
async function stepUntil(net: Localnet, wanted: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = wanted.finally(() => {
    isOver = true;
  });
  // The last statement waits for it.
  over.catch(() => {});
  while (!isOver) await net.step();
  await over;
}

async function fund(net: Localnet, senders: readonly Sender[]): Promise<void> {
  const faucet = new Faucet({}, { net });
  await stepUntil(net, Promise.all(senders.map(({ wallet }) => faucet.give(wallet.address, startingCoins))));
  faucet.close();
}

/** The first wallet of the demo set has most tokens; it gives some to the first senders, who pass them on. */
async function giveTokens(net: Localnet, demo: Demo, senders: readonly Sender[]): Promise<void> {
  const { alice } = demo.people;
  const first = senders.slice(0, 4);
  const gifts = first.map((sender) => {
    sender.tokens += tokensAtStart;
    return tokenTransfer(demo, { from: alice.address, to: sender.wallet.address, amount: tokensAtStart });
  });
  for (const gift of gifts) {
    await send(net, alice, gift);
    while (net.hasWork) await net.step();
  }
}

interface TransferInput {
  readonly sender: Sender;
  readonly senders: readonly Sender[];
  readonly random: Random;
}

function makeTransfer(demo: Demo, { sender, senders, random }: TransferInput): Transfer {
  const receiver = senders[random.int(senders.length)] as Sender;
  const [from, to] = [sender.wallet.address, receiver.wallet.address];
  const amount = sender.tokens / 2n;
  if (amount === 0n || random.int(tokensEvery) > 0) return { to, amount: BigInt(1 + random.int(10_000_000)) };
  sender.tokens -= amount;
  receiver.tokens += amount;
  return tokenTransfer(demo, { from, to, amount });
}

interface TokenTransfer {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

function tokenTransfer({ jetton }: Demo, { from, to, amount }: TokenTransfer): Transfer {
  const body = storeAddress(storeAddress(beginBody(jettonTransferBody.opcode).storeCoins(amount), to), from)
    .storeBit(false)
    .storeCoins(1n)
    .storeBit(false)
    .cell();
  return callMethod(jetton.walletOf(from), coin / 10n, { body });
}

async function send(net: Localnet, wallet: Wallet, transfer: Transfer): Promise<void> {
  const seqno = findSeqno(wallet.version, net.account(wallet.address));
  const options = { seqno: seqno ?? 0, now: net.clock.seconds, validForSeconds, deploy: seqno === undefined };
  await net.submit(writeBoc(signTransfers(wallet, [transfer], options)));
}
