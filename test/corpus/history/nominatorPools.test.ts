import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, readJson } from "../../../kit/suite/corpus.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { findPool } from "../../../src/contracts/families/nominators/pool.ts";
import { nominatorPoolCodes, PoolStorage } from "../../../src/contracts/families/nominators/poolStorage.ts";
import { groupBy } from "../../../src/contracts/kit/groupBy.ts";
import { nominatorPoolEntity, nominatorPools } from "../../../src/history/entities/nominatorPools.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { nominatorPoolEvents, poolValidatorEvents } from "../../../src/history/store/schema/poolTables.ts";
import type { Row } from "../../../src/history/store/schema/Table.ts";
import { verifySample } from "../../../src/history/verify/verifySample.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { demoCodes } from "../../../src/localnet/codes/demoCodes.ts";
import type { Address } from "../../../src/model/Address.ts";
import { accountOf, formatRawAddress, parseAddress } from "../../../src/model/Address.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { hashToBytes, parseHash } from "../../../src/model/Hash.ts";
import { PoolLedger } from "../../kit/contracts/poolLedger.ts";
import { openFresh } from "../../kit/history/database.ts";
import { readTable } from "../../kit/history/databaseRows.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";
import { PoolChain, poolMessages as send } from "../../kit/localnet/poolChain.ts";

type Json = Readonly<Record<string, unknown>>;

const never = new AbortController().signal;
const coin = 1_000_000_000n;
const share = 4000;
const firstReward = 101n * coin + 3n;

describeCorpusPart("recorded states of nominator pools", "staking/pool-states.json", (folder) => {
  const { states } = Object(readJson(folder, "staking/pool-states.json")) as { readonly states: readonly Json[] };

  it.each(states.map((each): [string, Json] => [String(each.address), each]))("%s is decoded", (address, state) => {
    const data = readRoot(fromBase64(String(state.data_boc)));
    const pool = findPool(data);
    if (pool === undefined) throw new Error("the state is not read");
    const place = { id: 0n, codeHash: data.hash(), dataHash: data.hash(), lastTransactionLt: 0n };
    const [row] = nominatorPoolEntity.makeRows(pool, { address: parseAddress(address).address, ...place });
    expect(row && shown(row)).toEqual(state.expected);
    // Every bit is known: the storage is the same after it was read and written.
    expect(storeCell(PoolStorage, loadCell(PoolStorage, data)).hash()).toBe(data.hash());
    expect(data.hash()).toBe(parseHash(String(state.data_hash)));
  });
});

/** A pool as the API shows it. */
function shown(row: Row<typeof nominatorPools>): unknown {
  return {
    state: row.state,
    nominators_count: row.nominatorsCount,
    stake_amount_sent: String(row.stakeAmountSent),
    validator_amount: String(row.validatorAmount),
    validator_address: formatRawAddress(row.validatorAddress),
    validator_reward_share: row.validatorRewardShare,
    max_nominators_count: row.maxNominatorsCount,
    min_validator_stake: String(row.minValidatorStake),
    min_nominator_stake: String(row.minNominatorStake),
    active_nominators: row.nominators.map((address, index) => ({
      address: formatRawAddress(address),
      balance: String(row.balances[index]),
      pending_balance: String(row.pendingBalances[index]),
    })),
  };
}

