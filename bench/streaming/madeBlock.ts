import { endOf, formatCursor } from "../../src/api/stream/cursor.ts";
import type { StreamBlock } from "../../src/api/stream/StreamBlock.ts";
import { zeroHash } from "../../src/model/Hash.ts";

/** As much as the block event of a real chain weighs. */
const blockJson = JSON.stringify({ filler: "x".repeat(900) });

/** A block with one event for everybody. */
export function makeBlock(mcSeqno: number): StreamBlock {
  const nothing = { traces: [], open: [], states: [], jettons: [], accounts: new Set<never>() };
  const kinds = { jettonMasters: new Set<never>(), codeHashes: new Set<never>() };
  return { mcSeqno, utime: mcSeqno, ...nothing, ...kinds, block: { json: blockJson, transactions: 0 } };
}

/** The bytes of that event. */
export function blockFrame(mcSeqno: number): string {
  const cursor = formatCursor({ ...endOf(mcSeqno), rank: 5 }, zeroHash);
  return `event: event\nid: ${cursor}\ndata: {"type":"blocks","finality":"finalized","mc_block":${blockJson},"transactions":0,"cursor":"${cursor}"}\n\n`;
}
