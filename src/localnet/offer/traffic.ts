import { writeBoc } from "../../cell/boc.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { type Random, seededRandom } from "../../lib/random.ts";
import { coin } from "../../model/coins.ts";
import type { Faucet } from "../network/faucet.ts";
import type { Localnet } from "../network/Localnet.ts";
import { makeSigningKey } from "../wallets/SigningKey.ts";
import { signTransfers } from "../wallets/transfer.ts";
import { findSeqno, makeWallet, type Wallet } from "../wallets/Wallet.ts";

export interface TrafficOptions {
  readonly perSecond: number;
  /** The number of wallets; by default enough for the rate at one block per second. */
  readonly wallets?: number;
  /** After how many seconds it ends by itself; never by default. */
  readonly seconds?: number | undefined;
}

export interface TrafficModules {
  readonly net: Localnet;
  readonly faucet: Faucet;
  readonly log: Log;
}

export interface TrafficCounters {
  /** Messages that the chain accepted, and those that it refused. */
  readonly accepted: number;
  readonly refused: number;
}

/** A message in flight, which ends with the block that increases the wallet's seqno. */
interface Flight {
  readonly wallet: Wallet;
  readonly seqno: number;
  readonly until: number;
}

const startingCoins = 100n * coin;
const tickMs = 50;
const validForSeconds = 60;

const limits = {
  wallets: 2_000,
  /** Messages without an answer: more would only slow the chain down. */
  unanswered: 100,
  /** Messages come into blocks nearly in their order: behind this many that still wait, none is looked at. */
  stillWaiting: 50,
} as const;

/**
 * Generates load: transfers per second among its own wallets, each an external message. The wallets are funded by the
 * faucet and deployed by their first message.
 */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #modules: TrafficModules;
  readonly #random: Random;
  readonly #wallets: readonly Wallet[];
  readonly #idle: Wallet[];
  /** In the order of sending. */
  #flights: Flight[] = [];
  /** The masterchain block after which flights were looked at. */
  #seenAt = -1;
  #cancelTimer: (() => void) | undefined;
  #startedAtMs = 0;
  #sent = 0;
  #accepted = 0;
  #refused = 0;
  #unanswered = 0;

  constructor(options: TrafficOptions, modules: TrafficModules) {
    this.#options = options;
    this.#modules = modules;
    const count = options.wallets ?? Math.min(limits.wallets, Math.max(10, Math.ceil(options.perSecond * 3)));
    this.#random = seededRandom(`traffic on ${modules.net.ledger.headId.rootHash}`);
    this.#wallets = Array.from({ length: count }, () => makeWallet("v3r2", makeSigningKey(this.#random.bytes(32))));
    this.#idle = this.#wallets.toReversed();
  }

  get counters(): TrafficCounters {
    return { accepted: this.#accepted, refused: this.#refused };
  }

  /** Funds the wallets and starts; resolves when the first transfers are in flight. */
  async start(): Promise<void> {
    const { faucet, net } = this.#modules;
    await Promise.all(this.#wallets.map(({ address }) => faucet.give(address, startingCoins)));
    this.#startedAtMs = net.clock.monotonic();
    this.#plan();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #plan(): void {
    // The next tick is planned after this one, so that the chain has time in between.
    this.#cancelTimer = this.#modules.net.clock.timer(tickMs, () => {
      const { seconds = Number.POSITIVE_INFINITY } = this.#options;
      const elapsedMs = this.#modules.net.clock.monotonic() - this.#startedAtMs;
      if (elapsedMs >= seconds * 1_000) {
        this.#modules.log.info("the traffic has ended", { ...this.counters });
        return;
      }
      this.#tick(elapsedMs);
      this.#plan();
    });
  }

  #tick(elapsedMs: number): void {
    const owed = Math.floor((elapsedMs * this.#options.perSecond) / 1000) - this.#sent;
    // Transfers that found no free wallet are not made up for: that would add load.
    this.#sent += owed;
    this.#land();
    for (let i = 0; i < owed && this.#unanswered < limits.unanswered; i++) {
      const wallet = this.#idle.pop();
      if (wallet === undefined) return;
      void this.#play(wallet);
    }
  }

  /** Ends the flights whose messages are in blocks, or expired. */
  #land(): void {
    const { net } = this.#modules;
    const { seqno } = net.ledger.headId;
    if (this.#seenAt === seqno) return;
    this.#seenAt = seqno;
    let at = 0;
    const waiting: Flight[] = [];
    for (; at < this.#flights.length && waiting.length < limits.stillWaiting; at++) {
      const flight = this.#flights[at] as Flight;
      if (this.#isOver(flight)) this.#idle.unshift(flight.wallet);
      else waiting.push(flight);
    }
    this.#flights = [...waiting, ...this.#flights.slice(at)];
  }

  #isOver({ wallet, seqno, until }: Flight): boolean {
    const { net } = this.#modules;
    return (findSeqno("v3r2", net.account(wallet.address)) ?? 0) > seqno || net.clock.seconds > until;
  }

  async #play(wallet: Wallet): Promise<void> {
    const { net, log } = this.#modules;
    const seqno = findSeqno("v3r2", net.account(wallet.address));
    const now = net.clock.seconds;
    const flight = { wallet, seqno: seqno ?? 0, until: now + validForSeconds };
    this.#flights.push(flight);
    const to = this.#wallets[this.#random.int(this.#wallets.length)]?.address ?? wallet.address;
    const amount = BigInt(1 + this.#random.int(10_000_000));
    const options = { seqno: seqno ?? 0, now, validForSeconds, deploy: seqno === undefined };
    this.#unanswered++;
    try {
      await net.submit(writeBoc(signTransfers(wallet, [{ to, amount }], options)));
      this.#accepted++;
    } catch (error) {
      this.#refused++;
      this.#flights = this.#flights.filter((other) => other !== flight);
      this.#idle.unshift(wallet);
      if (!isCoded(error, "lite/server")) log.warn("traffic could not be sent", { error: String(error) });
    } finally {
      this.#unanswered--;
    }
  }
}
