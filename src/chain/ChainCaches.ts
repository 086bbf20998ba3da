import { weighCells } from "../cell/weighCells.ts";
import { Lru } from "../lib/lru.ts";
import type { ConfigAt } from "../lite/queries/config.ts";
import { KnownShardProofs } from "../lite/queries/KnownShardProofs.ts";
import type { TrustedHead } from "../lite/queries/TrustedChain.ts";
import type { RecordBudget } from "../lite/server/RecordBudget.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import type { Config } from "../model/config/ConfigParams.ts";
import type { SuspendedAddressList } from "../model/config/contracts.ts";
import type { Hash } from "../model/Hash.ts";
import type { VmStackValue } from "../model/vm/VmStack.ts";
import { ByBlock } from "./ByBlock.ts";
import type { CodeBags } from "./codeBags.ts";

/** The environment of code that runs now. */
export interface RunSettings {
  readonly config: Config;
  /** The masterchain blocks that code may access, up to the newest one. */
  readonly previousBlocks: VmStackValue;
}

/** Memory for all of them, unless the owner says otherwise. */
const usualCellBytes = 16 << 20;
/** Memory of a hash by block. */
const hashBytes = 500;
/** Memory of a code besides its bag. */
const codeBytes = 200;

/** A configuration keeps the answer alive that it was read from; each of its parameters is a cell of it. */
function weighConfig({ params }: Config): number {
  return hashBytes + weighCells(params.findFirst()?.[1]);
}

function weighSuspended(list: SuspendedAddressList | undefined): number {
  return hashBytes + weighCells(list?.addresses.root);
}

/**
 * Data of masterchain blocks and codes that many requests need; bounded, and shared by all callers because it is
 * proved.
 */
export class ChainCaches {
  readonly configs: ByBlock<ConfigAt>;
  readonly suspended: ByBlock<SuspendedAddressList | undefined>;
  readonly runSettings: ByBlock<RunSettings>;
  readonly stateHashes: ByBlock<Hash>;
  /** Heads proved from a block that receivers of proofs trust, by both blocks. */
  readonly headProofs: ByBlock<TrustedHead>;
  /** The blocks that receivers of proofs trust, by seqno. */
  readonly startBlocks: ByBlock<BlockIdExt>;
  readonly shardProofs: KnownShardProofs;
  /** 2 MB are enough for a thousand codes. */
  readonly codeBags: CodeBags;

  constructor(cellBytes = usualCellBytes, records?: RecordBudget) {
    const share = cellBytes / 4;
    this.configs = new ByBlock(share, ({ config }) => weighConfig(config));
    this.runSettings = new ByBlock(share, ({ config }) => weighConfig(config));
    this.shardProofs = new KnownShardProofs(share);
    this.codeBags = new Lru({ maxBytes: share / 2, sizeOf: ({ length }) => length + codeBytes });
    this.suspended = new ByBlock(share / 4, weighSuspended);
    this.stateHashes = new ByBlock(share / 4, () => hashBytes);
    this.headProofs = new ByBlock(share, () => hashBytes, records);
    this.startBlocks = new ByBlock(share / 8, () => hashBytes);
  }

  clear(): void {
    const byBlock = [
      this.configs,
      this.suspended,
      this.runSettings,
      this.stateHashes,
      this.headProofs,
      this.startBlocks,
    ];
    for (const cache of [...byBlock, this.shardProofs, this.codeBags]) cache.clear();
  }
}
