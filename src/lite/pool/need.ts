import { masterchain } from "../../model/block/BlockId.ts";
import {
  getBlock,
  getBlockHeader,
  getBlockProof,
  getMasterchainInfo,
  getMasterchainInfoExt,
  getTransactions,
  listBlockTransactions,
  listBlockTransactionsExt,
  lookupBlock,
  lookupBlockWithProof,
  sendMessage,
} from "../tl/liteQueries.ts";
import type { blockIdExt } from "../tl/liteRecords.ts";
import { type DecodedQuery, decodeQuery } from "../tl/queryEnvelope.ts";
import type { TlValue } from "../tl/types.ts";
import type { HeldBlock, ServerHead } from "./health.ts";

/** The oldest thing a question is about, where that can be told. */
export type QueryPlace =
  | { readonly kind: "any" }
  /** A masterchain block itself. */
  | { readonly kind: "block"; readonly seqno: number }
  /** The state after a masterchain block, which servers forget sooner than the block. */
  | { readonly kind: "state"; readonly seqno: number }
  | { readonly kind: "lt"; readonly lt: bigint }
  | { readonly kind: "time"; readonly at: number }
  /** A shard block, whose number tells nothing of its age. */
  | { readonly kind: "shard" };

/** What a server must have to answer a question. */
export interface Need {
  readonly kind: "read" | "send";
  readonly place: QueryPlace;
  /** The newest masterchain block it must know; 0 when it need know none. */
  readonly atLeast: number;
  /** Whether it asks what the newest block is, so that the answer must not be older than what was said before. */
  readonly newest: boolean;
  /** How long the server may hold its answer back on purpose. */
  readonly waitMs: number;
}

const anywhere: Need = { kind: "read", place: { kind: "any" }, atLeast: 0, newest: false, waitMs: 0 };

/** What the question needs. Bytes that are no question we know need nothing: whoever is asked will complain of them. */
export function needOf(question: Uint8Array): Need {
  const asked = findQuestion(question);
  if (asked === undefined) {
    return anywhere;
  }
  const need = { ...anywhere, ...needOfQuery(asked) };
  const { wait } = asked;
  if (wait === undefined) {
    return need;
  }
  return { ...need, atLeast: Math.max(need.atLeast, wait.seqno >>> 0), waitMs: Math.max(wait.timeoutMs, 0) };
}

function findQuestion(question: Uint8Array): DecodedQuery | undefined {
  try {
    return decodeQuery(question);
  } catch {
    return undefined;
  }
}

/** The arguments by which questions are told apart; all have their names in common. */
interface Args {
  readonly id?: Pick<TlValue<typeof blockIdExt>, "workchain" | "seqno">;
  readonly mcBlockId?: { readonly seqno: number };
  readonly knownBlock?: { readonly seqno: number };
  readonly targetBlock?: { readonly seqno: number };
  readonly mode?: number;
  readonly lt?: bigint;
  readonly utime?: number;
}

const blockQueries: ReadonlySet<string> = new Set(
  [getBlock, getBlockHeader, listBlockTransactions, listBlockTransactionsExt].map(({ name }) => name),
);

function needOfQuery({ query, args: decoded }: DecodedQuery): Partial<Need> {
  const args = decoded as Args;
  switch (query.name) {
    case sendMessage.name:
      return { kind: "send" };
    case getMasterchainInfo.name:
    case getMasterchainInfoExt.name:
      return { newest: true };
    case getBlockProof.name:
      // Key blocks are kept by everyone, so the chain of proofs is old data only in name.
      return { atLeast: Math.max(args.knownBlock?.seqno ?? 0, args.targetBlock?.seqno ?? 0) };
    case getTransactions.name:
      return { place: { kind: "lt", lt: args.lt ?? 0n } };
    case lookupBlock.name:
    case lookupBlockWithProof.name:
      return { ...lookupNeed(args), ...(args.mcBlockId === undefined ? {} : { atLeast: args.mcBlockId.seqno }) };
    default:
      return args.id === undefined ? {} : blockNeed(args.id, blockQueries.has(query.name) ? "block" : "state");
  }
}

function lookupNeed({ id, lt, utime }: Args): Partial<Need> {
  if (lt !== undefined) {
    return { place: { kind: "lt", lt } };
  }
  if (utime !== undefined) {
    return { place: { kind: "time", at: utime } };
  }
  return id === undefined ? {} : blockNeed(id, "block");
}

function blockNeed({ workchain, seqno }: NonNullable<Args["id"]>, kind: "block" | "state"): Partial<Need> {
  if (workchain !== masterchain) {
    return { place: { kind: "shard" } };
  }
  // TL has no unsigned numbers; seqnos are.
  return { place: { kind, seqno: seqno >>> 0 }, atLeast: seqno >>> 0 };
}

/** Whether a server with such a history has what is asked; undefined when that cannot be told. */
export function holds(
  place: QueryPlace,
  { oldest, oldestState, head }: { oldest: HeldBlock | undefined; oldestState: number; head: ServerHead | undefined },
): boolean | undefined {
  switch (place.kind) {
    case "any":
      return true;
    case "shard":
      return undefined;
    case "block":
      return oldest === undefined ? knownByHead(place.seqno, head) : place.seqno >= oldest.seqno;
    case "state":
      return place.seqno < oldestState
        ? false
        : holds({ kind: "block", seqno: place.seqno }, { oldest, oldestState, head });
    case "lt":
      return oldest === undefined ? undefined : place.lt >= oldest.startLt;
    case "time":
      return oldest === undefined ? undefined : place.at >= oldest.genUtime;
  }
}

/** The newest thousand blocks are kept by every server. */
function knownByHead(seqno: number, head: ServerHead | undefined): boolean | undefined {
  return head !== undefined && seqno > head.block.seqno - 1_000 ? true : undefined;
}
