import { setEntry } from "../../../src/cell/augmentedEdits.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { makeNetwork } from "../../../src/localnet/network/makeNetwork.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { McStateExtra } from "../../../src/model/block/McStateExtra.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { testKeys } from "./testKeys.ts";

/** The zero state of a masterchain. */
export async function masterZeroState(): Promise<Cell> {
  const options = { globalId: -777, bornAt: 1_700_000_000, splitDepth: 0, globalVersion: 12 };
  const zeroState = makeNetwork(await testKeys(), options).find(({ id }) => id.workchain === masterchain);
  if (zeroState === undefined) throw new Error("no masterchain");
  return zeroState.root;
}

/** An invented masterchain block. */
export function oldBlockId(seqno: number): BlockIdExt {
  const hash = (seqno.toString(16).padStart(8, "0") + "ab".repeat(28)) as Hash;
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash: hash, fileHash: hash };
}

/** A masterchain state that lists `to` old blocks, made from one that lists `from`. */
export function withOldBlocks(state: Cell, from: number, to: number): Cell {
  const before = loadCell(ShardStateUnsplit, state);
  const extra = before.custom?.load();
  if (extra === undefined) throw new Error("no masterchain state");
  let { prevBlocks } = extra.history;
  for (let seqno = from; seqno < to; seqno++) {
    const { rootHash, fileHash } = oldBlockId(seqno);
    const endLt = BigInt(seqno) * 1_000_000n;
    const value = { key: false, block: { endLt, seqno, rootHash, fileHash } };
    prevBlocks = setEntry(prevBlocks, seqno, value, { key: false, maxEndLt: endLt });
  }
  const custom = makeLinked(McStateExtra, { ...extra, history: { ...extra.history, prevBlocks } });
  return storeCell(ShardStateUnsplit, { ...before, custom });
}
