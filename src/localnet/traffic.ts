import { writeBoc } from "../cell/boc.ts";
import { isCoded } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { type Random, seededRandom } from "../lib/random.ts";
import type { Faucet } from "./faucet.ts";
import type { Localnet } from "./Localnet.ts";
import { makeSigningKey } from "./wallets/SigningKey.ts";
import { signTransfers } from "./wallets/transfer.ts";
import { makeWallet, type Wallet } from "./wallets/Wallet.ts";
import { findSeqno } from "./wallets/walletSeqno.ts";

export interface TrafficOptions {
  readonly perSecond: number;
  /** The number of wallets; by default enough for the rate at one block per second. */
  readonly wallets?: number;
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

/** A wallet and what it waits for: the block that increases its seqno. */
interface Player {
  readonly wallet: Wallet;
  /** The seqno of the message in flight. */
  busyWith: number | undefined;
  busyUntil: number;
  /** The newest masterchain block when its seqno was last read: it cannot change before the next one. */
  seenAt: number;
}

const coin = 1_000_000_000n;
const startingCoins = 100n * coin;
const tickMs = 50;
const validForSeconds = 60;
const mostPlayers = 2_000;
/** The limit of unanswered messages: more would only slow the chain down. */
const mostUnanswered = 100;

/**
 * Generates load: transfers per second among its own wallets, each an external message. The wallets are funded by the
 * faucet and deployed by their first message.
 */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #modules: TrafficModules;
  readonly #random: Random;
  readonly #players: readonly Player[];
  #cancelTimer: (() => void) | undefined;
  #startedAtMs = 0;
  #sent = 0;
  #accepted = 0;
  #refused = 0;
  #unanswered = 0;
  #next = 0;

  constructor(options: TrafficOptions, modules: TrafficModules) {
    this.#options = options;
    this.#modules = modules;
    const count = options.wallets ?? Math.min(mostPlayers, Math.max(10, Math.ceil(options.perSecond * 3)));
    this.#random = seededRandom(`traffic on ${modules.net.ledger.headId.rootHash}`);
    this.#players = Array.from({ length: count }, () => ({
      wallet: makeWallet("v3r2", makeSigningKey(this.#random.bytes(32))),
      busyWith: undefined,
      busyUntil: 0,
      seenAt: -1,
    }));
  }

  get counters(): TrafficCounters {
    return { accepted: this.#accepted, refused: this.#refused };
  }

  /** Funds the wallets and starts; resolves when the first transfers are in flight. */
  async start(): Promise<void> {
    const { faucet, net } = this.#modules;
    await Promise.all(this.#players.map(({ wallet }) => faucet.give(wallet.address, startingCoins)));
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
      this.#tick();
      this.#plan();
    });
  }

  #tick(): void {
    const elapsedMs = this.#modules.net.clock.monotonic() - this.#startedAtMs;
    const owed = Math.floor((elapsedMs * this.#options.perSecond) / 1000) - this.#sent;
    // Transfers that found no free wallet are not made up for: that would add load.
    this.#sent += owed;
    for (let i = 0; i < owed && this.#unanswered < mostUnanswered; i++) {
      const player = this.#findIdle();
      if (player === undefined) return;
      void this.#play(player);
    }
  }

  #findIdle(): Player | undefined {
    for (let tried = 0; tried < this.#players.length; tried++) {
      const player = this.#players[this.#next++ % this.#players.length];
      if (player !== undefined && this.#isIdle(player)) return player;
    }
    return undefined;
  }

  #isIdle(player: Player): boolean {
    if (player.busyWith === undefined) return true;
    const { account, clock, ledger } = this.#modules.net;
    if (player.seenAt === ledger.headId.seqno) return false;
    player.seenAt = ledger.headId.seqno;
    const seqno = findSeqno("v3r2", account.call(this.#modules.net, player.wallet.address)) ?? 0;
    return seqno > player.busyWith || clock.seconds > player.busyUntil;
  }

  async #play(player: Player): Promise<void> {
    const { net, log } = this.#modules;
    const seqno = findSeqno("v3r2", net.account(player.wallet.address));
    const now = net.clock.seconds;
    player.busyWith = seqno ?? 0;
    player.busyUntil = now + validForSeconds;
    const to = this.#players[this.#random.int(this.#players.length)]?.wallet.address ?? player.wallet.address;
    const amount = BigInt(1 + this.#random.int(10_000_000));
    const options = { seqno: seqno ?? 0, now, validForSeconds, deploy: seqno === undefined };
    this.#unanswered++;
    try {
      await net.submit(writeBoc(signTransfers(player.wallet, [{ to, amount }], options)));
      this.#accepted++;
    } catch (error) {
      this.#refused++;
      player.busyWith = undefined;
      if (!isCoded(error, "lite/server")) log.warn("traffic could not be sent", { error: String(error) });
    } finally {
      this.#unanswered--;
    }
  }
}
