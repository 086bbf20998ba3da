import type { PendingTrace } from "../../chain/pending/PendingTrace.ts";
import { isVisible, supportedTypes } from "../../contracts/visibility.ts";
import { beginningOf } from "../../history/confirmed/ConfirmedReader.ts";
import { shape } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { arg } from "../declare/argument.ts";
import { noProof } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { readSupported, supportedArgs } from "./args/actionArgs.ts";
import { addressArg, addressesArg, boolArg, hashesArg, needed, orElseArg } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import type { Control } from "./declare.ts";
import { endpoint } from "./declare.ts";
import type { HistoryRequest } from "./onHistory.ts";
import { onHistory } from "./onHistory.ts";
import type { PendingView } from "./pending/PendingView.ts";
import { viewPending } from "./pending/pendingViews.ts";
import { viewConfirmed } from "./pending/viewConfirmed.ts";
import { notIndexed } from "./scope/scopeRule.ts";
import type { V3Services } from "./services/Services.ts";
import type { ShownAction } from "./shapes/actions.ts";
import { bookFields, type ItemsWithBook, itemsOf } from "./shapes/book.ts";
import type { TransactionInContext } from "./shapes/transactions.ts";
import { transactionInContext } from "./shapes/transactions.ts";
import { aboutActions, aboutTraces, actionsAnswer, bookOfTransactions, tracesAnswer } from "./traceAnswers.ts";

type Store = NonNullable<V3Services["pending"]>;

/** Makes the `run` of an endpoint about pending traces; a server may not have them. */
function onPending<A extends Control, R>(answer: (asking: HistoryRequest, args: A, parts: Parts) => Promise<R>) {
  return (services: V3Services, args: A, context: RequestContext): Promise<R> => {
    const { pending: store, confirmed = noConfirmed } = services;
    if (store === undefined) throw refusal("noPending");
    return onHistory<A, R>((asking, given) => answer(asking, given, { store, confirmed }))(services, args, context);
  };
}

interface Parts {
  readonly store: Store;
  readonly confirmed: NonNullable<V3Services["confirmed"]>;
}

const noConfirmed: Parts["confirmed"] = { find: () => undefined, listOf: () => [] };

/** What is predicted, and what is in shard blocks: that replaces the prediction. */
async function viewAll(
  { reading }: HistoryRequest,
  { store, confirmed }: Parts,
  { account, ext_msg_hash: externals }: Which,
  supported: ReadonlySet<string>,
): Promise<readonly PendingView[]> {
  const predicted = listRequested(store, { account, ext_msg_hash: externals });
  const found =
    account === undefined ? externals.flatMap((hash) => confirmed.find(hash) ?? []) : confirmed.listOf(account);
  const real = [...new Set(found)].slice(0, maxTraces);
  const shown = new Set(real.map(beginningOf));
  const rest = predicted.filter(({ sent }) => !shown.has(sent.normalizedHash));
  const readable = (view: PendingView) => ({
    ...view,
    actions: view.actions.filter((each) => isReadable(each, supported)),
  });
  const views = [
    ...(await viewPending(reading, store, rest, supported)),
    ...(await viewConfirmed(reading, real, store)).map(readable),
  ];
  return views.sort((a, b) => compare(b.head.endLt, a.head.endLt));
}

function isReadable({ type, ancestorTypes }: PendingView["actions"][number], supported: ReadonlySet<string>): boolean {
  return isVisible({ type, ancestors: ancestorTypes }, supported);
}

interface Which {
  readonly account: Address | undefined;
  readonly ext_msg_hash: readonly Hash[];
}

const whichArgs = {
  account: arg("Only what this account takes part in.", addressArg, "wallet"),
  ext_msg_hash: arg("Hashes of sent external messages, also in their normalized form.", hashesArg),
  ...supportedArgs,
};

/** There are no pages here: for busy accounts only the latest traces are returned. */
const maxTraces = 256;

/** An account takes precedence over hashes. */
function listRequested(store: Store, { account, ext_msg_hash: externals }: Which): readonly PendingTrace[] {
  if (account !== undefined) return store.listOf(account).slice(0, maxTraces);
  if (externals.length === 0) throw refusal("pendingTraceNeeded");
  return [...new Set(externals.flatMap((hash) => store.find(hash) ?? []))].slice(0, maxTraces);
}

/** The chain may touch fewer accounts than predicted. */
function touches({ transactions }: PendingView, accounts: readonly Address[]): boolean {
  return transactions === undefined || transactions.some(({ row }) => accounts.includes(row.account));
}

