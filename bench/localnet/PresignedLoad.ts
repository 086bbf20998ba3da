import { writeBoc } from "../../src/cell/boc.ts";
import { isCoded } from "../../src/lib/errors.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import type { Faucet } from "../../src/localnet/network/faucet.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { makeSigningKey } from "../../src/localnet/wallets/SigningKey.ts";
import { signTransfers } from "../../src/localnet/wallets/transfer.ts";
import { findSeqno, makeWallet, type Wallet } from "../../src/localnet/wallets/Wallet.ts";

export interface PresignedLoadOptions {
  readonly perSecond: number;
  readonly wallets: number;
  /** How long the load lasts; no more messages are signed than it needs. */
  readonly seconds: number;
}

/** A wallet and its signed messages, the next one last. */
interface Sender {
  readonly wallet: Wallet;
  readonly messages: Uint8Array[];
}

const coin = 1_000_000_000n;
const tickMs = 20;
/** Messages that wait for an answer or a block; more are not offered. */
const maxWaiting = 1_000;
const validForSeconds = 3_600;

/**
 * Clients of a busy network: wallets that send one transfer after another. All messages are signed before the load
 * begins, because a network does not sign for its clients: what is measured while the load lasts is the network.
 */
export class PresignedLoad {
  readonly #options: PresignedLoadOptions;
  readonly #net: Localnet;
  readonly #random: Random = seededRandom("load");
  readonly #senders: readonly Sender[];
  #cancelTimer: (() => void) | undefined;
  #startedAtMs = 0;
  #offered = 0;
  #next = 0;
  #unanswered = 0;

  constructor(options: PresignedLoadOptions, net: Localnet) {
    this.#options = options;
    this.#net = net;
    const make = (): Wallet => makeWallet("v3r2", makeSigningKey(this.#random.bytes(32)));
    this.#senders = Array.from({ length: options.wallets }, () => ({ wallet: make(), messages: [] }));
  }

  /** Funds and deploys the wallets and signs their messages. */
  async prepare(faucet: Faucet): Promise<void> {
    const { ledger } = this.#net;
    // A fork delivers to accounts that it does not have a block later.
    await this.#net.touch(this.#senders.map(({ wallet }) => wallet.address));
    await Promise.all(this.#senders.map(({ wallet }) => faucet.give(wallet.address, 100n * coin)));
    for (const sender of this.#senders) await this.#net.submit(this.#sign(sender, 0));
    while (!this.#senders.every((sender) => this.#isDeployed(sender))) await ledger.reach(ledger.headId.seqno + 1);
    const { perSecond, seconds, wallets } = this.#options;
    const max = Math.ceil((perSecond * seconds) / wallets) + 1;
    for (const sender of this.#senders)
      for (let seqno = max; seqno >= 1; seqno--) sender.messages.push(this.#sign(sender, seqno));
  }

  start(): void {
    this.#startedAtMs = this.#net.clock.monotonic();
    this.#plan();
  }

  /** Sends this many messages one after another, beside those that are planned. */
  async send(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#send(this.#takeSender());
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #plan(): void {
    this.#cancelTimer = this.#net.clock.timer(tickMs, () => {
      this.#tick();
      this.#plan();
    });
  }

  /**
   * Sends what is owed; what has no room is not made up for. Wallets take turns and there are many more of them than
   * messages that wait, so the message before is in a block when a wallet sends again.
   */
  #tick(): void {
    const due = Math.floor(((this.#net.clock.monotonic() - this.#startedAtMs) * this.#options.perSecond) / 1000);
    const owed = due - this.#offered;
    this.#offered = due;
    for (let i = 0; i < owed && this.#unanswered + this.#net.pending < maxWaiting; i++)
      void this.#send(this.#takeSender());
  }

  #takeSender(): Sender {
    const sender = this.#senders[this.#next] as Sender;
    this.#next = (this.#next + 1) % this.#senders.length;
    return sender;
  }

  async #send(sender: Sender): Promise<void> {
    const message = sender.messages.pop();
    if (message === undefined) return;
    this.#unanswered++;
    try {
      await this.#net.submit(message);
    } catch (error) {
      // A network that is closed or full refuses; the wallet is out of step then and sends no more.
      if (!isCoded(error)) throw error;
      sender.messages.length = 0;
    } finally {
      this.#unanswered--;
    }
  }

  #isDeployed({ wallet }: Sender): boolean {
    return findSeqno("v3r2", this.#net.account(wallet.address)) !== undefined;
  }

  #sign({ wallet }: Sender, seqno: number): Uint8Array {
    const to = (this.#senders[this.#random.int(this.#senders.length)] as Sender).wallet.address;
    const transfer = { to, amount: BigInt(1 + this.#random.int(10_000_000)) };
    const options = { seqno, now: this.#net.clock.seconds, validForSeconds, deploy: seqno === 0 };
    return writeBoc(signTransfers(wallet, [transfer], options));
  }
}
