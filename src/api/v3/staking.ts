import { addressBook } from "../../history/queries/addressBook.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import type { Page } from "../../history/queries/kit/Page.ts";
import { findNominatorPool, listNominations, type Nomination } from "../../history/queries/staking/nominatorPools.ts";
import {
  listNominatorEvents,
  listValidatorEvents,
  type NominatorEventRow,
  type ValidatorEventRow,
} from "../../history/queries/staking/poolEvents.ts";
import { decimal, type Form, list, shape } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { noProof } from "../declare/proof.ts";
import { addressArg, needed, pageArgs, textArg, utimeArgs } from "./args/args.ts";
import { type TimeArgs, timesOf } from "./args/eventArgs.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory, pageOf } from "./onHistory.ts";
import { by, within } from "./scope/scopeRule.ts";
import { bookFields, type ItemsWithBook, itemsOf, type WithBook } from "./shapes/book.ts";
import {
  nomination,
  nominatorEvent,
  nominatorPoolShape,
  nominatorReward,
  poolValidatorEvent,
  validatorDelta,
  validatorReward,
} from "./shapes/staking.ts";
import { type AskedTimes, askedTimeFields } from "./shapes/validators.ts";

const poolArg = arg("Address of the nominator pool.", needed(addressArg), "pool");
const nominatorArg = arg("Address of the nominator.", needed(addressArg), "nominator");
const validatorArg = arg("Address of the validator.", needed(addressArg), "validator");

/** An index with a scope answers what it has the whole pool for. */
const ofPool = { tag: "staking", scope: within([by.account("pool")]) } as const;

/** Lists of staking are paged by time: the next page ends where this one does. */
const listArgs = {
  ...utimeArgs,
  limit: arg("Largest number of items in the answer: 100 if left out, at most 1000.", pageArgs.limit),
};

interface ListArgs extends TimeArgs {
  readonly limit: number | undefined;
}

/** A page of events or rewards, with the range of times that was used. */
interface EventPage<E> extends WithBook, AskedTimes {
  readonly rows: readonly E[];
}

function eventsOf<E, Out>(item: Form<E, Out>) {
  return shape<EventPage<E>>()({
    ...askedTimeFields,
    events: list(item)("Events that match.", ({ rows }) => rows),
    ...bookFields,
  });
}

function rewardsOf<E, Out>(item: Form<E, Out>, amountOf: (reward: E) => bigint) {
  return shape<EventPage<E>>()({
    ...askedTimeFields,
    total_on_page: decimal("Sum of the rewards in the answer, in nanocoins.", ({ rows }) =>
      rows.reduce((sum, reward) => sum + amountOf(reward), 0n),
    ),
    rewards: list(item)("Rewards that match.", ({ rows }) => rows),
    ...bookFields,
  });
}

interface EventQuery<E> {
  /** Addresses of the request. */
  readonly known: readonly (Address | undefined)[];
  readonly find: (times: AskedTimes, page: Page) => Promise<readonly E[]>;
  readonly partiesOf: (event: E) => readonly Address[];
}

/** Reads a page; the order of the times is checked before the limit. */
async function readEvents<E>(
  reading: HistorySnapshot,
  { limit, ...args }: ListArgs,
  { known, find, partiesOf }: EventQuery<E>,
): Promise<EventPage<E>> {
  const times = timesOf(args);
  const rows = await find(times, pageOf({ limit, offset: 0 }, reading.options, reading.options.defaultDnsLimit));
  return { ...times, rows, book: await addressBook(reading, [...known, ...rows.flatMap(partiesOf)]) };
}

const ofNominator = (event: NominatorEventRow) => [event.poolAddress, event.nominatorAddress];
const ofValidator = (event: ValidatorEventRow) => [event.poolAddress, event.validatorAddress];

export const nominatorPool = indexEndpoint({
  name: "staking/nominatorPools/pool",
  proof: noProof("the index has it; runGetMethod with get_pool_data proves a pool"),
  ...ofPool,
  summary: "A nominator pool with its nominators.",
  description: "Pools with the code of the standard nominator pool are known from their first indexed transaction on.",
  args: { pool: poolArg },
  result: nominatorPoolShape,
  statuses: [404],
  run: onHistory(async ({ reading }, { pool }) => {
    if (pool === undefined) throw refusal("poolNeeded");
    const row = await findNominatorPool(reading, pool);
    if (row === undefined) throw refusal("poolNotFound");
    return { row, book: await addressBook(reading, [pool, row.validatorAddress, ...row.nominators]) };
  }),
});

