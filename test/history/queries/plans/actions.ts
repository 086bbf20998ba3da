import { supportedTypes } from "../../../../src/contracts/visibility.ts";
import { type ActionFilter, actionsSql, everyAction } from "../../../../src/history/queries/actions.ts";
import { actionsOfTracesSql } from "../../../../src/history/queries/actionsOfTraces.ts";
import { actionByIdSql, walletsAtSql } from "../../../../src/history/queries/balanceChanges.ts";
import { actionsAtSql } from "../../../../src/history/queries/fill/actionsAt.ts";
import {
  actionEndsSql,
  actionPlacesSql,
  endsNearSql,
  messagePlacesSql,
  outsideSql,
  receiversAfterSql,
  traceStartsSql,
  transactionPlacesSql,
} from "../../../../src/history/queries/fill/places.ts";
import type { Page } from "../../../../src/history/queries/kit/Page.ts";
import {
  type TraceFilter,
  traceByIdSql,
  tracesBeforeSql,
  tracesByExternalSql,
  tracesNearSql,
  tracesSql,
  transactionsOfTracesSql,
} from "../../../../src/history/queries/traces.ts";
import { transactionsByHashSql, transactionsNearSql } from "../../../../src/history/queries/transactionsByHash.ts";
import type { TableLayout } from "../../../../src/history/store/Database.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import type { PlanCases } from "../../../kit/history/explain.ts";
import { everyTrace } from "../../../kit/history/traceTrees.ts";

const page: Page = { limit: 10, offset: 0 };
const account = makeAddress(0, sameDigits("1"));
const hash = sameDigits("3");
const supported = supportedTypes();
const at = { hashes: [hash], lts: [5n] };
const places = { traceIds: [hash], ends: [hash], lts: [5n] };

/** What is searched by rows of other tables, which a cluster has elsewhere. */
export const ofOneMachine = <T extends object>(layout: TableLayout | undefined, cases: T): T | Record<string, never> =>
  layout === "distributed" ? {} : cases;

