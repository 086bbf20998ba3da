import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Address } from "../../../src/model/Address.ts";
import { type DemoStage, type JsonList, openDemoStage } from "../../kit/api/demoStage.ts";

const coin = 1_000_000_000n;
const share = 4_000n;

let stage: DemoStage;
/** What the elector returned beyond the stakes, by round. */
let results: readonly [bigint, bigint];

beforeAll(async () => {
  stage = await openDemoStage();
  const { events } = await stage.ask("validators/events", {
    sort: "asc",
    stake_holder_address: stage.demo.staking.pool,
  });
  const [first, returned, second, rewarded] = (events as JsonList).map(({ amount }) => BigInt(String(amount)));
  results = [(returned ?? 0n) - (first ?? 0n), (rewarded ?? 0n) - (second ?? 0n)];
});

afterAll(() => stage?.close());

const pools = "staking/nominatorPools";

function rawOf(address: Address): string {
  return address.toUpperCase();
}

/** The names of the wallets by their addresses. */
function nameOf(address: unknown): string {
  const found = Object.entries(stage.demo.people).find(([, wallet]) => rawOf(wallet.address) === address);
  return found?.[0] ?? String(address);
}

/** The part of a nominator in the reward of the second round. */
function rewardOf(amount: bigint): bigint {
  const [, reward] = results;
  return ((reward - (reward * share) / 10_000n) * amount) / 210_000n;
}

async function listOf(path: string, name: string, args: Readonly<Record<string, string>>): Promise<JsonList> {
  return (await stage.ask(`${pools}/${path}`, args))[name] as JsonList;
}

describe("the nominator pool of the demo set", () => {
  it("loses by the fine of the first round and gains in the second one", () => {
    const [loss, gain] = results;
    expect([loss < 0n, gain > 0n]).toEqual([true, true]);
  });

  it("has its stake at the elector, a pending deposit and a request", async () => {
    const { staking } = stage.demo;
    const [loss, gain] = results;
    const {
      address_book: book,
      active_nominators: nominators,
      ...pool
    } = await stage.ask(`${pools}/pool`, {
      pool: staking.pool,
    });
    expect(pool).toEqual({
      state: 2,
      stake_amount_sent: String(358_999n * coin),
      validator_amount: String(150_000n * coin + loss + (gain * share) / 10_000n),
      validator_address: rawOf(staking.validator),
      validator_reward_share: 4_000,
      nominators_count: 3,
      max_nominators_count: 40,
      min_validator_stake: String(100_000n * coin),
      min_nominator_stake: String(10_000n * coin),
    });
    const positions = (nominators as JsonList).map(({ address, balance, pending_balance: pending }) => [
      nameOf(address),
      balance,
      pending,
    ]);
    expect(positions.sort()).toEqual([
      ["alice", String(120_000n * coin + rewardOf(120_000n)), "0"],
      ["carol", String(40_000n * coin + rewardOf(40_000n)), String(10_000n * coin)],
      ["dave", String(50_000n * coin + rewardOf(50_000n)), "0"],
    ]);
    expect(Object.keys(Object(book))).toHaveLength(5);
  });

  it("has an event of every type", async () => {
    const { pool } = stage.demo.staking;
    const nominators = await listOf("nominatorEvents", "events", { pool });
    const seen = nominators.map(({ type, nominator_address: address, amount }) =>
      [type, nameOf(address), amount].join(" "),
    );
    expect(seen.sort()).toEqual(
      [
        `deposit alice ${120_000n * coin}`,
        `deposit bob ${60_000n * coin}`,
        `deposit carol ${40_000n * coin}`,
        `deposit carol ${10_000n * coin}`,
        `deposit dave ${50_000n * coin}`,
        `pending_deposit_activation dave ${50_000n * coin}`,
        `reward alice ${rewardOf(120_000n)}`,
        `reward carol ${rewardOf(40_000n)}`,
        `reward dave ${rewardOf(50_000n)}`,
        `withdrawal bob ${60_000n * coin}`,
        "withdrawal_request alice 0",
        "withdrawal_request bob 0",
      ].sort(),
    );
    const [loss, gain] = results;
    const own = await listOf("validatorEvents", "events", { pool });
    expect(own.map(({ type, balance_delta: delta }) => [type, delta])).toEqual([
      ["reward", String((gain * share) / 10_000n)],
      ["penalty", String(loss)],
      ["deposit", String(150_000n * coin)],
    ]);
  });

  it("has rewards of its nominators and of its validator", async () => {
    const { people, staking } = stage.demo;
    const { pool, validator } = staking;
    for (const { address } of [people.alice, people.carol, people.dave]) {
      expect(await listOf("nominatorRewards", "rewards", { pool, nominator: address })).toHaveLength(1);
      expect(await listOf("nominator", "nominator_pools", { nominator: address })).toHaveLength(1);
    }
    expect(await listOf("validatorRewards", "rewards", { pool, validator })).toHaveLength(1);
  });
});