describeCorpusPart("nominator pools with their own code", "staking/contracts.json", (folder) => {
  const { contracts } = Object(readJson(folder, "staking/contracts.json")) as { readonly contracts: readonly Json[] };
  const recorded = contracts.filter(({ name }) => name === "NominatorPool");
  // The pool of the demo set does the same.
  const { hash, boc: demoBoc } = demoCodes.nominatorPool;
  const pools: readonly Json[] = [...recorded, { code_hash: hash, code_boc: demoBoc }];
  let kit: ChainKit;
  beforeAll(async () => {
    kit = await openChainKit();
  });
  afterAll(() => kit.close());

  it("have codes that are known", () => {
    const hashes = pools.map(({ code_boc: boc }) => readRoot(fromBase64(String(boc))).hash());
    expect(hashes.filter((hash) => !nominatorPoolCodes.includes(hash))).toEqual([]);
  });

  describe.each(pools.map((each): [string, Json] => [String(each.code_hash), each]))("%s", (_, { code_boc: boc }) => {
    let stage: IndexStage;
    let pool: PoolChain;
    const ledger = new PoolLedger(share);
    beforeAll(async () => {
      const chain = await kit.open();
      pool = new PoolChain(chain, readRoot(fromBase64(String(boc))));
      await play(pool, ledger);
      stage = await openIndexStage(chain.net.ledger);
      await stage.indexer({}).run(never);
    });
    afterAll(() => stage.close());

    it("have the events that follow from the messages alone", async () => {
      const { nominators, validator } = await listEvents(stage);
      expect(validator).toEqual(ledger.validatorEvents);
      // The messages of two nominators in one block have no order of their own.
      const byNominator = groupBy(nominators, ({ nominator }) => nominator);
      expect(byNominator).toEqual(groupBy(ledger.events, ({ nominator }) => nominator));
    });

    it("have transactions that share a block", async () => {
      const [row] = await stage.database.query(
        `select max(c.count) as most from (select count(*) as count from transactions t
         join nominator_pools p on p.address = t.account group by t.mc_block_seqno) c`,
      );
      expect(Number(row?.most)).toBeGreaterThan(1);
    });

    it("have the balances of the ledger", async () => {
      const [row] = await readTable(stage.database, nominatorPools);
      expect(row?.validatorAmount).toBe(ledger.validatorAmount);
      const balances = row?.nominators.map((address, at) => [address, row.balances[at], row.pendingBalances[at]]);
      const expected = [...ledger.nominators].map(([name, { balance, pending }]) => [name, balance, pending]);
      expect(balances).toEqual(expected.sort());
    });

    it("share a reward up to a rest that is smaller than the number of nominators", async () => {
      const [, nominators, validator] = await dump(stage);
      const rewards = validator.filter(({ type }) => type === "reward");
      const rests = rewards.map(({ txLt, balanceBefore, balanceAfter }) => {
        const own = nominators.filter((event) => event.txLt === txLt && event.type === "reward");
        return firstReward - own.reduce((sum, { amount }) => sum + amount, balanceAfter - balanceBefore);
      });
      expect(rests.map((rest) => rest >= 0n && rest < 2n)).toEqual([true]);
    });

    it("give a penalty to the validator alone as long as its coins suffice", async () => {
      const [, nominators, validator] = await dump(stage);
      const penalties = validator.filter(({ type }) => type === "penalty");
      const losses = penalties.map(({ txLt }) =>
        nominators.filter((event) => event.txLt === txLt).map(({ type }) => type),
      );
      expect(losses).toEqual([[], ["reward", "reward"]]);
    });

    it("match their chain when the index is verified", async () => {
      expect((await verifySample(verifyModules(stage), everything, never)).differences).toEqual([]);
    });

    it("differ from their chain when an event was changed, removed or added", async () => {
      const { database } = stage;
      const [first] = await readTable(database, nominatorPoolEvents);
      const [own] = await readTable(database, poolValidatorEvents);
      if (first === undefined || own === undefined) throw new Error("there are no events");
      await database.write(async (session) => {
        await session.query("update nominator_pool_events set amount = amount + 1 where tx_lt = $1::bigint", [
          first.txLt,
        ]);
        await session.query("update pool_validator_events set tx_lt = tx_lt + 1 where tx_lt = $1::bigint", [own.txLt]);
      });
      const { differences } = await verifySample(verifyModules(stage), everything, never);
      await database.write(async (session) => {
        await session.query("update nominator_pool_events set amount = amount - 1 where tx_lt = $1::bigint", [
          first.txLt,
        ]);
        await session.query("update pool_validator_events set tx_lt = tx_lt - 1 where tx_lt = $1 + 1::bigint", [
          own.txLt,
        ]);
      });
      const { name } = poolValidatorEvents;
      const at = { table: name, mcSeqno: own.mcSeqno, columns: [] };
      expect(differences).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: "different", table: nominatorPoolEvents.name, columns: ["amount"] }),
          { ...at, kind: "missing", key: `${own.poolAddress} ${own.txLt}` },
          { ...at, kind: "unexpected", key: `${own.poolAddress} ${own.txLt + 1n}` },
        ]),
      );
    });

    const last = () => stage.ledger.headId.seqno;

    /** The rows of an index that is made in another way. */
    async function indexed(make: (database: Database) => Promise<void>) {
      const database = await openFresh("postgres");
      try {
        await make(database);
        return await dump({ database });
      } finally {
        await database.close();
      }
    }

    it("have the same rows when every block is indexed by a worker of its own", async () => {
      const rows = await indexed(async (database) => {
        for (let to = 1; to <= last(); to++) await stage.indexer({ to }, { database }).run(never);
      });
      expect(rows).toEqual(await dump(stage));
    });

    it("have the same rows when ranges before the head are filled later, by several workers", async () => {
      const rows = await indexed(async (database) => {
        await stage.indexer({ from: last() - 3, to: last() }, { database }).run(never);
        const filling = { from: "genesis", to: last(), backfillers: 2, rangeBlocks: 5 } as const;
        await stage.indexer(filling, { database }).run(never);
      });
      expect(rows).toEqual(await dump(stage));
    });

    it("have their events from the first block on in an index that begins late", async () => {
      const [pools, nominators, validator] = await dump(stage);
      const from = Math.floor(last() / 2);
      const rows = await indexed((database) => stage.indexer({ from, to: last() }, { database }).run(never));
      const isKept = ({ mcSeqno }: { readonly mcSeqno: number }) => mcSeqno >= from;
      expect(rows).toEqual([pools, nominators?.filter(isKept), validator?.filter(isKept)]);
    });

    it("have no events of a transaction whose state before it no server has", async () => {
      const [pools, nominators, validator] = await dump(stage);
      const [, reward] = validator;
      if (reward === undefined) throw new Error("there is no reward");
      const from = reward.mcSeqno;
      const { random, clock } = stage.modules;
      const server = withoutAccount(stage.server, pool.pool, stage.ledger.getMaster(from - 1).id);
      const queries = new AccountQueries({ clock, random }, { attempts: 1 });
      const rows = await indexed((database) =>
        stage.indexer({ from, to: last() }, { database, server, queries }).run(never),
      );
      const isKept = ({ mcSeqno }: { readonly mcSeqno: number }) => mcSeqno > from;
      expect(rows).toEqual([pools, nominators.filter(isKept), validator.filter(isKept)]);
    });

    it("have all rows in an index of the pool alone, and none in an index of another account", async () => {
      const scopeOf = (account: Address) => ({
        ...{ accounts: [account], jettons: [], collections: [], codeHashes: [], from: undefined, until: undefined },
      });
      const indexOf = (account: Address) =>
        indexed(async (database) => {
          await claimScope(database, scopeOf(account));
          await stage.indexer({}, { database }).run(never);
        });
      expect(await indexOf(pool.pool)).toEqual(await dump(stage));
      expect(await indexOf(parseAddress(`0:${"1".repeat(64)}`).address)).toEqual([[], [], []]);
    });
  });
});