/** Statements about traces and actions. */
export function actionPlans(layout?: TableLayout): PlanCases {
  const traces = (filter: Partial<TraceFilter>, sort: "asc" | "desc" = "desc") =>
    tracesSql({ ...everyTrace, ...filter }, page, sort);
  const actions = (filter: Partial<ActionFilter>, sort: "asc" | "desc" = "desc") =>
    actionsSql({ ...everyAction(supported), ...filter }, page, sort, layout);

  return {
    tracesSql: {
      all: { statement: traces({}), walks: true },
      "all from the first on": { statement: traces({}, "asc"), walks: true },
      "by time": { statement: traces({ startUtime: 1 }) },
      "by logical time": { statement: traces({ startLt: 1n, endLt: 5n }) },
      "of an account": { statement: traces({ account }) },
      "of an account by time": { statement: traces({ account, endUtime: 5 }) },
      "of an account by logical time": { statement: traces({ account, endLt: 5n }, "asc") },
      ...ofOneMachine(layout, {
        "of an account, begun by an external message": { statement: traces({ account, externals: [hash] }) },
      }),
      "by id": { statement: traces({ traceIds: [hash], starts: [5n] }), sorts: true },
      "of a masterchain block": { statement: traces({ mcSeqno: 5 }) },
      "of an account in a masterchain block": { statement: traces({ mcSeqno: 5, account }), sorts: true },
      "of a masterchain block by time": { statement: traces({ mcSeqno: 5, startUtime: 1 }), sorts: true },
    },
    tracesNearSql: { some: { statement: tracesNearSql(at) } },
    tracesBeforeSql: { some: { statement: tracesBeforeSql(at) } },
    traceStartsSql: { some: { statement: traceStartsSql([hash]) } },
    actionEndsSql: { some: { statement: actionEndsSql([hash]), sorts: true } },
    actionPlacesSql: { some: { statement: actionPlacesSql([hash]) } },
    actionsAtSql: {
      some: {
        statement: actionsAtSql([{ trace_id: `\\x${hash}`, action_id: `\\x${hash}`, partition_lt: 5n }]),
        sorts: true,
      },
    },
    messagePlacesSql: { some: { statement: messagePlacesSql([hash], 5) } },
    ...ofOneMachine(layout, { outsideSql: { some: { statement: outsideSql([hash]) } } }),
    transactionPlacesSql: { some: { statement: transactionPlacesSql([hash]) } },
    transactionsNearSql: { some: { statement: transactionsNearSql(at) } },
    endsNearSql: { both: { statement: endsNearSql(at, at, 5) } },
    receiversAfterSql: { some: { statement: receiversAfterSql(at, 5) } },
    traceByIdSql: { some: { statement: traceByIdSql(hash) } },
    transactionsOfTracesSql: {
      some: {
        statement: transactionsOfTracesSql([{ traceId: hash, startLt: 1n, endLt: 5n, state: "complete" }]),
        sorts: true,
      },
    },
    tracesByExternalSql: { some: { statement: tracesByExternalSql([hash]), sorts: true } },
    actionsSql: {
      all: { statement: actions({}), walks: true },
      "all from the first on": { statement: actions({}, "asc"), walks: true },
      "by time": { statement: actions({ startUtime: 1 }) },
      "by logical time": { statement: actions({ endLt: 5n }) },
      "of an account": { statement: actions({ account }) },
      "of an account by time": { statement: actions({ account, startUtime: 1 }, "asc") },
      "of an account by logical time": { statement: actions({ account, startLt: 1n }) },
      ...ofOneMachine(layout, {
        "of an account, begun by an external message": { statement: actions({ account, externals: [hash] }) },
      }),
      "of an account in a trace": { statement: actions({ account, traceIds: [hash], places }), sorts: true },
      "initiated by an account": { statement: actions({ account, isInitiated: true }) },
      "of an account, not initiated by it, by time": {
        statement: actions({ account, isInitiated: false, startUtime: 1 }),
      },
      "of a type, initiated by an account": {
        statement: actions({ account, isInitiated: true, types: ["jetton_swap"] }),
      },
      "initiated by an account, in a trace": {
        statement: actions({ account, isInitiated: true, traceIds: [hash], places }),
        sorts: true,
      },
      "by id and trace": { statement: actions({ actionIds: [hash], traceIds: [hash], places }), sorts: true },
      "by id": { statement: actions({ actionIds: [hash], places: { ends: [], lts: [5n] } }), sorts: true },
      "by trace": { statement: actions({ traceIds: [hash], places }), sorts: true },
      "by transaction": { statement: actions({ transactions: [hash], places }), sorts: true },
      "by message": { statement: actions({ messages: [hash], places }), sorts: true },
      "of a masterchain block": { statement: actions({ mcSeqno: 5 }) },
      "by type": { statement: actions({ types: ["jetton_swap"] }) },
      "by types": { statement: actions({ types: ["jetton_swap", "nft_mint"] }), sorts: true },
      "of users": { statement: actions({ isOfUsers: true }), walks: true, by: "actions_of_users" },
      "of users by logical time": {
        statement: actions({ isOfUsers: true, startLt: 5n, endLt: 9n }, "asc"),
        by: "actions_of_users",
      },
      "of users by time": { statement: actions({ isOfUsers: true, endUtime: 5 }), by: "actions_of_users_time" },
      "without a type": { statement: actions({ excludedTypes: ["call_contract"] }), walks: true },
    },
    actionsOfTracesSql: {
      some: { statement: actionsOfTracesSql([{ traceId: hash, endLt: 5n }], supported), sorts: true },
    },
    transactionsByHashSql: { some: { statement: transactionsByHashSql([hash]) } },
    actionByIdSql: { one: { statement: actionByIdSql(hash), sorts: true } },
    walletsAtSql: { several: { statement: walletsAtSql([account, makeAddress(-1, hash)]) } },
  };
}
