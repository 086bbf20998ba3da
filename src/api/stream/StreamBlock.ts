import type { BlockFacts, EndedTrace, JettonWalletChange, OpenTracePart } from "../../history/events/BlockFacts.ts";
import type { ActionRow } from "../../history/queries/actions.ts";
import type { Finality, FullTransaction } from "../../history/queries/fill/FullTransaction.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { type Address, formatRawAddress } from "../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../model/Hash.ts";
import { action, type ShownAction } from "../v3/shapes/actions.ts";
import { block as blockShape } from "../v3/shapes/blocks.ts";
import { makeTraceTree, traceNode } from "../v3/shapes/traces.ts";
import { finalTransaction, type TransactionInContext, transactionInContext } from "../v3/shapes/transactions.ts";
import { involvedIn, involvedInActions } from "../v3/traceAnswers.ts";

/** An account, with what subscriptions may name it by. */
export interface OwnAccount {
  readonly account: Address;
  readonly codeHash?: Hash | undefined;
  /** Of a jetton wallet. */
  readonly jetton?: Address | undefined;
}

/** The text of an event, written once for all subscribers. */
interface Rendered {
  readonly json: string;
}

/** An event with the accounts that its address book and metadata are about. */
interface RenderedWithBook extends Rendered {
  readonly involved: readonly Address[];
}

/** A transaction, ready to be sent to subscribers. */
export interface StreamTransaction extends OwnAccount, RenderedWithBook {
  readonly hash: Hash;
  readonly mcSeqno: number;
  readonly bodyHash: Hash | undefined;
}

/** An action, ready to be sent to subscribers. */
export interface StreamAction extends RenderedWithBook {
  readonly type: string;
  readonly ancestors: readonly string[];
  readonly accounts: readonly Address[];
}

/** The part of a trace that one block settles. Its texts are rendered once and sent to every client. */
export interface StreamTrace {
  /** The normalized hash of the message that began it. */
  readonly external: Hash;
  readonly key: Hash;
  readonly endLt: bigint;
  readonly finality: Finality;
  /** Of its actions, where that differs: they may be final before the trace has ended. */
  readonly actionsFinality?: Finality;
  /** Newest first. */
  readonly transactions: readonly StreamTransaction[];
  /** By end, then by start, newest first. */
  readonly actions: readonly StreamAction[];
  /** Absent when there are too many transactions to show. */
  readonly tree: string | undefined;
  /** Whether it counted as ended before, so that every block has an event of its own transactions. */
  readonly wasReleased?: boolean;
}

export interface StreamState extends OwnAccount, Rendered {}

export interface StreamJetton extends Rendered {
  readonly address: Address;
  readonly owner: Address;
  readonly jetton: Address;
  readonly codeHash: Hash | undefined;
}

/** What changed in shard blocks that the masterchain has not committed. */
export interface ConfirmedChanges {
  readonly states: readonly StreamState[];
  readonly jettons: readonly StreamJetton[];
}

/** All that a masterchain block has for streams. */
export interface StreamBlock extends ConfirmedChanges {
  readonly mcSeqno: number;
  readonly utime: number;
  readonly traces: readonly StreamTrace[];
  /** Traces that go on, with the transactions of this block. */
  readonly open: readonly StreamTrace[];
  readonly block: { readonly json: string; readonly transactions: number };
  /** Every account that an event of the block may be about. */
  readonly accounts: ReadonlySet<Address>;
  /** Masters of the jettons whose wallets an event may be about. */
  readonly jettonMasters: ReadonlySet<Address>;
  readonly codeHashes: ReadonlySet<Hash>;
}

/** Who takes part, each once. */
function listed(of: readonly (Address | undefined)[]): readonly Address[] {
  return [...new Set(of)].filter((each) => each !== undefined);
}

export function streamTransaction(each: TransactionInContext, jetton?: Address): StreamTransaction {
  const { row, inMessage, stateAfter } = each;
  return {
    account: row.account,
    codeHash: stateAfter?.codeHash,
    jetton,
    hash: row.hash,
    mcSeqno: row.mcBlockSeqno,
    bodyHash: inMessage?.row.bodyHash,
    involved: listed(involvedIn([each])),
    json: JSON.stringify(transactionInContext.encode(each)),
  };
}

export function streamAction(shown: ShownAction, type: string, ancestors: readonly string[]): StreamAction {
  const { accounts } = shown.head;
  return {
    type,
    ancestors,
    accounts,
    involved: listed(involvedInActions([shown])),
    json: JSON.stringify(action.encode(shown)),
  };
}

export function treeText(transactions: readonly FullTransaction[]): string {
  const { root } = makeTraceTree(transactions);
  return root === undefined ? "{}" : JSON.stringify(traceNode.encode(root));
}

/** A trace that no message began is subscribed to by its own hash. */
export function externalOf({ externalHashNorm, externalHash, traceId }: EndedTrace["row"]): Hash {
  return externalHashNorm ?? externalHash ?? traceId;
}

type JettonOf = BlockFacts["jettonOf"];

