import type { ActionRow } from "../../history/queries/actions.ts";
import { addressBook } from "../../history/queries/addressBook.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import type { FullTrace } from "../../history/queries/traces.ts";
import { list, nullable, shape, text } from "../../lib/kit/shape.ts";
import { type Address, findAddress } from "../../model/Address.ts";
import { about } from "./about.ts";
import { action, type ShownAction } from "./shapes/actions.ts";
import { metadataFields, type WithMetadata } from "./shapes/book.ts";
import { type ShownTrace, trace } from "./shapes/traces.ts";
import { finalTransaction, type TransactionInContext } from "./shapes/transactions.ts";

/** An indexed trace, which is final. */
export function finalTrace({ row, transactions, actions }: FullTrace): ShownTrace {
  return {
    head: row,
    transactions: transactions?.map(finalTransaction),
    actions: actions?.map((each) => finalAction(each)),
    isCut: false,
  };
}

export interface ActionParts {
  readonly withAccounts: boolean;
  readonly transactions: readonly TransactionInContext[] | undefined;
}

const bareAction: ActionParts = { withAccounts: false, transactions: undefined };

/** An indexed action, which is final. */
export function finalAction(head: ActionRow, parts: ActionParts = bareAction): ShownAction {
  return { head, ...parts, finality: "finalized" };
}

/** The accounts of transactions. */
export function involvedIn(transactions: readonly TransactionInContext[]): readonly (Address | undefined)[] {
  return transactions.flatMap(({ row, inMessage, outMessages }) => [
    row.account,
    inMessage?.row.source,
    ...outMessages.map((sent) => sent.row.destination),
  ]);
}

const rawAddress = /^-?[0-9]{1,10}:[0-9A-F]{64}$/;

/** Every account in details, at any depth. */
export function addressesIn(details: unknown): readonly Address[] {
  if (typeof details === "string")
    return rawAddress.test(details) ? [findAddress(details)?.address].flatMap(orNone) : [];
  if (typeof details !== "object" || details === null) return [];
  return Object.values(details).flatMap(addressesIn);
}

const orNone = (address: Address | undefined): readonly Address[] => (address === undefined ? [] : [address]);

/** The accounts of actions. */
export function involvedInActions(actions: readonly ShownAction[]): readonly (Address | undefined)[] {
  return actions.flatMap(({ head, transactions }) => [...addressesIn(head.details), ...involvedIn(transactions ?? [])]);
}

export interface TracesAnswer extends WithMetadata {
  readonly traces: readonly ShownTrace[];
}

/** Traces with the address book and metadata of their accounts. */
export const tracesAnswer = shape<TracesAnswer>()({
  traces: list(trace)("Traces that match, in the requested order.", (answer) => answer.traces),
  ...metadataFields,
});

/** The same; an older name. */
export const eventsAnswer = shape<TracesAnswer>()({
  events: list(trace)("Traces that match, in the requested order.", (answer) => answer.traces),
  ...metadataFields,
});

export async function aboutTraces(reading: HistorySnapshot, traces: readonly ShownTrace[]): Promise<TracesAnswer> {
  const involved = traces.flatMap(({ transactions = [], actions = [] }) => [
    ...involvedIn(transactions),
    ...involvedInActions(actions),
  ]);
  return { traces, ...(await about(reading, involved)) };
}

export interface ActionsAnswer extends WithMetadata {
  readonly actions: readonly ShownAction[];
}

/** Actions with the address book and metadata of their accounts. */
export const actionsAnswer = shape<ActionsAnswer>()({
  actions: list(action)("Actions that the transactions amount to, newest first.", (answer) => answer.actions),
  ...metadataFields,
});

export interface ActionsPage extends ActionsAnswer {
  readonly next: string | undefined;
}

/** The same with the cursor of the next page. */
export const actionsPage = shape<ActionsPage>()({
  actions: list(action)("Actions that the transactions amount to, newest first.", (answer) => answer.actions),
  ...metadataFields,
  next_cursor: nullable(text)(
    "Where the next page begins, for `cursor`; null on the last page.",
    (answer) => answer.next,
  ),
});

export async function aboutActions(reading: HistorySnapshot, actions: readonly ShownAction[]): Promise<ActionsAnswer> {
  return { actions, ...(await about(reading, involvedInActions(actions))) };
}

/** The address book of transactions of any finality. */
export async function bookOfTransactions(reading: HistorySnapshot, transactions: readonly TransactionInContext[]) {
  return addressBook(reading, involvedIn(transactions));
}
