import { isVisible } from "../../contracts/visibility.ts";
import type { Finality } from "../../history/queries/fill/FullTransaction.ts";
import type { Address } from "../../model/Address.ts";
import { formatRawAddress } from "../../model/Address.ts";
import { hashToBase64 } from "../../model/Hash.ts";
import { comparePositions, endOf, ranks, type StreamPosition } from "./cursor.ts";
import type { MessageStatus } from "./pendingStream.ts";
import type {
  ConfirmedChanges,
  OwnAccount,
  StreamBlock,
  StreamJetton,
  StreamState,
  StreamTrace,
} from "./StreamBlock.ts";
import type { Subscription } from "./Subscription.ts";

/** An event that one subscription gets: JSON without its last brace, so that more may stand behind it. */
export interface StreamEvent {
  readonly text: string;
  /** Whom the address book and the metadata of the event are about. */
  readonly involved: readonly Address[];
  /** Absent for events that are not settled. */
  readonly place: StreamPosition | undefined;
  /** Of events that are not settled: what a newer one stands for, too. */
  readonly snapshotOf?: string;
  /** Whether it is final although its trace has not ended. */
  readonly isFinal?: boolean;
}

/** Whether any event of the block may be for this subscription. */
export function mayConcern(block: StreamBlock, subscription: Subscription): boolean {
  const { accounts, traces, jettonMasters } = block;
  const { addresses, types, isForAll, traces: wanted, jettons, codeHashes } = subscription;
  if (isForAll || types.has("blocks")) return true;
  if (wanted.size > 0 && traces.some(({ external }) => wanted.has(external))) return true;
  return (
    doMeet(addresses, accounts) ||
    doMeet(jettons, jettonMasters) ||
    doMeet(jettons, accounts) ||
    doMeet(codeHashes, block.codeHashes)
  );
}

function doMeet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const each of few) if (many.has(each)) return true;
  return false;
}

/** Whether a subscription names an account, by its address or by its kind. */
function isOwn({ account, codeHash, jetton }: OwnAccount, subscription: Subscription): boolean {
  const { isForAll, addresses, jettons, codeHashes } = subscription;
  if (isForAll || addresses.has(account) || jettons.has(account)) return true;
  return (jetton !== undefined && jettons.has(jetton)) || (codeHash !== undefined && codeHashes.has(codeHash));
}

/** All events of a block for one subscription, in the order of the contract. */
export function renderBlock(block: StreamBlock, subscription: Subscription): readonly StreamEvent[] {
  if (!mayConcern(block, subscription)) return [];
  const { types } = subscription;
  const { mcSeqno, traces } = block;
  const all = (render: (trace: StreamTrace, mcSeqno: number) => StreamEvent | undefined) =>
    traces.map((trace) => render(trace, mcSeqno));
  const events = [
    ...(types.has("transactions") ? transactionEvents(block, subscription) : []),
    ...(types.has("actions") ? all((trace) => actionsEvent(trace, subscription, mcSeqno)) : []),
    ...(types.has("trace") ? all((trace) => traceEvent(trace, subscription, mcSeqno)) : []),
    ...(types.has("account_state_change") ? block.states.map((state) => stateEvent(state, subscription, mcSeqno)) : []),
    ...(types.has("jettons_change") ? block.jettons.map((each) => jettonEvent(each, subscription, mcSeqno)) : []),
    ...(types.has("blocks") ? [blockEvent(block)] : []),
    ...(types.has("messages") ? all((trace) => landedEvent(trace, subscription, mcSeqno)) : []),
  ];
  return events.filter((event) => event !== undefined);
}

/** The events of a trace that is not final: predicted, or in shard blocks that the masterchain has not committed. */
export function renderPending(trace: StreamTrace, subscription: Subscription): readonly StreamEvent[] {
  const { types, minFinality } = subscription;
  const renders = { transactions: transactionsEvent, actions: actionsEvent, trace: traceEvent } as const;
  return (["transactions", "actions", "trace"] as const).flatMap((type) => {
    const finality = type === "transactions" ? trace.finality : actionsFinality(trace, subscription);
    const isFinal = finality === "finalized";
    const isWanted =
      types.has(type) && (minFinality === "pending" || (minFinality === "confirmed" && finality !== "pending"));
    const event = isWanted ? renders[type](trace, subscription, undefined) : undefined;
    return event === undefined ? [] : [{ ...event, snapshotOf: snapshotName(type, trace), isFinal }];
  });
}