export const poolNominator = indexEndpoint({
  name: "staking/nominatorPools/nominator",
  proof: noProof("the index has it; runGetMethod with get_nominator_data proves a nominator"),
  tag: "staking",
  scope: within([by.never("nominator")]),
  summary: "Nominator pools that have coins of a nominator.",
  args: { nominator: nominatorArg },
  result: shape<ItemsWithBook<Nomination>>()({
    nominator_pools: itemsOf(nomination, "Pools with the coins of the nominator, by address."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading }, { nominator }) => {
    if (nominator === undefined) throw refusal("nominatorNeeded");
    const nominations = await listNominations(reading, nominator);
    return {
      items: nominations,
      book: await addressBook(reading, [nominator, ...nominations.map(({ pool }) => pool)]),
    };
  }),
});

export const poolNominatorEvents = indexEndpoint({
  name: "staking/nominatorPools/nominatorEvents",
  proof: noProof("the index derives it; transactions with account proves the transactions of a pool"),
  ...ofPool,
  summary: "What the transactions of a nominator pool changed for its nominators.",
  description:
    "The newest first: deposits, withdrawals and requests for them, and at the end of every round rewards and the " +
    "activation of pending deposits. The next page has `end_utime` of the last item.",
  args: { pool: poolArg, nominator: arg("Only events of this nominator.", addressArg), ...listArgs },
  result: eventsOf(nominatorEvent),
  run: onHistory(({ reading }, { pool, nominator, ...args }) => {
    if (pool === undefined) throw refusal("poolNeeded");
    return readEvents(reading, args, {
      known: [pool, nominator],
      find: (times, page) => listNominatorEvents(reading, { pool, nominator, ...times }, page),
      partiesOf: ofNominator,
    });
  }),
});

export const poolNominatorRewards = indexEndpoint({
  name: "staking/nominatorPools/nominatorRewards",
  proof: noProof("the index derives it; transactions with account proves the transactions of a pool"),
  ...ofPool,
  summary: "Rewards of a nominator in a nominator pool, the newest first.",
  args: { nominator: nominatorArg, pool: poolArg, ...listArgs },
  result: rewardsOf(nominatorReward, ({ amount }) => amount),
  run: onHistory(({ reading }, { nominator, pool, ...args }) => {
    if (nominator === undefined || pool === undefined) throw refusal("nominatorAndPoolNeeded");
    return readEvents(reading, args, {
      known: [nominator, pool],
      find: (times, page) => listNominatorEvents(reading, { pool, nominator, type: "reward", ...times }, page),
      partiesOf: ofNominator,
    });
  }),
});

export const poolValidatorEvents = indexEndpoint({
  name: "staking/nominatorPools/validatorEvents",
  proof: noProof("the index derives it; transactions with account proves the transactions of a pool"),
  tag: "staking",
  scope: within([by.account("pool"), by.never("validator")]),
  summary: "What the transactions of nominator pools changed for their validators.",
  description: "The newest first, of a validator, of a pool, or of a validator in a pool.",
  args: {
    validator: arg("Only events of this validator.", addressArg),
    pool: arg("Only events of this nominator pool.", addressArg, "pool"),
    type: arg("Only events of this type: `reward`, `penalty`, `deposit` or `withdrawal`.", textArg),
    ...listArgs,
  },
  result: eventsOf(poolValidatorEvent),
  run: onHistory(({ reading }, { validator, pool, type, ...args }) => {
    if (validator === undefined && pool === undefined) throw refusal("validatorOrPoolNeeded");
    return readEvents(reading, args, {
      known: [validator, pool],
      find: (times, page) => listValidatorEvents(reading, { validator, pool, type, ...times }, page),
      partiesOf: ofValidator,
    });
  }),
});

export const poolValidatorRewards = indexEndpoint({
  name: "staking/nominatorPools/validatorRewards",
  proof: noProof("the index derives it; transactions with account proves the transactions of a pool"),
  ...ofPool,
  summary: "Rewards of a validator in a nominator pool, the newest first.",
  description: "Penalties are not among the rewards: `validatorEvents` lists them.",
  args: { validator: validatorArg, pool: poolArg, ...listArgs },
  result: rewardsOf(validatorReward, validatorDelta),
  run: onHistory(({ reading }, { validator, pool, ...args }) => {
    if (validator === undefined || pool === undefined) throw refusal("validatorAndPoolNeeded");
    return readEvents(reading, args, {
      known: [validator, pool],
      find: (times, page) => listValidatorEvents(reading, { validator, pool, type: "reward", ...times }, page),
      partiesOf: ofValidator,
    });
  }),
});
