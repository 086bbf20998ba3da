import {
  type ActionFilter,
  everyAction,
  findCursorBehind,
  listActions,
  positionOf,
} from "../../history/queries/actions.ts";
import { balanceChangesOfTrace, findBalanceChangesOfAction } from "../../history/queries/balanceChanges.ts";
import { hasMasterBlock } from "../../history/queries/blocks.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import { fillTraces, listTraces, type TraceFilter } from "../../history/queries/traces.ts";
import { readTransactions } from "../../history/queries/transactionsByHash.ts";
import type { ArgValues } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { noProof, shownProof } from "../declare/proof.ts";
import { checkTypes, readSupported, supportedArgs } from "./args/actionArgs.ts";
import { findActionCursor, formatActionCursor } from "./args/actionCursor.ts";
import {
  addressArg,
  boolArg,
  cursorArgs,
  hashArg,
  hashesArg,
  int32Arg,
  ltArgs,
  orElseArg,
  pageArgs,
  sortArg,
  textArg,
  textsArg,
  utimeArgs,
} from "./args/args.ts";
import { rangeOf } from "./args/eventArgs.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { type HistoryRequest, onHistory } from "./onHistory.ts";
import { proveActions, transactionsOfActions } from "./proofs/proveActions.ts";
import { proveTraces } from "./proofs/proveTraces.ts";
import { by, within } from "./scope/scopeRule.ts";
import { balanceChangesShape } from "./shapes/balanceChanges.ts";
import { finalTransaction } from "./shapes/transactions.ts";
import {
  aboutActions,
  aboutTraces,
  actionsPage,
  eventsAnswer,
  finalAction,
  finalTrace,
  type TracesAnswer,
  tracesAnswer,
} from "./traceAnswers.ts";

async function refuseUnknownBlock(reading: HistorySnapshot, seqno: number): Promise<void> {
  if (!(await hasMasterBlock(reading, seqno))) throw refusal("masterBlockNotFound", { seqno });
}

const rangeArgs = {
  mc_seqno: arg("Seqno of the masterchain block that commits it.", int32Arg),
  ...utimeArgs,
  ...ltArgs,
};
const listArgs = { ...pageArgs, ...cursorArgs, sort: sortArg };

const traceArgs = {
  account: arg("Only what this account takes part in.", addressArg),
  trace_id: arg("Trace, by the hash of its first transaction.", hashesArg),
  tx_hash: arg("Hash of a transaction.", hashesArg),
  msg_hash: arg("Hash of a message; the normalized hash of an external message counts as well.", hashesArg),
  ...rangeArgs,
  ...supportedArgs,
  ...listArgs,
};

function traceFilterOf(args: ArgValues<typeof traceArgs>): TraceFilter {
  const { account, trace_id: traceIds, tx_hash: transactions, msg_hash: messages, mc_seqno: mcSeqno } = args;
  return { account, traceIds, transactions, messages, mcSeqno, ...rangeOf(args) };
}

/** Decoded arguments have the values of their declarations. */
const tracesProof = (name: "traces" | "events") =>
  shownProof((chain, given, shown) =>
    proveTraces(chain, traceFilterOf(given as ArgValues<typeof traceArgs>), name, shown),
  );

async function findTraces(
  { reading, page, items }: HistoryRequest,
  args: ArgValues<typeof traceArgs>,
  withActions: boolean,
): Promise<TracesAnswer> {
  const filter = traceFilterOf(args);
  const { account, mcSeqno } = filter;
  const given = [filter.traceIds, filter.transactions, filter.messages].filter(({ length }) => length > 0).length;
  if (given + (account === undefined ? 0 : 1) > 1) throw refusal("oneTraceFilter");
  const part = page(args);
  if (mcSeqno !== undefined) await refuseUnknownBlock(reading, mcSeqno);
  const rows = items(await listTraces(reading, filter, part, args.sort));
  const supported = withActions ? readSupported(args.supported_action_types) : undefined;
  return aboutTraces(reading, (await fillTraces(reading, rows, supported)).map(finalTrace));
}

const ofTraces = {
  tag: "actions",
  scope: within([by.account("account")], ["trace_id", "tx_hash", "msg_hash"]),
  statuses: [404],
} as const;

export const traces = indexEndpoint({
  name: "traces",
  proof: tracesProof("traces"),
  ...ofTraces,
  summary: "Traces: an external message, or a transaction of the chain itself, and everything it caused.",
  description: "At most one of `account`, `trace_id`, `tx_hash` and `msg_hash`. Only complete traces.",
  args: { ...traceArgs, include_actions: arg("Add the actions of every trace.", orElseArg(boolArg, false)) },
  result: tracesAnswer,
  run: onHistory((asking, args) => findTraces(asking, args, args.include_actions)),
});

export const events = indexEndpoint({
  name: "events",
  proof: tracesProof("events"),
  ...ofTraces,
  summary: "Traces with their actions; an older name of `traces`.",
  description: "The same as `traces` with `include_actions`.",
  isExtra: true,
  args: traceArgs,
  result: eventsAnswer,
  run: onHistory((asking, args) => findTraces(asking, args, true)),
});