/** The changes of accounts and wallets in shard blocks that the masterchain has not committed. */
export function renderConfirmed(
  { states, jettons }: ConfirmedChanges,
  subscription: Subscription,
): readonly StreamEvent[] {
  const { types, minFinality } = subscription;
  if (minFinality === "finalized") return [];
  const events = [
    ...(types.has("account_state_change") ? states.map((state) => stateEvent(state, subscription, undefined)) : []),
    ...(types.has("jettons_change") ? jettons.map((each) => jettonEvent(each, subscription, undefined)) : []),
  ];
  return events.filter((event) => event !== undefined);
}

/** With a cursor, final events are those that have a place in a block. */
function actionsFinality({ finality, actionsFinality: own = finality }: StreamTrace, { hasCursor }: Subscription) {
  return hasCursor ? finality : own;
}

/** Of two snapshots with the same name the newer one counts. */
export function snapshotName(type: string, { external }: StreamTrace): string {
  return `${type} ${external}`;
}

/**
 * With `partial`, a transaction is sent with its own block; without, when its trace is complete. A trace that counted
 * as ended before is sent with its own block in both cases.
 */
function transactionEvents(block: StreamBlock, subscription: Subscription): readonly (StreamEvent | undefined)[] {
  const { mcSeqno, traces, open } = block;
  const { isPartial } = subscription;
  const own = (trace: StreamTrace): StreamTrace => ({
    ...trace,
    transactions: trace.transactions.filter((each) => each.mcSeqno === mcSeqno),
  });
  const ended = traces.map((trace) =>
    transactionsEvent(isPartial || trace.wasReleased === true ? own(trace) : trace, subscription, mcSeqno),
  );
  const going = open
    .filter(({ wasReleased }) => isPartial || wasReleased === true)
    .map((trace) => transactionsEvent(trace, subscription, mcSeqno, isPartial ? ',"partial":true' : ""));
  if (going.length === 0) return ended;
  return [...ended, ...going]
    .filter((event) => event !== undefined)
    .sort((a, b) => comparePositions(a.place ?? endOf(mcSeqno), b.place ?? endOf(mcSeqno)));
}

function placeOf({ endLt, key }: StreamTrace, rank: number, mcSeqno: number | undefined): StreamPosition | undefined {
  return mcSeqno === undefined ? undefined : { mcSeqno, rank, lt: endLt, key };
}

function head(type: string, { external, finality: own }: StreamTrace, finality = own): string {
  return `{"type":"${type}","finality":"${finality}","trace_external_hash_norm":"${hashToBase64(external)}"`;
}

function transactionsEvent(
  trace: StreamTrace,
  subscription: Subscription,
  mcSeqno: number | undefined,
  more = "",
): StreamEvent | undefined {
  const { bodyHash } = subscription;
  const shown = trace.transactions.filter(
    (each) => isOwn(each, subscription) && (bodyHash === undefined || each.bodyHash === bodyHash),
  );
  if (shown.length === 0) return undefined;
  const list = shown.map(({ json }) => json).join(",");
  return {
    text: `${head("transactions", trace)},"transactions":[${list}]${more}`,
    involved: shown.flatMap(({ involved }) => involved),
    place: placeOf(trace, ranks.transactions, mcSeqno),
  };
}

function readableActions({ actions }: StreamTrace, { supported, actionTypes }: Subscription) {
  return actions.filter((each) => isVisible(each, supported) && (actionTypes.size === 0 || actionTypes.has(each.type)));
}

