import { findHash, type Hash } from "../../model/Hash.ts";

/** The position of an event in the order of all finalized events; it depends on the chain alone. */
export interface StreamPosition {
  readonly mcSeqno: number;
  readonly rank: number;
  readonly lt: bigint;
  readonly key: string;
}

/** The order of events within a block. */
export const ranks = {
  transactions: 0,
  actions: 1,
  trace: 2,
  account_state_change: 3,
  jettons_change: 4,
  blocks: 5,
  messages: 6,
} as const;

const lastRank = 9;

/** The position after all events of a block. */
export function endOf(mcSeqno: number): StreamPosition {
  return { mcSeqno, rank: lastRank, lt: 0n, key: "" };
}

export function comparePositions(a: StreamPosition, b: StreamPosition): number {
  if (a.mcSeqno !== b.mcSeqno) return a.mcSeqno - b.mcSeqno;
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Enough of a network's id to distinguish it from others. */
function mark(zeroState: Hash): string {
  return zeroState.slice(0, 8);
}

/** The position as an opaque text for clients. */
export function formatCursor({ mcSeqno, rank, lt, key }: StreamPosition, zeroState: Hash): string {
  const text = [mark(zeroState), mcSeqno, rank, lt, key].join(",");
  return `c1.${Buffer.from(text).toString("base64url")}`;
}

const placeText = /^([0-9a-f]{8}),([0-9]{1,10}),([0-9]),([0-9]{1,20}),([0-9a-f:-]{0,80})$/;

/** The position of a cursor of this network. */
export function findPosition(cursor: string, zeroState: Hash): StreamPosition | undefined {
  const [, packed] = /^c1\.([A-Za-z0-9_-]{1,300})$/.exec(cursor) ?? [];
  const found = packed === undefined ? null : placeText.exec(Buffer.from(packed, "base64url").toString());
  if (found === null || found[1] !== mark(zeroState)) return undefined;
  const [, , mcSeqno, rank, lt, key = ""] = found;
  return { mcSeqno: Number(mcSeqno), rank: Number(rank), lt: BigInt(lt ?? 0), key };
}

/** A hash in any form; ignores surrounding white space. */
export function readHash(text: unknown): Hash | undefined {
  return typeof text === "string" ? findHash(text.trim()) : undefined;
}