const actionArgs = {
  account: arg("Only what this account takes part in.", addressArg),
  initiated_by_account: arg(
    "With `account`: `true` for actions of traces that begin with a transaction of the account, `false` for the others.",
    boolArg,
  ),
  tx_hash: arg("Hash of a transaction.", hashesArg),
  msg_hash: arg("Hash of a message; the normalized hash of an external message counts as well.", hashesArg),
  action_id: arg("Actions by their ids, as an earlier answer gives them.", hashesArg),
  trace_id: arg("Trace, by the hash of its first transaction.", hashesArg),
  ...rangeArgs,
  action_type: arg("Only actions of these types, such as `ton_transfer` or `jetton_swap`.", textsArg),
  exclude_action_type: arg("Types of actions to leave out.", textsArg),
  ...supportedArgs,
  include_system: arg(
    "Also list what the chain itself causes, such as fees, rewards and stakes in elections. `true` is the default; on a local network only for lists by block, type, transaction or message. A list by account has all of the account's actions.",
    boolArg,
  ),
  include_accounts: arg("Add the accounts of every action.", orElseArg(boolArg, false)),
  include_transactions: arg("Add the whole transactions of every action.", orElseArg(boolArg, false)),
  ...listArgs,
  cursor: arg(
    "Where the next page begins: `next_cursor` of the page before, with the same filters and order; not with `offset`.",
    textArg,
  ),
};
type ActionArgs = ArgValues<typeof actionArgs>;

/** Whether a request names what it wants, which is then shown whoever caused it. */
function isNamed({ mc_seqno, ...args }: ActionArgs): boolean {
  const named = [args.tx_hash, args.msg_hash, args.action_id, args.trace_id, args.action_type];
  return mc_seqno !== undefined || named.some(({ length }) => length > 0);
}

/**
 * What the validators of a local network do with every election: left out unless `include_system` says which list is
 * meant.
 */
const validatorTypes = ["election_deposit", "election_recover"];

function filterOf(args: ActionArgs, listsSystem: boolean): ActionFilter {
  if (args.initiated_by_account !== undefined && args.account === undefined) throw refusal("initiatorNeeded");
  const isOfUsers = args.account === undefined && !(args.include_system ?? (listsSystem || isNamed(args)));
  const excludedTypes = checkTypes("exclude_action_type", args.exclude_action_type);
  return {
    ...everyAction(readSupported(args.supported_action_types)),
    account: args.account,
    isInitiated: args.initiated_by_account,
    actionIds: args.action_id,
    traceIds: args.trace_id,
    transactions: args.tx_hash,
    messages: args.msg_hash,
    mcSeqno: args.mc_seqno,
    types: checkTypes("action_type", args.action_type),
    excludedTypes:
      isOfUsers && args.include_system === undefined ? [...excludedTypes, ...validatorTypes] : excludedTypes,
    isOfUsers,
    startUtime: args.start_utime,
    endUtime: args.end_utime,
    startLt: args.start_lt,
    endLt: args.end_lt,
  };
}

/** The cursor of a request in the form of the index. */
function cursorOf({ cursor, offset = 0, sort }: ActionArgs, filter: ActionFilter): string | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  if (offset > 0) throw refusal("cursorAndOffset");
  const position = findActionCursor(cursor);
  if (position === undefined) throw refusal("badActionCursor");
  const behind = findCursorBehind(position, filter, sort);
  if (behind === undefined) throw refusal("otherCursor");
  return behind;
}

export const actions = indexEndpoint({
  name: "actions",
  proof: shownProof((chain, given, shown) => {
    const { tx_hash: transactions, msg_hash: messages } = given as ActionArgs;
    return proveActions(chain, { transactions, messages }, shown);
  }, transactionsOfActions),
  tag: "actions",
  scope: within([by.account("account")], ["trace_id", "action_id", "tx_hash", "msg_hash"]),
  summary: "Actions: transfers, swaps, mints and other high-level events.",
  description:
    "All filters combine. An action is returned when its type is among `supported_action_types` and those of the actions around it are not.",
  statuses: [404],
  args: actionArgs,
  result: actionsPage,
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = filterOf(args, reading.options.listsSystem);
    const part = page({ ...args, cursor: cursorOf(args, filter) });
    if (filter.mcSeqno !== undefined) await refuseUnknownBlock(reading, filter.mcSeqno);
    const found = await listActions(reading, filter, part, args.sort);
    const next = found.next && formatActionCursor(positionOf(found.next, filter, args.sort));
    const rows = items(found, next);
    const transactions = await readTransactions(reading, args.include_transactions ? rows : []);
    const shown = rows.map((row) =>
      finalAction(row, {
        withAccounts: args.include_accounts,
        transactions: args.include_transactions
          ? row.transactions.flatMap((hash) => transactions.get(hash) ?? []).map(finalTransaction)
          : undefined,
      }),
    );
    return { ...(await aboutActions(reading, shown)), next };
  }),
});

export const balanceChanges = indexEndpoint({
  name: "balanceChanges",
  proof: noProof("the index derives it; traces with tx_hash proves the transactions behind it"),
  tag: "actions",
  scope: within([], ["trace_id", "action_id"]),
  summary: "Balance changes of accounts in a trace, or in the transactions of an action.",
  isExtra: true,
  statuses: [400, 404],
  args: {
    trace_id: arg("Trace, by the hash of its first transaction.", hashArg, "trace"),
    action_id: arg("Actions by their ids, as an earlier answer gives them.", hashArg),
  },
  result: balanceChangesShape,
  run: onHistory(async ({ reading }, { trace_id: traceId, action_id: actionId }) => {
    if (traceId !== undefined) return balanceChangesOfTrace(reading, traceId);
    if (actionId === undefined) throw refusal("traceOrActionNeeded");
    const balanceChanges = await findBalanceChangesOfAction(reading, actionId);
    if (balanceChanges === undefined) throw refusal("actionNotFound");
    return balanceChanges;
  }),
});