function actionsEvent(
  trace: StreamTrace,
  subscription: Subscription,
  mcSeqno: number | undefined,
): StreamEvent | undefined {
  const ofKind = new Set(trace.transactions.filter((each) => isOwn(each, subscription)).map(({ account }) => account));
  const shown = readableActions(trace, subscription).filter(({ accounts }) =>
    accounts.some((account) => ofKind.has(account) || isOwn({ account }, subscription)),
  );
  if (shown.length === 0) return undefined;
  return {
    text: `${head("actions", trace, actionsFinality(trace, subscription))},"actions":[${shown.map(({ json }) => json).join(",")}]`,
    involved: shown.flatMap(({ involved }) => involved),
    place: placeOf(trace, ranks.actions, mcSeqno),
  };
}

function traceEvent(
  trace: StreamTrace,
  subscription: Subscription,
  mcSeqno: number | undefined,
): StreamEvent | undefined {
  if (!subscription.traces.has(trace.external) || trace.tree === undefined) return undefined;
  const actions = readableActions(trace, subscription);
  const transactions = trace.transactions.map(({ hash, json }) => `"${hashToBase64(hash)}":${json}`);
  const parts = `"trace":${trace.tree},"transactions":{${transactions.join(",")}},"actions":[${actions.map(({ json }) => json).join(",")}]`;
  return {
    text: `${head("trace", trace, actionsFinality(trace, subscription))},${parts}`,
    involved: [...trace.transactions, ...actions].flatMap(({ involved }) => involved),
    place: placeOf(trace, ranks.trace, mcSeqno),
  };
}

/** Of a block, or of a shard block that no masterchain block commits yet. */
function finalityAt(mcSeqno: number | undefined): Finality {
  return mcSeqno === undefined ? "confirmed" : "finalized";
}

function stateEvent(
  state: StreamState,
  subscription: Subscription,
  mcSeqno: number | undefined,
): StreamEvent | undefined {
  if (!isOwn(state, subscription)) return undefined;
  const { account, json } = state;
  const place = mcSeqno === undefined ? undefined : { mcSeqno, rank: ranks.account_state_change, lt: 0n, key: account };
  const text = `{"type":"account_state_change","finality":"${finalityAt(mcSeqno)}","account":"${formatRawAddress(account)}","state":${json}`;
  return { text, involved: [], place };
}

function jettonEvent(
  { address, owner, jetton, codeHash, json }: StreamJetton,
  subscription: Subscription,
  mcSeqno: number | undefined,
): StreamEvent | undefined {
  if (!isOwn({ account: address, jetton, codeHash }, subscription) && !subscription.addresses.has(owner))
    return undefined;
  return {
    text: `{"type":"jettons_change","finality":"${finalityAt(mcSeqno)}","jetton":${json}`,
    involved: [address, owner, jetton],
    place: mcSeqno === undefined ? undefined : { mcSeqno, rank: ranks.jettons_change, lt: 0n, key: address },
  };
}

function blockEvent({ mcSeqno, block }: StreamBlock): StreamEvent {
  return {
    text: `{"type":"blocks","finality":"finalized","mc_block":${block.json},"transactions":${block.transactions}`,
    involved: [],
    place: { mcSeqno, rank: ranks.blocks, lt: 0n, key: "" },
  };
}

/** A message that was sent through here, once its whole trace is settled. */
function landedEvent(trace: StreamTrace, { traces }: Subscription, mcSeqno: number): StreamEvent | undefined {
  if (!traces.has(trace.external)) return undefined;
  const text = `${head("messages", trace)},"status":"finalized"`;
  return { text, involved: [], place: placeOf(trace, ranks.messages, mcSeqno) };
}

/** A message on its way, as its sender follows it. */
export function renderStatus({ external, status, exitCode }: MessageStatus): string {
  const code = exitCode === undefined ? "" : `,"exit_code":${exitCode}`;
  return `{"type":"messages","finality":"pending","trace_external_hash_norm":"${hashToBase64(external)}","status":"${status}"${code}}`;
}

/** Says that nothing is left of the actions of a trace that were shown. */
export function renderRetraction(trace: StreamTrace): string {
  return `${head("actions", trace)},"actions":[]}`;
}

/** Whether a subscription is shown any action of a trace. */
export function hasActions(trace: StreamTrace, subscription: Subscription): boolean {
  return subscription.types.has("actions") && actionsEvent(trace, subscription, undefined) !== undefined;
}
