import { expect } from "vitest";
import { formatActionCursor } from "../../../../src/api/v3/args/actionCursor.ts";
import { b64, knownWallet, raw, sameDigits, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import type { ChainRows, TransactionRow } from "../../../kit/history/indexedChain.ts";
import { external, sending, transactionsBy } from "./chainLists.ts";
import {
  type GivenArgs,
  gives,
  lists,
  pageRefusals,
  refuses,
  sorted,
  sortRefusal,
  type V3Case,
  withHeaders,
} from "./V3Case.ts";

type TraceRow = ChainRows["traces"][number];
type ActionRow = ChainRows["actions"][number];
type Sort = "asc" | "desc";
type Args = Parameters<typeof lists>[1];

const largest = 1000;
const nobody = `0:${"e".repeat(64)}`;
const unknownBlock = "masterchain block 4000 not found";
const ofWallet = { account: knownWallet };

function tracesBy(rows: readonly TraceRow[], sort: Sort, limit = 10): readonly TraceRow[] {
  const complete = rows.filter(({ state }) => state === "complete");
  return sorted(complete, [({ endLt }) => endLt, sort], [({ traceId }) => traceId, sort]).slice(0, limit);
}

function tracesByTime(rows: readonly TraceRow[], sort: Sort, limit = 10): readonly TraceRow[] {
  return sorted(rows, [({ endUtime }) => endUtime, sort], [({ traceId }) => traceId, sort]).slice(0, limit);
}

function actionsBy(rows: readonly ActionRow[], sort: Sort, limit = 10): readonly ActionRow[] {
  return sorted(
    rows,
    [({ traceEndLt }) => traceEndLt, sort],
    [({ traceId }) => traceId, sort],
    [({ endLt }) => endLt, sort],
    [({ actionId }) => actionId, sort],
  ).slice(0, limit);
}

function actionsByTime(rows: readonly ActionRow[], sort: Sort, limit = 10): readonly ActionRow[] {
  return sorted(
    rows,
    [({ traceEndUtime }) => traceEndUtime, sort],
    [({ traceId }) => traceId, sort],
    [({ endUtime }) => endUtime, sort],
    [({ actionId }) => actionId, sort],
  ).slice(0, limit);
}

const walletTransactions = ({ rows }: V3Stage) => rows.transactions.filter(({ account }) => account === knownWallet);

function walletTraces(stage: V3Stage): readonly TraceRow[] {
  const ids = new Set(walletTransactions(stage).map(({ traceId }) => traceId));
  return stage.rows.traces.filter(({ traceId }) => ids.has(traceId));
}

const walletActions = ({ rows }: V3Stage) => rows.actions.filter(({ accounts }) => accounts.includes(knownWallet));

/** The trace whose transactions are shown in full. */
function theTrace(stage: V3Stage): TraceRow {
  const { traceId } = sending(stage);
  const trace = stage.rows.traces.find((row) => row.traceId === traceId);
  if (trace === undefined) throw new Error("the wallet's transaction is part of a trace");
  return trace;
}

const actionsOf = ({ rows }: V3Stage, traceId: TraceRow["traceId"]) =>
  rows.actions.filter((row) => row.traceId === traceId);
const transactionsOf = ({ rows }: V3Stage, traceId: TraceRow["traceId"]) =>
  transactionsBy(
    rows.transactions.filter((row) => row.traceId === traceId),
    "asc",
  );

function traceJson(stage: V3Stage, row: TraceRow): Readonly<Record<string, unknown>> {
  const transactions = transactionsOf(stage, row.traceId);
  return {
    trace_id: b64(row.traceId),
    external_hash: row.externalHash === undefined ? null : b64(row.externalHash),
    mc_seqno_start: String(row.mcSeqnoStart),
    mc_seqno_end: String(row.mcSeqnoEnd),
    start_lt: String(row.startLt),
    start_utime: row.startUtime,
    end_lt: String(row.endLt),
    end_utime: row.endUtime,
    trace_info: {
      trace_state: "complete",
      messages: row.edges,
      transactions: transactions.length,
      pending_messages: 0,
      classification_state: "ok",
    },
    is_incomplete: false,
    trace: nodeJson(transactions, transactions[0], stage),
    transactions_order: transactions.map(({ hash }) => b64(hash)),
    transactions: Object.fromEntries(
      transactions.map((each) => [
        b64(each.hash),
        expect.objectContaining({ hash: b64(each.hash), lt: String(each.lt), finality: "finalized", emulated: false }),
      ]),
    ),
  };
}

function nodeJson(all: readonly TransactionRow[], row: TransactionRow | undefined, stage: V3Stage): unknown {
  if (row === undefined) return undefined;
  const sent = stage.rows.messages.filter(({ outTxHash }) => outTxHash === row.hash).map(({ hash }) => hash);
  const children = all.filter(({ inMsgHash }) => inMsgHash !== undefined && sent.includes(inMsgHash));
  return {
    tx_hash: b64(row.hash),
    ...(row.inMsgHash === undefined ? {} : { in_msg_hash: b64(row.inMsgHash) }),
    children: children.map((child) => nodeJson(all, child, stage)),
  };
}

function actionJson(row: ActionRow): Readonly<Record<string, unknown>> {
  const hashes = { trace_external_hash: row.traceExternalHash, trace_external_hash_norm: row.traceExternalHashNorm };
  return {
    trace_id: b64(row.traceId),
    action_id: b64(row.actionId),
    start_lt: String(row.startLt),
    end_lt: String(row.endLt),
    start_utime: row.startUtime,
    end_utime: row.endUtime,
    trace_end_lt: String(row.traceEndLt),
    trace_end_utime: row.traceEndUtime,
    trace_mc_seqno_end: row.traceMcSeqnoEnd,
    transactions: row.transactions.map(b64),
    success: row.success,
    type: row.shownType,
    details: row.details,
    finality: "finalized",
    ...Object.fromEntries(Object.entries(hashes).flatMap(([name, hash]) => (hash ? [[name, b64(hash)]] : []))),
  };
}

const anyBook = expect.objectContaining({ [raw(knownWallet)]: expect.objectContaining({ domain: "short.ton" }) });

function listTraces(key: "traces" | "events") {
  return (note: string, args: Args, items: (stage: V3Stage) => readonly TraceRow[]) =>
    lists(note, args, key, "trace_id", (stage) => items(stage).map(({ traceId }) => b64(traceId)));
}

const startOf = (stage: V3Stage) => walletTraces(stage)[0]?.endUtime ?? 0;

/** The trace with the actions of common types. */
function withActions(key: "traces" | "events", note: string, more: GivenArgs): V3Case {
  return gives(
    note,
    (stage) => ({ trace_id: theTrace(stage).traceId, ...more }),
    (stage: V3Stage) => ({
      [key]: [
        {
          ...traceJson(stage, theTrace(stage)),
          actions: sorted(ofTheTrace(stage), [({ startLt }) => startLt, "asc"], [({ endLt }) => endLt, "asc"]).map(
            actionJson,
          ),
        },
      ],
      address_book: anyBook,
      metadata: {},
    }),
  );
}

function traceCases(key: "traces" | "events"): readonly V3Case[] {
  const list = listTraces(key);
  const one = (note: string, args: (stage: V3Stage) => GivenArgs) => list(note, args, (stage) => [theTrace(stage)]);
  return [
    list("the latest", {}, ({ rows }) => tracesBy(rows.traces, "desc")),
    list("from the first on", { sort: "asc", limit: 3, offset: 2 }, ({ rows }) =>
      tracesBy(rows.traces, "asc", 5).slice(2),
    ),
    list("all of an account", { ...ofWallet, limit: largest }, (stage) =>
      tracesBy(walletTraces(stage), "desc", largest),
    ),
    list(
      "an account by time",
      (stage) => ({ ...ofWallet, start_utime: startOf(stage), sort: "a" }),
      (stage) =>
        tracesByTime(
          walletTraces(stage).filter(({ endUtime }) => endUtime >= startOf(stage)),
          "asc",
        ),
    ),
    list(
      "an account by logical time",
      (stage) => ({ ...ofWallet, start_lt: theTrace(stage).endLt }),
      (stage) =>
        tracesBy(
          walletTraces(stage).filter(({ endLt }) => endLt >= theTrace(stage).endLt),
          "desc",
        ),
    ),
    list("an account that nobody knows", { account: nobody }, () => []),
    one("an id", (stage) => ({ trace_id: b64(theTrace(stage).traceId) })),
    one("transactions of one trace", (stage) => ({
      tx_hash: transactionsOf(stage, theTrace(stage).traceId).map(({ hash }) => b64(hash)),
    })),
    list(
      "an external message by its normalized hash",
      (stage) => ({ msg_hash: external(stage).hashNorm ?? "" }),
      (stage) =>
        tracesBy(
          stage.rows.traces.filter(({ externalHash }) => externalHash === external(stage).hash),
          "desc",
        ),
    ),
    one("a message that its transaction sent", (stage) => ({
      msg_hash: stage.rows.messages.find(({ outTxHash }) => outTxHash === sending(stage).hash)?.hash ?? "",
    })),
    list(
      "a masterchain block",
      (stage) => ({ mc_seqno: theTrace(stage).mcSeqnoEnd }),
      (stage) =>
        tracesBy(
          stage.rows.traces.filter(({ mcSeqnoEnd }) => mcSeqnoEnd === theTrace(stage).mcSeqnoEnd),
          "desc",
        ),
    ),
    list(
      "a time",
      (stage) => ({ start_utime: startOf(stage), end_utime: `${startOf(stage)}.9`, limit: 5 }),
      (stage) =>
        tracesByTime(
          stage.rows.traces.filter(({ endUtime }) => endUtime === startOf(stage)),
          "desc",
          5,
        ),
    ),
    list(
      "logical times",
      (stage) => ({ end_lt: theTrace(stage).endLt, sort: "desc", limit: 1 }),
      (stage) =>
        tracesBy(
          stage.rows.traces.filter(({ endLt }) => endLt <= theTrace(stage).endLt),
          "desc",
          1,
        ),
    ),
    refuses(
      "two filters of which one may be",
      { ...ofWallet, tx_hash: sameDigits("1") },
      422,
      "only one of account, trace_id, tx_hash, msg_hash should be specified",
    ),
    refuses(
      "two lists of which one may be",
      { trace_id: sameDigits("1"), msg_hash: sameDigits("2") },
      422,
      "only one of account, trace_id, tx_hash, msg_hash should be specified",
    ),
    refuses("a block that is not indexed", { mc_seqno: 4000 }, 404, unknownBlock),
    refuses("an invalid address", { account: "me" }, 422, 'schema: error converting value for "account"'),
    refuses("an invalid hash", { tx_hash: "zz" }, 422, 'schema: error converting value for index 0 of "tx_hash"'),
    ...pageRefusals(),
    sortRefusal(),
  ];
}

const listActions = (note: string, args: Args, items: (stage: V3Stage) => readonly ActionRow[]) =>
  lists(note, args, "actions", "action_id", (stage) => items(stage).map(({ actionId }) => b64(actionId)));

const ofTypes = ({ rows }: V3Stage, ...types: readonly string[]) =>
  rows.actions.filter(({ type }) => types.includes(type));
const ofTheTrace = (stage: V3Stage) => actionsOf(stage, theTrace(stage).traceId);

/** Cases of requests about traces and actions. */
export const actionCases = {
  traces: [
    gives(
      "one whole",
      (stage: V3Stage) => ({ trace_id: theTrace(stage).traceId }),
      (stage: V3Stage) => ({
        traces: [traceJson(stage, theTrace(stage))],
        address_book: anyBook,
        metadata: {},
      }),
    ),
    withActions("traces", "one with its actions", { include_actions: "1" }),
    withActions("traces", "one with its actions of known types", {
      include_actions: "true",
      supported_action_types: ["v1", "cocoon"],
    }),
    ...traceCases("traces"),
  ],
  events: [
    withActions("events", "one with its actions", {}),
    withActions("events", "one with its actions of known types", { supported_action_types: ["latest"] }),
    ...traceCases("events"),
  ],
  actions: [
    gives(
      "one whole, with accounts and transactions",
      (stage: V3Stage) => ({
        action_id: ofTheTrace(stage)[0]?.actionId ?? "",
        include_accounts: "true",
        include_transactions: "true",
      }),
      (stage: V3Stage) => ({
        actions: ofTheTrace(stage)
          .slice(0, 1)
          .map((row) => ({
            ...actionJson(row),
            accounts: row.accounts.map(raw),
            transactions_full: row.transactions.map((hash) => expect.objectContaining({ hash: b64(hash) })),
          })),
        address_book: anyBook,
        metadata: {},
        next_cursor: null,
      }),
    ),
    gives(
      "one without its address book",
      (stage) => ({ trace_id: theTrace(stage).traceId, x_no_address_book: "on" }),
      (stage: V3Stage) => ({
        actions: actionsBy(ofTheTrace(stage), "desc").map(actionJson),
        address_book: {},
        metadata: {},
        next_cursor: null,
      }),
    ),
    listActions("the latest", {}, ({ rows }) => actionsBy(rows.actions, "desc")),
    listActions("without what the chain itself causes", { include_system: "false" }, ({ rows }) =>
      actionsBy(
        rows.actions.filter(
          ({ traceExternalHash, details }) =>
            traceExternalHash !== undefined && details.source !== `-1:${"0".repeat(64)}`,
        ),
        "desc",
      ),
    ),
    listActions("from the first on", { sort: "asc", limit: 4, offset: 1 }, ({ rows }) =>
      actionsBy(rows.actions, "asc", 5).slice(1),
    ),
    listActions("all of an account", { ...ofWallet, limit: largest }, (stage) =>
      actionsBy(walletActions(stage), "desc", largest),
    ),
    listActions(
      "an account by time",
      (stage) => ({ ...ofWallet, end_utime: startOf(stage), sort: "asc" }),
      (stage) =>
        actionsByTime(
          walletActions(stage).filter(({ traceEndUtime }) => traceEndUtime <= startOf(stage)),
          "asc",
        ),
    ),
    listActions(
      "an account in a trace",
      (stage) => ({ ...ofWallet, trace_id: theTrace(stage).traceId }),
      (stage) =>
        actionsBy(
          ofTheTrace(stage).filter(({ accounts }) => accounts.includes(knownWallet)),
          "desc",
        ),
    ),
    listActions(
      "a transaction that they cover",
      (stage) => ({ tx_hash: sending(stage).hash }),
      (stage) =>
        actionsBy(
          stage.rows.actions.filter(({ transactions }) => transactions.includes(sending(stage).hash)),
          "desc",
        ),
    ),
    listActions(
      "a message at an end of which they are",
      (stage) => ({ msg_hash: external(stage).hashNorm ?? "" }),
      (stage) => {
        const receivers = stage.rows.transactions.filter(({ inMsgHash }) => inMsgHash === external(stage).hash);
        return actionsBy(
          stage.rows.actions.filter(({ transactions }) => receivers.some(({ hash }) => transactions.includes(hash))),
          "desc",
        );
      },
    ),
    listActions(
      "an id of a trace",
      (stage) => ({ action_id: ofTheTrace(stage)[0]?.actionId ?? "", trace_id: theTrace(stage).traceId }),
      (stage) => ofTheTrace(stage).slice(0, 1),
    ),
    listActions(
      "an id, and an account that takes no part",
      (stage) => ({ action_id: ofTheTrace(stage)[0]?.actionId ?? "", account: nobody }),
      () => [],
    ),
    listActions(
      "an id, and a type that nobody knows",
      (stage) => ({ action_id: ofTheTrace(stage)[0]?.actionId ?? "", action_type: "x" }),
      () => [],
    ),
    listActions(
      "a trace without a type",
      (stage) => ({ trace_id: theTrace(stage).traceId, exclude_action_type: ofTheTrace(stage)[0]?.type ?? "" }),
      (stage) =>
        actionsBy(
          ofTheTrace(stage).filter(({ type }) => type !== ofTheTrace(stage)[0]?.type),
          "desc",
        ),
    ),
    ...[true, false].flatMap((isInitiated) => [
      listActions(
        `an account that ${isInitiated ? "began" : "did not begin"} the trace`,
        { ...ofWallet, initiated_by_account: String(isInitiated), limit: largest },
        (stage) =>
          actionsBy(
            walletActions(stage).filter((row) => isBegun(stage, row) === isInitiated),
            "desc",
            largest,
          ),
      ),
      listActions(
        `an account that ${isInitiated ? "began" : "did not begin"} a given trace, by time`,
        (stage) => ({
          ...ofWallet,
          initiated_by_account: String(isInitiated),
          trace_id: walletTraces(stage).map(({ traceId }) => traceId),
          start_utime: 0,
          limit: largest,
        }),
        (stage) =>
          actionsByTime(
            walletActions(stage).filter((row) => isBegun(stage, row) === isInitiated),
            "desc",
            largest,
          ),
      ),
    ]),
    refuses(
      "who began a trace, without an account",
      { initiated_by_account: "false" },
      422,
      "account is required when initiated_by_account is set",
    ),
    listActions(
      "what follows a cursor",
      (stage) => ({ cursor: cursorBehind(stage, { isByTime: false, sort: "desc" }), limit: 3 }),
      ({ rows }) => actionsBy(rows.actions, "desc", 5).slice(2),
    ),
    listActions(
      "what follows a cursor, by time",
      (stage) => ({
        cursor: cursorBehind(stage, { isByTime: true, sort: "asc" }),
        limit: 3,
        sort: "asc",
        start_utime: 1,
      }),
      ({ rows }) => actionsByTime(rows.actions, "asc", 5).slice(2),
    ),
    refuses(
      "a cursor of the other direction",
      (stage) => ({ cursor: cursorBehind(stage, { isByTime: false, sort: "asc" }) }),
      422,
      "cursor does not match the sort order or the time filter of the request",
    ),
    refuses(
      "a cursor of a list by time",
      (stage) => ({ cursor: cursorBehind(stage, { isByTime: true, sort: "desc" }) }),
      422,
      "cursor does not match the sort order or the time filter of the request",
    ),
    refuses(
      "a cursor and an offset",
      (stage) => ({ cursor: cursorBehind(stage, { isByTime: false, sort: "desc" }), offset: 1 }),
      422,
      "cursor and offset can not be used together",
    ),
    listActions(
      "a masterchain block",
      (stage) => ({ mc_seqno: theTrace(stage).mcSeqnoEnd }),
      (stage) =>
        actionsBy(
          stage.rows.actions.filter(({ traceMcSeqnoEnd }) => traceMcSeqnoEnd === theTrace(stage).mcSeqnoEnd),
          "desc",
        ),
    ),
    listActions(
      "a time",
      (stage) => ({ start_utime: startOf(stage), sort: "asc" }),
      (stage) =>
        actionsByTime(
          stage.rows.actions.filter(({ traceEndUtime }) => traceEndUtime >= startOf(stage)),
          "asc",
        ),
    ),
    listActions(
      "logical times",
      (stage) => ({ start_lt: theTrace(stage).endLt, end_lt: theTrace(stage).endLt }),
      (stage) =>
        actionsBy(
          stage.rows.actions.filter(({ traceEndLt }) => traceEndLt === theTrace(stage).endLt),
          "desc",
        ),
    ),
    listActions("a type", { action_type: "ton_transfer", limit: 7 }, (stage) =>
      actionsBy(ofTypes(stage, "ton_transfer"), "desc", 7),
    ),
    listActions(
      "types",
      { action_type: ["tick_tock", "call_contract", "contract_deploy"], limit: 6, offset: 1, sort: "asc" },
      (stage) => actionsBy(ofTypes(stage, "tick_tock", "call_contract", "contract_deploy"), "asc", 7).slice(1),
    ),
    listActions("all but types", { exclude_action_type: ["ton_transfer", "tick_tock"], limit: largest }, (stage) =>
      actionsBy(ofTypes(stage, "call_contract", "contract_deploy"), "desc", largest),
    ),
    listActions(
      "types of the first version, which everybody knows",
      { supported_action_types: ["cocoon"] },
      ({ rows }) => actionsBy(rows.actions, "desc"),
    ),
    withHeaders(
      { "X-Actions-Version": "v1" },
      listActions("the types of a header", { supported_action_types: ["latest"] }, ({ rows }) =>
        actionsBy(rows.actions, "desc"),
      ),
    ),
    refuses("what is no type", { action_type: "a-b" }, 422, "action_type contains invalid characters"),
    refuses(
      "what is no type to leave out",
      { exclude_action_type: ["ton_transfer", "ä"] },
      422,
      "exclude_action_type contains invalid characters",
    ),
    refuses("a block that is not indexed", { mc_seqno: 4000 }, 404, unknownBlock),
    refuses(
      "a flag that is none",
      { include_accounts: "yes" },
      422,
      'schema: error converting value for "include_accounts"',
    ),
    ...pageRefusals({}, "invalid cursor"),
    sortRefusal(),
  ],
  balanceChanges: [
    gives(
      "a trace",
      (stage: V3Stage) => ({ trace_id: theTrace(stage).traceId }),
      (stage: V3Stage) => changesOf(stage, transactionsOf(stage, theTrace(stage).traceId)),
    ),
    gives(
      "an action",
      (stage: V3Stage) => ({ action_id: b64(ofTheTrace(stage)[0]?.actionId ?? sameDigits("0")) }),
      (stage: V3Stage) => {
        const covered = ofTheTrace(stage)[0]?.transactions ?? [];
        return changesOf(
          stage,
          stage.rows.transactions.filter(({ hash }) => covered.includes(hash)),
        );
      },
    ),
    gives("a trace that nobody knows", { trace_id: sameDigits("0") }, { changes: {}, fees: {}, jettons: {} }),
    refuses("nothing", {}, 400, "trace_id or action_id is required"),
    refuses("an action that nobody knows", { action_id: sameDigits("0") }, 404, "action_id not found"),
    refuses("an invalid hash", { trace_id: "x" }, 422, 'schema: error converting value for "trace_id"'),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;

/** Whether the first transaction of an action's trace is on the wallet. */
const isBegun = (stage: V3Stage, { traceId }: ActionRow) =>
  walletTransactions(stage).some(({ hash }) => hash === traceId);

/** The cursor behind the second action of a list. */
function cursorBehind(
  { rows }: V3Stage,
  { isByTime, sort }: { readonly isByTime: boolean; readonly sort: Sort },
): string {
  const row = (isByTime ? actionsByTime : actionsBy)(rows.actions, sort)[1];
  if (row === undefined) throw new Error("the recorded chain has two actions");
  const times = { traceEnd: BigInt(row.traceEndUtime), end: BigInt(row.endUtime) };
  const lts = { traceEnd: row.traceEndLt, end: row.endLt };
  return formatActionCursor({ isByTime, sort, ...row, ...(isByTime ? times : lts) });
}

function changesOf({ rows }: V3Stage, transactions: readonly TransactionRow[]) {
  const sums = (amountOf: (row: TransactionRow) => bigint) => {
    const found: Record<string, number> = {};
    for (const row of transactions) found[raw(row.account)] = (found[raw(row.account)] ?? 0) + Number(amountOf(row));
    return found;
  };
  const sentBy = (row: TransactionRow) => rows.messages.filter(({ outTxHash }) => outTxHash === row.hash);
  const value = (of: readonly { readonly value: bigint | undefined }[]) =>
    of.reduce((sum, each) => sum + (each.value ?? 0n), 0n);
  const fees = (row: TransactionRow) => sentBy(row).reduce((sum, { fwdFee }) => sum + (fwdFee ?? 0n), row.totalFees);
  const received = (row: TransactionRow) => rows.messages.filter(({ hash }) => hash === row.inMsgHash);
  return {
    changes: sums((row) => value(received(row)) - value(sentBy(row)) - fees(row)),
    fees: sums(fees),
    jettons: {},
  };
}