function pendingAction(
  head: ShownAction["head"],
  transactions: ShownAction["transactions"],
  { finality }: PendingView,
): ShownAction {
  return { head, withAccounts: false, transactions, finality };
}

export const pendingTraces = endpoint({
  name: "pendingTraces",
  proof: noProof("what is pending is not on the chain yet"),
  tag: "actions",
  scope: notIndexed,
  summary: "Traces of messages that were sent through this service and are not final yet.",
  description:
    "A sent message is emulated at once with everything it causes. The prediction is returned until the index has the whole trace; indexed transactions replace predicted ones.",
  args: whichArgs,
  result: tracesAnswer,
  run: onPending(async (asking, args, parts) => {
    const { reading } = asking;
    const supported = readSupported(args.supported_action_types);
    const { account } = args;
    const views = await viewAll(asking, parts, args, supported);
    const own = account === undefined ? views : views.filter((view) => touches(view, [account]));
    const shown = own.map((view) => ({
      head: view.head,
      transactions: view.transactions,
      actions: view.actions.toSorted(byStart).map((each) => pendingAction(each, undefined, view)),
      isCut: view.isCut,
    }));
    return aboutTraces(reading, shown);
  }),
});

type Spanned = Pick<ShownAction["head"], "startLt" | "endLt">;

function byStart(a: Spanned, b: Spanned): number {
  return compare(a.startLt, b.startLt) || compare(a.endLt, b.endLt);
}

function byEndDescending(a: Spanned, b: Spanned): number {
  return compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt);
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function actionsOf(view: PendingView, withTransactions: boolean): readonly ShownAction[] {
  const { actions, transactions = [] } = view;
  const byHash = new Map(transactions.map((each) => [each.row.hash, each]));
  const coveredBy = (head: ShownAction["head"]) => head.transactions.flatMap((hash) => byHash.get(hash) ?? []);
  return actions
    .toSorted(byEndDescending)
    .map((head) => pendingAction(head, withTransactions ? coveredBy(head) : undefined, view));
}

export const pendingActions = endpoint({
  name: "pendingActions",
  proof: noProof("what is pending is not on the chain yet"),
  tag: "actions",
  scope: notIndexed,
  summary: "Actions of traces that are not final yet.",
  args: {
    ...whichArgs,
    include_transactions: arg("Add the whole transactions of every action.", orElseArg(boolArg, false)),
  },
  result: actionsAnswer,
  run: onPending(async (asking, args, parts) => {
    const { reading } = asking;
    const { account } = args;
    const supported = readSupported(args.supported_action_types);
    const views = await viewAll(asking, parts, args, supported);
    const all = views.flatMap((view) => actionsOf(view, args.include_transactions));
    const own = account === undefined ? all : all.filter(({ head }) => head.accounts.includes(account));
    return aboutActions(reading, own);
  }),
});

export const pendingTransactions = endpoint({
  name: "pendingTransactions",
  proof: noProof("what is pending is not on the chain yet"),
  tag: "blockchain",
  scope: notIndexed,
  summary: "Predicted transactions of accounts, for messages that were sent through this service.",
  description: "`trace_id` is ignored: an account must be given.",
  statuses: [404],
  args: {
    account: arg("Only what this account takes part in.", needed(addressesArg), ["pendingWallet"]),
    trace_id: arg("Trace, by the hash of its first transaction.", hashesArg),
  },
  result: shape<ItemsWithBook<TransactionInContext>>()({
    transactions: itemsOf(transactionInContext, "Transactions that match, in the requested order."),
    ...bookFields,
  }),
  run: onPending(async (asking, { account: accounts }, parts) => {
    const { reading } = asking;
    if (accounts.length === 0) throw refusal("pendingAccountNeeded");
    const views: PendingView[] = [];
    for (const account of accounts)
      views.push(...(await viewAll(asking, parts, { account, ext_msg_hash: [] }, supportedTypes())));
    const going = views.filter((view) => view.finality !== "finalized" && touches(view, accounts));
    if (going.length === 0) throw refusal("emulatedNotFound");
    const all = going
      .flatMap((view) => view.transactions ?? [])
      .filter(({ context, row }) => context.finality !== "finalized" && accounts.includes(row.account));
    const transactions = [...new Map(all.map((each) => [each.row.hash, each])).values()];
    return { items: transactions, book: await bookOfTransactions(reading, transactions) };
  }),
});