/** A step for each transaction, which may have hundreds of messages. */
function* finalTransactions(
  transactions: readonly FullTransaction[],
  jettonOf: JettonOf,
): Steps<readonly StreamTransaction[]> {
  const final: StreamTransaction[] = [];
  for (const each of transactions.toReversed()) {
    final.push(streamTransaction(finalTransaction(each), jettonOf.get(each.row.account)));
    yield;
  }
  return final;
}

/** A trace that is open still ends with what it has so far: its row changes with later blocks. */
function* endedTrace({ row, transactions, actions, wasReleased }: EndedTrace, jettonOf: JettonOf): Steps<StreamTrace> {
  const isWhole = !wasReleased || transactions.some(({ row: { hash } }) => hash === row.traceId);
  return {
    ...{ external: externalOf(row), key: row.traceId, finality: "finalized", wasReleased },
    endLt: transactions.at(-1)?.row.lt ?? row.endLt,
    transactions: yield* finalTransactions(transactions, jettonOf),
    actions: actions.map(finalAction),
    tree: isWhole ? treeText(transactions) : undefined,
  };
}

function finalAction(row: ActionRow): StreamAction {
  const shown: ShownAction = { head: row, withAccounts: true, transactions: undefined, finality: "finalized" };
  return streamAction(shown, row.type, row.ancestorTypes);
}

/** A trace that goes on has another end in every block: here it ends with what this block has of it. */
function* openTrace({ row, transactions, wasReleased }: OpenTracePart, jettonOf: JettonOf): Steps<StreamTrace> {
  const endLt = transactions.at(-1)?.row.lt ?? 0n;
  return {
    ...{ external: externalOf(row), key: row.traceId, endLt, finality: "finalized", wasReleased },
    transactions: yield* finalTransactions(transactions, jettonOf),
    ...{ actions: [], tree: undefined },
  };
}

/** The last state of each account, by account. */
export function listStates(transactions: readonly FullTransaction[], jettonOf: JettonOf): readonly StreamState[] {
  const last = new Map(transactions.map((each) => [each.row.account, each] as const));
  return [...last.values()]
    .map((each) => ({ ...stateOf(each), jetton: jettonOf.get(each.row.account) }))
    .sort((a, b) => (a.account < b.account ? -1 : 1));
}

function stateOf({ row, stateAfter }: FullTransaction): StreamState {
  const maybe = (hash: Hash | undefined) => (hash === undefined ? null : hashToBase64(hash));
  const json = JSON.stringify({
    hash: hashToBase64(row.stateHashAfter),
    balance: String(stateAfter?.balance ?? 0n),
    extra_currencies: stateAfter?.balanceExtra ?? null,
    account_status: stateAfter?.status ?? row.endStatus,
    frozen_hash: maybe(stateAfter?.frozenHash),
    data_hash: maybe(stateAfter?.dataHash),
    code_hash: maybe(stateAfter?.codeHash),
  });
  return { account: row.account, codeHash: stateAfter?.codeHash, json };
}

export function streamJetton(wallet: JettonWalletChange): StreamJetton {
  const maybe = (hash: Hash | undefined) => (hash === undefined ? null : hashToBase64(hash));
  const json = JSON.stringify({
    address: formatRawAddress(wallet.address),
    balance: wallet.balance.toString(),
    owner: formatRawAddress(wallet.owner),
    jetton: formatRawAddress(wallet.jetton),
    last_transaction_lt: wallet.lastTransactionLt.toString(),
    code_hash: maybe(wallet.codeHash),
    data_hash: maybe(wallet.dataHash),
  });
  const { address, owner, jetton, codeHash } = wallet;
  return { address, owner, jetton, codeHash, json };
}

function byEnd(a: StreamTrace, b: StreamTrace): number {
  if (a.endLt !== b.endLt) return a.endLt < b.endLt ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

/** Makes of a block's rows what its events are cut from; the order of everything follows from the chain. */
export function* makeStreamBlock(facts: BlockFacts): Steps<StreamBlock> {
  const { jettonOf } = facts;
  const traces: StreamTrace[] = [];
  for (const each of facts.ended) traces.push(yield* endedTrace(each, jettonOf));
  traces.sort(byEnd);
  const open: StreamTrace[] = [];
  for (const each of facts.open) open.push(yield* openTrace(each, jettonOf));
  const states = listStates(facts.transactions, jettonOf);
  const jettons = facts.jettons.map(streamJetton).sort((a, b) => (a.address < b.address ? -1 : 1));
  const touched = [...[...traces, ...open].flatMap(({ transactions }) => transactions), ...states];
  return {
    ...{ mcSeqno: facts.block.seqno, utime: facts.block.genUtime, traces, open, states, jettons },
    block: { json: JSON.stringify(blockShape.encode(facts.block)), transactions: facts.transactions.length },
    accounts: new Set([
      ...touched.map(({ account }) => account),
      ...traces.flatMap((trace) => trace.actions.flatMap(({ accounts }) => accounts)),
      ...jettons.flatMap(({ address, owner }) => [address, owner]),
    ]),
    jettonMasters: new Set(jettonOf.values()),
    codeHashes: new Set([...touched, ...jettons].flatMap(({ codeHash }) => codeHash ?? [])),
  };
}
