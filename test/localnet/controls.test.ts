import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { beginCell } from "../../src/cell/Builder.ts";
import { isCoded } from "../../src/lib/errors.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { LocalnetError } from "../../src/localnet/errors.ts";
import type { ForkOrigin } from "../../src/localnet/fork/fetchBase.ts";
import type { ShardCount } from "../../src/localnet/ledger/shardCount.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { forkFile } from "../../src/localnet/store/chainFiles.ts";
import { restoreArchive } from "../../src/localnet/store/restoreArchive.ts";
import { isAccountWrite } from "../../src/model/AccountWrite.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { openWholeIndex } from "../kit/app/wholeIndex.ts";
import { openFresh } from "../kit/history/database.ts";
import { checkBlocks, checkTotals } from "../kit/localnet/checkDelivery.ts";
import { serveOrigin } from "../kit/localnet/forkOrigin.ts";
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

/** An account without code, in each of eight parts of the basechain; the last one is in the masterchain. */
function accountAt(at: number): Address {
  return makeAddress(at === 7 ? -1 : 0, (at * 32 + 7).toString(16).padStart(2, "0").repeat(32));
}

/** Of the chains, one after the other. */
const shardCounts: readonly ShardCount[] = [4, "auto", 1, 2];

/** A chain and what happens to it by chance. */
class Play {
  readonly #random;
  readonly #shards: ShardCount;
  readonly #origin: ForkOrigin | undefined;
  #place: string;
  #chain: TestChain | undefined;
  #snapshots = 0;

  constructor(seed: number, origin?: ForkOrigin) {
    this.#random = seededRandom(`controls ${seed}`);
    this.#shards = shardCounts[seed % shardCounts.length] ?? 1;
    this.#origin = origin;
    this.#place = join(folder, `${origin === undefined ? "chain" : "fork"}-${seed}`);
  }

  get chain(): TestChain {
    if (this.#chain === undefined) throw new Error("the chain is not open");
    return this.#chain;
  }

  async open(): Promise<void> {
    const kind = this.#origin === undefined ? { shards: this.#shards } : { fork: { origin: this.#origin } };
    this.#chain = await kit.open({ folder: this.#place, ...kind });
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
    return at < 3 ? this.chain.wallet(at).address : accountAt(at);
  }

  async #write(): Promise<void> {
    const { controls } = this.chain.net;
    const address = this.#address();
    await this.chain.net.touch([address]);
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
    await this.chain.net.touch([wanted.to]);
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

  /** Shards split and merge within the next rounds; those of a fork stay as they are. */
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
    const archive = `${this.#place}-${this.#snapshots++}.chain`;
    await this.chain.net.archive(archive);
    const head = this.chain.net.ledger.headId;
    await this.chain.rounds(1);
    await this.chain.net.close();
    const former = this.#place;
    this.#place = `${archive}-folder`;
    // A snapshot of a fork needs what the fork has of its origin.
    mkdirSync(this.#place);
    if (this.#origin !== undefined) copyFileSync(join(former, forkFile), join(this.#place, forkFile));
    await restoreArchive(archive, this.#place, recordLog());
    await this.open();
    expect(this.chain.net.ledger.headId).toEqual(head);
  }
}

/** Indexes a chain whole and compares all rows with it; returns the differences. */
async function listIndexDifferences(net: Localnet) {
  const database = await openFresh("postgres");
  try {
    const index = openWholeIndex(net, { database, executor: kit.executor });
    await index.write();
    const { blocks, differences } = await index.verify();
    expect(blocks.length).toBe(index.blocks);
    return differences;
  } finally {
    await database.close();
  }
}

/** Plays until nothing is under way, checks the chain, and returns it. */
async function playAndCheck(play: Play): Promise<Localnet> {
  await play.open();
  for (let step = 0; step < 40; step++) await play.act();
  const { net } = play.chain;
  do await play.chain.rounds(1);
  while (net.hasWork);
  checkBlocks(net.ledger);
  checkTotals(net.ledger);
  expect(await listDifferentReplays(net.ledger, kit.executor)).toEqual([]);
  return net;
}

describe("controls, messages, splits, merges, kills and snapshots in any order", () => {
  let written = 0;
  const seeds = Array.from({ length: repeats({ usual: 2, all: shardCounts.length }) }, (_, seed) => seed);
  const indexed = someOf(seeds, (seed) => seed === 0);

  it.each(seeds)(
    "leave a chain whose coins add up, whose transactions can be run again, and whose index equals it: %i",
    async (seed) => {
      const net = await playAndCheck(new Play(seed));
      if (indexed.includes(seed)) expect(await listIndexDifferences(net)).toEqual([]);
      written += listTransactions(net.ledger).filter(isAccountWrite).length;
    },
  );

  it("have written accounts", () => {
    expect(written).toBeGreaterThan(seeds.length);
  });
});

describe("the same on a fork", () => {
  const seeds = Array.from({ length: repeats({ usual: 1, all: 2 }) }, (_, seed) => seed);

  it.each(seeds)(
    "leaves a chain whose coins add up, whose transactions can be run again, and whose index equals it: %i",
    async (seed) => {
      const origin = await kit.open({ shards: seed % 2 === 0 ? 4 : 1 });
      const rich = Array.from({ length: 8 }, (_, at) => accountAt(at));
      await origin.send(origin.wallet(0), ...rich.slice(0, 4).map((to) => ({ to, amount: coin })));
      await origin.send(origin.wallet(1), ...rich.slice(4).map((to) => ({ to, amount: coin })));
      do await origin.rounds(1);
      while (origin.net.hasWork);
      const served = await serveOrigin(origin.net);
      const net = await playAndCheck(new Play(seed, served));
      expect(net.ledger.base?.master.id).toEqual(origin.net.ledger.headId);
      expect(await listIndexDifferences(net)).toEqual([]);
      await served.close();
    },
  );
});
