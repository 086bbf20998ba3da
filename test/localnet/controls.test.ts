import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { beginCell } from "../../src/cell/Builder.ts";
import { verifySample } from "../../src/history/verify/verifySample.ts";
import { isCoded } from "../../src/lib/errors.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { LocalnetError } from "../../src/localnet/errors.ts";
import type { ShardCount } from "../../src/localnet/ledger/shardCount.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { restoreArchive } from "../../src/localnet/store/restoreArchive.ts";
import { isAccountWrite } from "../../src/model/AccountWrite.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { openIndexStage } from "../kit/history/indexStage.ts";
import { checkBlocks, checkTotals } from "../kit/localnet/checkDelivery.ts";
import { listTransactions } from "../kit/localnet/ledgerTransactions.ts";
import { openChainKit, recordLog, type TestChain } from "../kit/localnet/localChain.ts";
import { listDifferentReplays } from "../kit/localnet/replayLedger.ts";
import { setSplitDepths } from "../kit/localnet/splits.ts";
import { repeats, someOf } from "../kit/suite/everything.ts";

const kit = await openChainKit();
const folder = mkdtempSync(join(tmpdir(), "tongate-controls-"));
afterAll(async () => {
  await kit.close();
  rmSync(folder, { recursive: true });
});

const coin = 1_000_000_000n;
const killed = new LocalnetError("localnet/closed", "killed");

