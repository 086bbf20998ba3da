import type { Cell } from "../cell/Cell.ts";
import { loadCell } from "../cell/codec.ts";
import type { Random } from "../lib/random.ts";
import { type BlockIdExt, masterchain, sameBlock } from "../model/BlockId.ts";
import { hashFromBytes } from "../model/Hash.ts";
import { shardTopId } from "../model/ShardHashes.ts";
import { ShardStateUnsplit } from "../model/ShardState.ts";
import type { Executor } from "../tvm/Executor.ts";
import { previousBlocksTuple } from "../tvm/previousBlocks.ts";
import { ChainView } from "./ChainView.ts";
import type { MadeBlock } from "./collate/assemble.ts";
import { makeMasterBlock } from "./collate/masterBlock.ts";
import type { Neighbor } from "./collate/neighbor.ts";
import { type BlockInput, type ExternalOutcome, makeShardBlock } from "./collate/shardBlock.ts";
import type { Ledger } from "./Ledger.ts";
import { tvmRunner } from "./tvmRunner.ts";
import { groupHash, type LocalValidator } from "./validators.ts";

export interface BlockMakerModules {
  readonly ledger: Ledger;
  readonly executor: Executor;
  readonly validator: LocalValidator;
  readonly random: Random;
}

/** Messages from outside by the chain they go to. */
export interface Externals {
  readonly masterchain: readonly Cell[];
  readonly basechain: readonly Cell[];
  /** Told what became of each; of those that had no room nothing is told. */
  readonly onTried?: (message: Cell, outcome: ExternalOutcome) => void;
}

/** What our blocks say of the software that made them. */
const software = { version: 13, capabilities: 238n };
const shardWeight = 1n;

/** Makes the next blocks of a local network: one of each shard, then the masterchain block that commits them. */
export class BlockMaker {
  readonly #modules: BlockMakerModules;
  readonly #view: ChainView;

  constructor(modules: BlockMakerModules) {
    this.#modules = modules;
    this.#view = new ChainView(modules.ledger);
  }

  /** Blocks in the order in which the ledger takes them; the caller adds them. */
  async make(now: number, externals: Externals): Promise<readonly MadeBlock[]> {
    const shards: MadeBlock[] = [];
    for (const id of this.#view.topIds()) shards.push(await this.#makeShard(id, now, externals));
    return [...shards, await this.#makeMaster(shards, now, externals)];
  }

  async #makeShard(prev: BlockIdExt, now: number, { basechain, onTried }: Externals): Promise<MadeBlock> {
    const head = this.#modules.ledger.headId;
    const others = this.#view.topIds().filter((id) => !sameBlock(id, prev));
    const top = this.#view.tops().find((t) => sameBlock(shardTopId(t), prev));
    const catchainSeqno = top?.description.nextCatchainSeqno ?? 0;
    return makeShardBlock({
      ...this.#common(prev, now, catchainSeqno, shardWeight),
      externals: basechain,
      onTried,
      neighbors: [head, ...others].map((id) => this.#view.neighbor(id)),
      master: this.#view.masterRef(),
      prevKeyBlockSeqno: this.#view.lastKeySeqno(),
    });
  }

  async #makeMaster(shards: readonly MadeBlock[], now: number, externals: Externals): Promise<MadeBlock> {
    const { ledger, validator } = this.#modules;
    const head = ledger.headId;
    const { catchainSeqno } = this.#view.masterExtra().history.validatorInfo;
    return makeMasterBlock({
      ...this.#common(head, now, catchainSeqno, validator.weight),
      externals: externals.masterchain,
      onTried: externals.onTried,
      neighbors: shards.map(neighborOf),
      shardBlocks: shards.map((made) => ({ ...made, createdBy: validator.publicKey })),
      validatorSetHashShort: groupHash(validator.publicKey, validator.weight, 0),
      prevIsKey: ledger.head?.info.keyBlock ?? true,
      prevSignatures: this.#signaturesOf(head),
    });
  }

  #signaturesOf(head: BlockIdExt) {
    const { ledger, validator } = this.#modules;
    if (ledger.head === undefined || head.workchain !== masterchain) return [];
    const { signatures } = validator.sign(head, ledger.head.info.genCatchainSeqno);
    return signatures.map(({ nodeIdShort, signature }) => ({
      nodeIdShort: hashFromBytes(nodeIdShort),
      sign: { kind: "simple" as const, signature },
    }));
  }

  #common(
    prev: BlockIdExt,
    now: number,
    catchainSeqno: number,
    weight: bigint,
  ): Omit<BlockInput, "neighbors" | "externals" | "onTried"> {
    const { ledger, executor, validator, random } = this.#modules;
    const randSeed = hashFromBytes(random.bytes(32));
    const { config } = this.#view;
    const runner = tvmRunner(executor, {
      config,
      randomSeed: randSeed,
      findLibrary: (hash) => this.#view.findLibrary(hash),
      previousBlocks: previousBlocksTuple(this.#view.previousBlocks()),
    });
    return {
      prev: { id: prev, state: ledger.state(prev), endLt: this.#view.endLt(prev) },
      now,
      config,
      runner,
      randSeed,
      createdBy: validator.publicKey,
      genSoftware: software,
      catchainSeqno,
      validatorListHashShort: groupHash(validator.publicKey, weight, catchainSeqno),
      endLtAt: (seqno, source) => this.#view.endLtAt(seqno, source),
    };
  }
}

/** A block that the ledger does not have yet, as its neighbours see it. */
function neighborOf({ id, info, state }: MadeBlock): Neighbor {
  const queue = loadCell(ShardStateUnsplit, state).outMsgQueueInfo.load();
  return { block: id, endLt: info.endLt, queue };
}
