import { createHash } from "node:crypto";
import { blockForm, writeBocInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { hashInSteps } from "../../cell/hashInSteps.ts";
import { makeLinked } from "../../cell/linked.ts";
import { makeMerkleUpdate } from "../../cell/merkle/merkleUpdate.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { ShardAccountBlocks } from "../../model/block/AccountBlock.ts";
import { Block, BlockExtra } from "../../model/block/Block.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { BlockInfo } from "../../model/block/BlockInfo.ts";
import { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import { historyCellOf } from "../../model/block/McStateExtra.ts";
import { InMsgDescr, OutMsgDescr } from "../../model/block/messageDescriptors.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { ValueFlow } from "../../model/block/ValueFlow.ts";
import type { Hash } from "../../model/Hash.ts";

/** A finished block. */
export interface MadeBlock {
  readonly id: BlockIdExt;
  readonly bytes: Uint8Array;
  readonly root: Cell;
  /** The state after the block. */
  readonly state: Cell;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
  readonly createdBy: Hash;
}

export interface BlockParts {
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
  readonly inMessages: InMsgDescr;
  readonly outMessages: OutMsgDescr;
  readonly accountBlocks: ShardAccountBlocks;
  readonly randSeed: Hash;
  readonly createdBy: Hash;
  readonly custom: McBlockExtra | undefined;
}

/** Assembles a block with the update from the state before it to the one after it, and writes it as a node would. */
export function* assembleBlock(parts: BlockParts, before: Cell, after: Cell): Steps<MadeBlock> {
  const { info, valueFlow, createdBy, custom } = parts;
  const extra = {
    inMessages: makeLinked(InMsgDescr, parts.inMessages),
    outMessages: makeLinked(OutMsgDescr, parts.outMessages),
    accountBlocks: makeLinked(ShardAccountBlocks, parts.accountBlocks),
    randSeed: parts.randSeed,
    createdBy,
    custom: custom && makeLinked(McBlockExtra, custom),
  };
  // Large trees are hashed in steps before anything asks for a hash.
  yield* hashInSteps(after);
  const stateUpdate = yield* makeMerkleUpdate(before, after, custom === undefined ? new Set() : readTogether(before));
  const root = storeCell(Block, {
    globalId: parts.globalId,
    info: makeLinked(BlockInfo, info),
    valueFlow: makeLinked(ValueFlow, valueFlow),
    stateUpdate,
    extra: makeLinked(BlockExtra, extra),
  });
  yield* hashInSteps(root);
  const bytes = yield* writeBocInSteps(root, blockForm);
  const fileHash = createHash("sha256").update(bytes).digest("hex") as Hash;
  const id = { ...info.shard, seqno: info.seqno, rootHash: root.hash(), fileHash };
  return { id, bytes, root, state: after, info, valueFlow, createdBy };
}

/**
 * Cells of an old state that clients read together with the cell above them. In the blocks of a node the history of a
 * masterchain state is open wherever the extra around it is, and clients rely on that.
 */
function readTogether(state: Cell): ReadonlySet<Hash> {
  const extra = loadCell(ShardStateUnsplit, state).custom?.cell;
  return new Set(extra === undefined ? [] : [historyCellOf(extra).hash(0)]);
}