/** A chain and what happens to it by chance. */
class Play {
  readonly #random;
  readonly #seed: number;
  readonly #shards: ShardCount;
  #place: string;
  #chain: TestChain | undefined;
  #snapshots = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(`controls ${seed}`);
    this.#shards = this.#pick([1, 2, 4, "auto"] as const);
    this.#place = join(folder, `chain-${seed}`);
  }

  get chain(): TestChain {
    if (this.#chain === undefined) throw new Error("the chain is not open");
    return this.#chain;
  }

  async open(): Promise<void> {
    this.#chain = await kit.open({ folder: this.#place, shards: this.#shards });
  }

  async act(): Promise<void> {
    const acts = [
      () => this.#write(),
      () => this.#write(),
      () => this.#sendAs(),
      () => this.#sendAs(),
      () => this.#transfer(false),
      () => this.#transfer(true),
      () => this.#give(),
      () => this.#setConfig(),
      () => this.#reshard(),
      () => this.chain.rounds(1 + this.#below(2)),
      () => this.#kill(),
      () => this.#goBack(),
    ];
    await this.#pick(acts)();
  }

  #below(count: number): number {
    return this.#random.int(count);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  /** Few accounts in all shards and in the masterchain, some of them wallets. */
  #address(): Address {
    const at = this.#below(8);
    if (at < 3) return this.chain.wallet(at).address;
    return makeAddress(at === 7 ? -1 : 0, (at * 32 + 7).toString(16).padStart(2, "0").repeat(32));
  }

  async #write(): Promise<void> {
    const { controls } = this.chain.net;
    const address = this.#address();
    const cell = beginCell().storeUint(this.#below(200), 16).cell();
    const balance = BigInt(this.#below(200)) * coin;
    const isWallet = [0, 1, 2].some((at) => this.chain.wallet(at).address === address);
    controls.write(address, { kind: "balance", balance });
    // A wallet with other code would not send any more.
    if (isWallet) return;
    const writes = [
      () => controls.write(address, { kind: "data", data: cell }),
      () => controls.write(address, { kind: "code", code: cell }),
      () => controls.write(address, { kind: "account", account: { kind: "none" } }),
      () => controls.write(address, { kind: "state", state: { kind: "uninit" } }),
    ];
    this.#pick(writes)();
  }

  async #sendAs(): Promise<void> {
    const value = BigInt(this.#below(50)) * coin;
    const wanted = { from: this.#address(), to: this.#address(), value, bounce: this.#below(2) === 0 };
    this.chain.net.controls.sendAs(wanted);
  }

  async #transfer(isForged: boolean): Promise<void> {
    const { chain } = this;
    const wallet = chain.wallet(this.#below(3));
    if (isForged) chain.net.controls.impersonate(wallet.address);
    const key = isForged ? chain.wallet(3).key : wallet.key;
    const message = chain.sign({ ...wallet, key }, { to: this.#address(), amount: coin });
    // A wallet whose balance was set to nothing cannot send.
    await chain.submit(message).catch((error: unknown) => {
      if (!isCoded(error, "lite/server")) throw error;
    });
  }

  async #give(): Promise<void> {
    const faucet = new Faucet({}, { net: this.chain.net });
    // A message that is not in the next blocks may be lost with a kill.
    await faucet.post(this.#address(), coin).catch((error: unknown) => {
      if (!isCoded(error)) throw error;
    });
    await this.chain.rounds(2);
    faucet.close();
  }

  async #setConfig(): Promise<void> {
    const value = beginCell().storeUint(this.#below(200), 8).cell();
    this.chain.net.controls.setConfig(-1 - this.#below(3), this.#below(3) === 0 ? undefined : value);
  }

  /** Shards split and merge within the next rounds. */
  async #reshard(): Promise<void> {
    const depth = this.#below(4);
    setSplitDepths(this.chain.net, depth, depth + this.#below(2));
    await this.chain.rounds(3);
  }

  /** What waits for a block is lost; the chain is not. */
  async #kill(): Promise<void> {
    const head = this.chain.net.ledger.headId;
    await this.chain.net.destroy(killed);
    await this.open();
    expect(this.chain.net.ledger.headId).toEqual(head);
  }

  async #goBack(): Promise<void> {
    const archive = join(folder, `${this.#seed}-${this.#snapshots++}.chain`);
    await this.chain.net.archive(archive);
    const head = this.chain.net.ledger.headId;
    await this.chain.rounds(1);
    await this.chain.net.close();
    this.#place = `${archive}-folder`;
    await restoreArchive(archive, this.#place, recordLog());
    await this.open();
    expect(this.chain.net.ledger.headId).toEqual(head);
  }
}

/** Indexes a chain whole and compares all rows with it; returns the differences. */
async function listIndexDifferences({ ledger }: Localnet) {
  const stage = await openIndexStage(ledger);
  const { signal } = new AbortController();
  try {
    await stage.indexer({}).run(signal);
    const modules = { ...stage.modules, network: "testnet", random: seededRandom("verify") } as const;
    const everything = { count: ledger.headId.seqno, accountsPerBlock: 1_000, tracesPerBlock: 1_000 };
    const { blocks, differences } = await verifySample(modules, everything, signal);
    expect(blocks.length).toBe(ledger.headId.seqno);
    return differences;
  } finally {
    await stage.close();
  }
}

describe("controls, messages, splits, merges, kills and snapshots in any order", () => {
  let written = 0;
  const seeds = Array.from({ length: repeats({ usual: 2, all: 12 }) }, (_, seed) => seed);
  const indexed = someOf(seeds, (seed) => seed === 0);

  it.each(seeds)(
    "leave a chain whose coins add up, whose transactions can be run again, and whose index equals it: %i",
    async (seed) => {
      const play = new Play(seed);
      await play.open();
      for (let step = 0; step < 40; step++) await play.act();
      const { net } = play.chain;
      do await play.chain.rounds(1);
      while (net.hasWork);
      checkBlocks(net.ledger);
      checkTotals(net.ledger);
      expect(await listDifferentReplays(net.ledger, kit.executor)).toEqual([]);
      if (indexed.includes(seed)) expect(await listIndexDifferences(net)).toEqual([]);
      written += listTransactions(net.ledger).filter(isAccountWrite).length;
    },
  );

  it("have written accounts", () => {
    expect(written).toBeGreaterThan(seeds.length);
  });
});
