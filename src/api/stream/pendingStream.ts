import type { ChainAccess } from "../../chain/LiveChains.ts";
import type { PendingTrace } from "../../chain/pending/PendingTrace.ts";
import type { AbiLibrary } from "../../contracts/AbiLibrary.ts";
import { systemClock } from "../../lib/clock.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { actionHead, describeEmulated } from "../v3/pending/emulated.ts";
import type { PendingView } from "../v3/pending/PendingView.ts";
import type { TransactionInContext } from "../v3/shapes/transactions.ts";
import {
  type StreamAction,
  type StreamTrace,
  type StreamTransaction,
  streamAction,
  streamTransaction,
  treeText,
} from "./StreamBlock.ts";

/** The message about a new prediction. */
export async function writePrediction(pending: PendingTrace, abis?: AbiLibrary): Promise<string> {
  return writeMessage({ kind: "predicted", trace: await predictedTrace(pending, abis) });
}

/** A prediction, ready to be sent. It is made in steps: it may have a thousand messages. */
function predictedTrace(pending: PendingTrace, abis: AbiLibrary | undefined): Promise<StreamTrace> {
  const turns = new TurnBudget(systemClock);
  return runInTurns(describePrediction(pending, abis), () => turns.yieldIfDue());
}

function* describePrediction(pending: PendingTrace, abis: AbiLibrary | undefined): Steps<StreamTrace> {
  const { trace, sent } = pending;
  const transactions = yield* describeEmulated(pending, undefined, { abis });
  const described: StreamTransaction[] = [];
  for (const each of transactions.toReversed()) {
    described.push(streamTransaction(each));
    yield;
  }
  return {
    ...{ external: sent.normalizedHash, key: trace.id, endLt: trace.endLt, finality: "pending" },
    transactions: described,
    actions: predictedActions(pending),
    tree: treeText(transactions),
  };
}

function predictedActions(pending: PendingTrace): readonly StreamAction[] {
  const hashes = new Set<Hash>();
  return (pending.classification?.actions ?? [])
    .filter(({ id }) => !hashes.has(id) && hashes.add(id))
    .toSorted((a, b) => compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt))
    .map((each) => {
      const head = actionHead(pending, each);
      const shown = { head, withAccounts: true, transactions: undefined, finality: "pending" } as const;
      return streamAction(shown, each.type, each.ancestors);
    });
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A trace that the chain has started: its confirmed or committed part, and the prediction of the rest. */
export function mixedTrace({ sent }: Pick<PendingTrace, "sent">, view: PendingView): StreamTrace | undefined {
  const { transactions, actions, head, isCut } = view;
  if (transactions === undefined) return undefined;
  const finality = view.finality === "confirmed" ? "confirmed" : "pending";
  const isSettled = finality === "pending" && !isCut && hasOnlyEndsLeft(transactions);
  const actionsFinality = isSettled ? "finalized" : finality;
  const shown = { withAccounts: true, transactions: undefined, finality: actionsFinality } as const;
  return {
    ...{ external: sent.normalizedHash, key: head.traceId ?? sent.normalizedHash, endLt: head.endLt },
    ...{ finality, actionsFinality },
    transactions: transactions.map((each) => streamTransaction(each)).reverse(),
    actions: actions
      .toSorted((a, b) => compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt))
      .map((each) => streamAction({ ...shown, head: each }, each.type, each.ancestorTypes)),
    tree: treeText(transactions),
  };
}

/** Messages that end a branch and change no action: transfer notification, ownership assigned, excesses. */
const endOpcodes = new Set([0x7362d09c, 0x05138d91, 0xd53276db].map((opcode) => opcode | 0));

/** Whether all that is still predicted are such ends: then the actions are final (streaming.md, A5). */
function hasOnlyEndsLeft(transactions: readonly TransactionInContext[]): boolean {
  const predicted = transactions.filter(({ context }) => context.emulated);
  const isEnd = ({ inMessage, outMessages }: TransactionInContext) =>
    outMessages.length === 0 && endOpcodes.has(inMessage?.row.opcode ?? 0);
  return predicted.length > 0 && predicted.every(isEnd);
}

/** The status of a sent message. */
export interface MessageStatus {
  readonly external: Hash;
  readonly status: "received" | "accepted" | "pending" | "expired" | "refused";
  readonly exitCode?: number | undefined;
}

/** The messages that processes exchange about sent messages and predictions. */
export type StreamMessage =
  | { readonly kind: "sent"; readonly boc: string; readonly access: ChainAccess }
  | { readonly kind: "predicted"; readonly trace: StreamTrace }
  | { readonly kind: "gone"; readonly external: Hash }
  | ({ readonly kind: "status" } & MessageStatus);

/** How messages about sent messages begin. */
export const sentPrefix = '{"kind":"sent"';

export function writeMessage(message: StreamMessage): string {
  return JSON.stringify(message, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}

/** Decodes a message of a process of the same version; ignores anything else. */
export function readMessage(text: string): StreamMessage | undefined {
  try {
    const { kind, trace, external, status, exitCode, boc, access } = JSON.parse(text) as {
      readonly kind?: unknown;
      readonly boc?: string;
      readonly access?: ChainAccess;
      readonly trace?: Omit<StreamTrace, "endLt"> & { readonly endLt: string };
    } & Partial<MessageStatus>;
    if (kind === "sent" && boc !== undefined && access !== undefined) return { kind, boc, access };
    if (kind === "gone" && external !== undefined) return { kind, external };
    if (kind === "status" && external !== undefined && status !== undefined)
      return { kind, external, status, ...(exitCode !== undefined && { exitCode }) };
    return kind === "predicted" && trace !== undefined
      ? { kind, trace: { ...trace, endLt: BigInt(trace.endLt) } }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Predictions that touch one of these accounts or were started by one of these messages, each once. */
export async function listPredicted(
  pending: { listOf(account: Address): readonly PendingTrace[]; find(hash: Hash): PendingTrace | undefined },
  accounts: Iterable<Address>,
  messages: Iterable<Hash>,
  abis?: AbiLibrary,
): Promise<readonly StreamTrace[]> {
  const pendingTraces = new Set<PendingTrace>();
  for (const account of accounts) for (const each of pending.listOf(account)) pendingTraces.add(each);
  for (const hash of messages) {
    const each = pending.find(hash);
    if (each !== undefined) pendingTraces.add(each);
  }
  const predicted: StreamTrace[] = [];
  for (const each of pendingTraces) predicted.push(await predictedTrace(each, abis));
  return predicted;
}