/** A server that does not have an account at a block. */
function withoutAccount(server: LiteServer, account: Address, { rootHash }: BlockIdExt): LiteServer {
  const parts = [accountOf(account), rootHash].map(hashToBytes);
  const missing = encode(serverError.boxed, { code: 651, message: "block is not in db" });
  return {
    ask: async (query, options) =>
      parts.every((part) => Buffer.from(query).includes(part)) ? missing : server.ask(query, options),
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}

const everything = { count: 1_000, tracesPerBlock: 0 };

function verifyModules({ modules }: Pick<IndexStage, "modules">) {
  return { ...modules, network: "testnet" as const };
}

/** The rows of pools in an index, in the order of the chain. */
async function dump({ database }: Pick<IndexStage, "database">) {
  const nominators = [...(await readTable(database, nominatorPoolEvents))].sort(
    (a, b) => Number(a.txLt - b.txLt) || a.eventIndex - b.eventIndex,
  );
  const validator = [...(await readTable(database, poolValidatorEvents))].sort((a, b) => Number(a.txLt - b.txLt));
  return [await readTable(database, nominatorPools), nominators, validator] as const;
}

/** The events of an index in the order of the chain. */
async function listEvents({ database }: Pick<IndexStage, "database">) {
  const [, nominators, validator] = await dump({ database });
  return {
    nominators: nominators.map((row) => ({
      nominator: row.nominatorAddress,
      type: row.type,
      amount: row.amount,
      balance: [row.balanceBefore, row.balanceAfter],
      pending: [row.pendingBalanceBefore, row.pendingBalanceAfter],
      request: [row.withdrawRequestBefore, row.withdrawRequestAfter],
    })),
    validator: validator.map(({ type, balanceBefore, balanceAfter, queryId, cycleStart }) => ({
      ...{ type, balance: [balanceBefore, balanceAfter], queryId, cycleStart },
    })),
  };
}

/** Several rounds of a pool, with the same messages for the ledger. */
async function play(chain: PoolChain, ledger: PoolLedger): Promise<void> {
  await chain.deploy();
  const [ann, ben] = [chain.nominator(0), chain.nominator(1)];
  const stake = async (amount: bigint, stakeAt: number) => {
    await chain.send(send.newStake(amount, stakeAt));
    ledger.newStake(amount, stakeAt);
    await chain.send(send.accepted());
  };
  const settle = async (gain: bigint, queryId: bigint) => {
    const value = ledger.stakeSent + gain;
    await chain.send(send.returned(value, queryId));
    ledger.returned(value, queryId);
  };
  const deposit = async (...deposits: readonly (readonly [0 | 1, bigint])[]) => {
    await chain.send(...deposits.map(([by, amount]) => send.deposit(by, amount)));
    for (const [by, amount] of deposits) ledger.deposit([ann, ben][by] ?? "", amount);
  };

  await chain.send(send.validatorDeposit(2_001n * coin, 11n));
  ledger.validatorDeposit(2_001n * coin, 11n);
  await deposit([0, 1_001n * coin + 7n], [1, 501n * coin]);

  // A round with a reward; deposits wait for its end, and a withdrawal is requested.
  await stake(3_000n * coin, 4_000_000_000);
  await chain.send(send.deposit(0, 201n * coin), send.withdraw(1));
  ledger.deposit(ann, 201n * coin);
  ledger.withdraw(ben);
  await settle(firstReward, 21n);
  await chain.send(send.processRequests());
  ledger.processRequests();

  // Without a reward.
  await stake(2_000n * coin, 4_000_065_536);
  await deposit([1, 301n * coin]);
  await settle(0n, 22n);
  await chain.send(send.validatorWithdraw(1_000n * coin, 12n));
  ledger.validatorWithdraw(1_000n * coin, 12n);

  // With a fine that the validator bears, and with a larger one.
  await stake(1_500n * coin, 4_000_131_072);
  await settle(-20n * coin, 23n);
  await stake(1_400n * coin, 4_000_196_608);
  await settle(-1_100n * coin, 24n);
  await chain.send(send.withdraw(0));
  ledger.withdraw(ann);
}
