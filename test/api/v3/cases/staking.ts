import { bookOf } from "../../../kit/api/v3/tokenAnswers.ts";
import { raw, sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { stakingAt, stakingRows } from "../../../kit/history/stakingRows.ts";
import { type GivenArgs, gives, lists, refuses, type V3Case } from "./V3Case.ts";

const { pool, small, gone, ann, ben, validator, other } = stakingAt;
const nobody = `0:${sameDigits("7")}`;
const hashOf = (lt: number) => Buffer.from(lt.toString(16).padStart(64, "0"), "hex").toString("base64");
const txOf = (lt: number, utime: number) => ({ tx_hash: hashOf(lt), tx_lt: String(lt), utime });

const activation = {
  ...txOf(1003, 62),
  ...{ pool_address: raw(pool), nominator_address: raw(ann), type: "pending_deposit_activation", amount: "9" },
  ...{ balance_delta: "9", pending_balance_delta: "-9", balance_before: "105", balance_after: "114" },
  ...{ pending_balance_before: "9", pending_balance_after: "0" },
  ...{ withdraw_request_before: false, withdraw_request_after: false },
};
const reward = {
  ...{ ...activation, type: "reward", amount: "5", balance_delta: "5", pending_balance_delta: "0" },
  ...{ balance_before: "100", balance_after: "105", pending_balance_after: "9" },
};
const loss = {
  ...{ ...reward, nominator_address: raw(ben), amount: "-3", balance_delta: "-3", balance_after: "97" },
  ...{ pending_balance_before: "0", pending_balance_after: "0" },
};
const request = {
  ...{ ...loss, ...txOf(1004, 62), nominator_address: raw(ann), type: "withdrawal_request", amount: "0" },
  ...{ balance_delta: "0", balance_after: "100", withdraw_request_after: true },
};

const penalty = {
  ...txOf(1004, 63),
  ...{ pool_address: raw(pool), validator_address: raw(validator), type: "penalty", amount: "10" },
  ...{ balance_delta: "-10", balance_before: "56", balance_after: "46", cycle_start: 1_700_000_000 },
  validator_reward_share: 4000,
};
const validatorReward = {
  ...{ ...penalty, ...txOf(1003, 62), type: "reward", amount: "6", balance_delta: "6" },
  ...{ balance_before: "50", balance_after: "56", query_id: "5", cycle_start: 4_000_000_000 },
};

const listBy = (key: string, by: string) => (note: string, args: GivenArgs, items: readonly unknown[]) =>
  lists(note, args, key, by, () => items);
const listEvents = listBy("events", "tx_lt");
const listRewards = listBy("rewards", "reward");

const badTimes = { start_utime: 63, end_utime: 62 };
const timeText = "start_utime must be less than or equal to end_utime";

/** The errors that every list has, in the order in which they are checked. */
function listRefusals(args: GivenArgs, required: string): readonly V3Case[] {
  return [
    refuses("nothing, before it compares times", { ...badTimes, limit: 1001 }, 422, required),
    refuses(
      "times in the wrong order, before it looks at the limit",
      { ...args, ...badTimes, limit: 1001 },
      422,
      timeText,
    ),
    refuses("a limit above the largest", { ...args, limit: 1001 }, 422, "limit is not allowed: 1001 > 1000"),
    refuses(
      "several values that cannot be read",
      { ...args, limit: "ten", start_utime: "now" },
      422,
      'schema: error converting value for "start_utime" (and 1 other error)',
    ),
  ];
}

const needsPool = "pool parameter is required";

/** Cases of requests about nominator pools. */
export const stakingCases = {
  "staking/nominatorPools/pool": [
    gives(
      "a pool whole",
      { pool },
      {
        state: 2,
        stake_amount_sent: "700000000000000",
        validator_amount: String(10n ** 30n),
        validator_address: raw(validator),
        validator_reward_share: 4000,
        nominators_count: 2,
        max_nominators_count: 40,
        min_validator_stake: "1000000000000",
        min_nominator_stake: "10000000000000",
        active_nominators: [
          { address: raw(ann), balance: "0", pending_balance: "11000000000000" },
          { address: raw(ben), balance: "20000000000000", pending_balance: "0" },
        ],
        address_book: bookOf(pool, validator, ann, ben),
      },
    ),
    refuses("no pool", {}, 422, needsPool),
    refuses("an empty pool", { pool: "" }, 422, needsPool),
    refuses("a pool that is no address", { pool: "pool" }, 422, 'schema: error converting value for "pool"'),
    refuses("a pool that is unknown", { pool: nobody }, 404, "Pool not found"),
    refuses("a pool whose account changed since", { pool: gone }, 404, "Pool not found"),
  ],
  "staking/nominatorPools/nominator": [
    gives(
      "all living pools of a nominator, by address",
      { nominator: ben },
      {
        nominator_pools: [
          { pool_address: raw(small), balance: "7", pending_balance: "8" },
          { pool_address: raw(pool), balance: "20000000000000", pending_balance: "0" },
        ],
        address_book: bookOf(ben, small, pool),
      },
    ),
    gives(
      "nothing for an account that is no nominator",
      { nominator: validator },
      { nominator_pools: [], address_book: bookOf(validator) },
    ),
    refuses("no nominator", {}, 422, "nominator parameter is required"),
    refuses(
      "a nominator that is no address",
      { nominator: "1" },
      422,
      'schema: error converting value for "nominator"',
    ),
  ],
  "staking/nominatorPools/nominatorEvents": [
    gives(
      "the events of a moment, the last first",
      { pool, start_utime: 62, end_utime: "62.9" },
      {
        start_utime: 62,
        end_utime: 62,
        events: [request, loss, activation, reward],
        address_book: bookOf(pool, ann, ben),
      },
    ),
    gives(
      "nothing, with the book of the parameters",
      { pool: small, nominator: ann },
      { events: [], address_book: bookOf(small, ann) },
    ),
    lists("all events of a pool", { pool, offset: 3, sort: "asc" }, "events", "type", () =>
      stakingRows.nominatorEvents.map(({ type }) => type).reverse(),
    ),
    listEvents("the events of a nominator", { pool, nominator: ben }, ["1006", "1003"]),
    listEvents("as many as asked for", { pool, limit: 2, end_utime: 64 }, ["1005", "1004"]),
    listEvents("one when none is asked for", { pool, limit: 0 }, ["1006"]),
    ...listRefusals({ pool }, needsPool),
  ],
  "staking/nominatorPools/nominatorRewards": [
    gives(
      "the rewards of a nominator with their sum",
      { nominator: ann, pool },
      {
        total_on_page: "12",
        rewards: [
          { ...txOf(1005, 64), reward: "7", stake_before: "100" },
          { ...txOf(1003, 62), reward: "5", stake_before: "100" },
        ],
        address_book: bookOf(ann, pool),
      },
    ),
    gives(
      "a page of them with the sum of the page, and the times of the request",
      { nominator: ann, pool, start_utime: 1, end_utime: 100, limit: 1 },
      {
        start_utime: 1,
        end_utime: 100,
        total_on_page: "7",
        rewards: [{ ...txOf(1005, 64), reward: "7", stake_before: "100" }],
        address_book: bookOf(ann, pool),
      },
    ),
    listRewards("a loss", { nominator: ben, pool }, ["-3"]),
    gives(
      "nothing",
      { nominator: ann, pool: small },
      { total_on_page: "0", rewards: [], address_book: bookOf(ann, small) },
    ),
    refuses("no pool", { nominator: ann }, 422, "nominator and pool parameters are required"),
    refuses("no nominator", { pool }, 422, "nominator and pool parameters are required"),
    ...listRefusals({ nominator: ann, pool }, "nominator and pool parameters are required"),
  ],
  "staking/nominatorPools/validatorEvents": [
    gives(
      "the events of a pool in a time",
      { pool, start_utime: 62, end_utime: 63 },
      {
        start_utime: 62,
        end_utime: 63,
        events: [penalty, validatorReward],
        address_book: bookOf(pool, validator),
      },
    ),
    gives(
      "an event without the number of a request",
      { validator: other, type: "deposit" },
      {
        events: [
          {
            ...txOf(1008, 66),
            ...{ pool_address: raw(gone), validator_address: raw(other), type: "deposit", amount: "1" },
            ...{ balance_delta: "1", balance_before: "0", balance_after: "1", validator_reward_share: 4000 },
          },
        ],
        address_book: bookOf(other, gone),
      },
    ),
    listEvents("the events of a validator in all its pools", { validator }, [
      ...["1007", "1007", "1005", "1004", "1003", "1000"],
    ]),
    lists("equal times by pool", { validator, limit: 2 }, "events", "type", () => ["withdrawal", "deposit"]),
    listEvents("the events of a validator in a pool", { validator, pool: small }, ["1007"]),
    listEvents("events of a type", { pool, type: "reward" }, ["1005", "1003"]),
    listEvents("events of a type of a validator", { validator, type: "deposit" }, ["1007", "1000"]),
    listEvents("no events of an unknown type", { pool, type: "prize" }, []),
    ...listRefusals({ pool }, "validator or pool parameter is required"),
  ],
  "staking/nominatorPools/validatorRewards": [
    gives(
      "the rewards of a validator with their sum, without penalties",
      { validator, pool },
      {
        total_on_page: "9",
        rewards: [
          { ...txOf(1005, 64), reward: "3", balance_before: "46" },
          { ...txOf(1003, 62), reward: "6", balance_before: "50", query_id: "5", cycle_start: 4_000_000_000 },
        ],
        address_book: bookOf(validator, pool),
      },
    ),
    listRewards("those of a time", { validator, pool, end_utime: 63, start_utime: 0, limit: 5 }, ["6"]),
    refuses("no pool", { validator }, 422, "validator and pool parameters are required"),
    refuses("no validator", { pool }, 422, "validator and pool parameters are required"),
    ...listRefusals({ validator, pool }, "validator and pool parameters are required"),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
