import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Log } from "../../../src/lib/log.ts";
import { Localnet } from "../../../src/localnet/network/Localnet.ts";
import type { LocalnetOptions } from "../../../src/localnet/network/LocalnetOptions.ts";
import type { NetworkKeys } from "../../../src/localnet/wallets/networkKeys.ts";
import { signTransfers, type Transfer } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { findSeqno } from "../../../src/localnet/wallets/Wallet.ts";
import type { Address } from "../../../src/model/Address.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { ManualClock } from "../suite/ManualClock.ts";
import { testKeys, testSeed } from "./testKeys.ts";

/** A log that stores its lines. */
export interface RecordedLog extends Log {
  readonly lines: string[];
}

export function recordLog(): RecordedLog {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  const log: RecordedLog = { lines, debug: write, info: write, warn: write, error: write, child: () => log };
  return log;
}

/** Shared by the chains of one test file: an executor, and keys, which are slow to derive. */
export interface ChainKit {
  readonly executor: LiveExecutor;
  readonly keys: NetworkKeys;
  /** A chain with a manual clock and manual rounds; `machine` defaults to the kit's executor. */
  open(options?: Partial<LocalnetOptions>, machine?: Executor): Promise<TestChain>;
  close(): Promise<void>;
}

export async function openChainKit(): Promise<ChainKit> {
  const executor = await openExecutor({}, { clock: systemClock });
  const keys = await testKeys();
  const opened: TestChain[] = [];
  return {
    executor,
    keys,
    open: async (options = {}, machine = executor) => {
      const clock = new ManualClock();
      const log = recordLog();
      const settings = { seed: testSeed, pace: { kind: "manual" as const }, keys, ...options };
      const chain = new TestChain(await Localnet.open(settings, { clock, executor: machine, log }), clock, log);
      opened.push(chain);
      return chain;
    },
    close: async () => {
      for (const chain of opened) await chain.net.close();
      await executor.close();
    },
  };
}

/** A local network controlled by a test. */
export class TestChain {
  readonly net: Localnet;
  readonly clock: ManualClock;
  readonly log: RecordedLog;

  constructor(net: Localnet, clock: ManualClock, log: RecordedLog) {
    this.net = net;
    this.clock = clock;
    this.log = log;
  }

  /** Advances the clock by a second and makes a round, `count` times. */
  async rounds(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await this.clock.advance(1000);
      await this.net.step();
    }
  }

  wallet(index: number): Wallet {
    const funded = this.net.keys.wallets[index];
    if (funded === undefined) throw new Error(`no wallet ${index}`);
    return funded.wallet;
  }

  balance(address: Address): bigint {
    const account = this.net.account(address).account.load();
    return account.kind === "account" ? account.storage.balance.coins : 0n;
  }

  seqno(wallet: Wallet): number {
    return findSeqno(wallet.version, this.net.account(wallet.address)) ?? 0;
  }

  sign(wallet: Wallet, ...transfers: Transfer[]): Cell {
    return signTransfers(wallet, transfers, { seqno: this.seqno(wallet), now: this.net.clock.seconds });
  }

  async send(wallet: Wallet, ...transfers: Transfer[]): Promise<void> {
    await this.submit(this.sign(wallet, ...transfers));
  }

  submit(message: Cell): Promise<void> {
    return this.net.submit(writeBoc(message));
  }
}
