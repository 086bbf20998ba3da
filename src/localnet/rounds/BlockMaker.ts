import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Random } from "../../lib/random.ts";
import { type Address, workchainOf } from "../../model/Address.ts";
import {
  type BlockIdExt,
  masterchain,
  type ShardId,
  sameBlock,
  shardChildren,
  shardHolds,
  shardParent,
} from "../../model/block/BlockId.ts";
import { type ShardTop, shardTopId } from "../../model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { MadeBlock } from "../collate/assemble.ts";
import type { BlockInput, ExternalOutcome, ForkStart, TurnPause } from "../collate/BlockInput.ts";
import { makeMasterBlock } from "../collate/masterBlock.ts";
import type { Neighbor } from "../collate/neighbor.ts";
import { makeShardBlock } from "../collate/shardBlock.ts";
import { catchainSeqnoAfter, findSibling } from "../collate/shardList.ts";
import { isSplitDue } from "../collate/shardPlan.ts";
import { ChainView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import { type BlockAuthors, type BlockSigners, hashOfSet } from "./BlockSigners.ts";
import type { ChainEnvironment, Environments } from "./Environments.ts";
import type { MempoolMessage } from "./Mempool.ts";
import { tvmRunner } from "./tvmRunner.ts";

export interface BlockMakerModules {
  readonly ledger: Ledger;
  readonly environments: Environments;
  readonly executor: Executor;
  readonly signers: BlockSigners;
  readonly random: Random;
  /** Called between the steps of long work. */
  readonly pause: TurnPause;
  /** Whether an account of a fork has to be fetched. */
  readonly mustFetch?: BlockInput["mustFetch"];
}

/** External messages; each is tried by the chain and shard it goes to. */
export interface Externals {
  readonly messages: readonly Pick<MempoolMessage, "cell" | "dest" | "onLeft">[];
  /** Called with the outcome of each message; a message without room has none. */
  readonly onTried?: (message: Cell, outcome: ExternalOutcome) => void;
  /** Whether it is time to end the round. */
  readonly isLate?: (() => boolean) | undefined;
  /** Called with the shard blocks, which are signed before the masterchain block that commits them is made. */
  readonly onShards?: ((blocks: readonly MadeBlock[]) => void) | undefined;
  /** Whether blocks of which messages from queues have caused so many bytes together take no more of them. */
  readonly isQueueSpent?: ((bytes: number) => boolean) | undefined;
}

/** What all blocks of one round see. */
interface Round {
  readonly now: number;
  readonly externals: Externals;
  readonly view: ChainView;
  readonly environment: ChainEnvironment;
  /** What messages from queues have caused of its blocks, by shard. */
  readonly bytes: Map<bigint, number>;
}

/** What our blocks say of the software that made them. */
const software = { version: 15, capabilities: 238n };

/** Makes the next blocks of a local network: one of each shard, then the masterchain block that commits them. */
export class BlockMaker {
  readonly #modules: BlockMakerModules;

  constructor(modules: BlockMakerModules) {
    this.#modules = modules;
  }

  /** Blocks in the order in which the ledger takes them; the caller adds them. */
  async make(now: number, externals: Externals): Promise<readonly MadeBlock[]> {
    const { ledger, environments } = this.#modules;
    const view = new ChainView(ledger, ledger.headId);
    const round: Round = { now, externals, view, environment: environments.at(view.head), bytes: new Map() };
    // Shards see one another as the round before left them, so all are made at once. Chance is drawn before the first
    // of them waits for anything, hence in their order.
    const making = planned(view.tops(), ledger.base !== undefined).map((each) => this.#makeShard(round, each));
    const shards = await Promise.all(making);
    externals.onShards?.(shards);
    return [...shards, await this.#makeMaster(round, shards)];
  }

  async #makeShard(round: Round, { top, sibling, shard }: PlannedBlock): Promise<MadeBlock> {
    const { view, now, externals } = round;
    const { ledger, signers } = this.#modules;
    const session = sibling === undefined ? top.description.nextCatchainSeqno : catchainSeqnoAfter(top, sibling);
    const prev = shardTopId(top);
    const second = sibling && shardTopId(sibling);
    const others = view.topIds().filter((id) => ![prev, second].some((own) => own !== undefined && sameBlock(id, own)));
    const place = { workchain: top.workchain, shard, seqno: 0 };
    return makeShardBlock({
      ...this.#common(round, prev, session, signers.shardAuthors(view.config, place, session)),
      shard,
      sibling: second && { id: second, state: ledger.state(second), endLt: view.endLt(second) },
      // A fork does not have all accounts of a shard: it stays as it is.
      beforeSplit: ledger.base === undefined && sibling === undefined && isSplitDue(top.description, now),
      ...ownMessages(externals, (dest) => shardHolds(place, dest)),
      ...limitsOf(round, shard),
      neighbors: [view.head, ...others].map((id) => view.neighbor(id)),
      master: view.masterRef(),
      prevKeyBlockSeqno: view.lastKeySeqno(),
    });
  }

  async #makeMaster(round: Round, shards: readonly MadeBlock[]): Promise<MadeBlock> {
    const { ledger, signers } = this.#modules;
    const { view, externals } = round;
    const { head } = view;
    const { catchainSeqno } = view.masterExtra().history.validatorInfo;
    return makeMasterBlock({
      ...this.#common(round, head, catchainSeqno, signers.masterAuthors(view.lastKeySeqno(), catchainSeqno)),
      ...ownMessages(externals, (dest) => workchainOf(dest) === masterchain),
      ...limitsOf(round, masterBytes),
      neighbors: shards.map(neighborOf),
      shardBlocks: shards,
      hashOfSet,
      prevIsKey: ledger.head?.info.keyBlock ?? true,
      prevSignatures: this.#signaturesOf(head),
    });
  }

  #signaturesOf(head: BlockIdExt) {
    const { ledger, signers } = this.#modules;
    if (ledger.head === undefined || head.workchain !== masterchain) return [];
    const { signatures } = signers.sign(ledger.head);
    return signatures.map(({ nodeIdShort, signature }) => ({
      nodeIdShort: hashFromBytes(nodeIdShort),
      sign: { kind: "simple" as const, signature },
    }));
  }

  #common(
    { view, now, environment }: Round,
    prev: BlockIdExt,
    catchainSeqno: number,
    { createdBy, groupHash }: BlockAuthors,
  ): Omit<BlockInput, "neighbors" | "externals" | "controls" | keyof RoundLimits> {
    const { ledger, executor, environments, random, pause, mustFetch } = this.#modules;
    const randSeed = hashFromBytes(random.bytes(32));
    const { config } = view;
    const { impersonated } = environments;
    const runner = tvmRunner(executor, { ...environment, randomSeed: randSeed, turn: "first" }, impersonated);
    return {
      prev: { id: prev, state: ledger.state(prev), endLt: view.endLt(prev), fork: forkStart(ledger, view, prev) },
      mustFetch,
      isFork: ledger.base !== undefined,
      now,
      config,
      runner,
      randSeed,
      leavesRoom: true,
      pause,
      createdBy,
      genSoftware: software,
      catchainSeqno,
      validatorListHashShort: groupHash,
      endLtAt: (seqno, source, position) => view.endLtAt(seqno, source, position),
    };
  }
}

/** A shard block that a round makes. */
interface PlannedBlock {
  readonly top: ShardTop;
  /** The right half, if the two merge. */
  readonly sibling: ShardTop | undefined;
  readonly shard: ShardId;
}

/**
 * The shards of the next blocks: those of the last ones, both halves of one that was split, or one that two are merged
 * to.
 */
function planned(tops: readonly ShardTop[], isFork: boolean): PlannedBlock[] {
  return tops.flatMap((top): PlannedBlock[] => {
    const { shard, description } = top;
    if (description.beforeSplit) return shardChildren(shard).map((half) => ({ top, sibling: undefined, shard: half }));
    const sibling = description.beforeMerge && !isFork ? findSibling(tops, top) : undefined;
    if (sibling?.description.beforeMerge !== true) return [{ top, sibling: undefined, shard }];
    return shard < sibling.shard ? [{ top, sibling, shard: shardParent(shard) }] : [];
  });
}

/** How the first block of a fork begins. */
function forkStart({ base }: Ledger, view: ChainView, prev: BlockIdExt): ForkStart | undefined {
  const isFirst = base !== undefined && sameBlock(base.master.id, view.head);
  return isFirst ? { globalId: base.globalId, queue: view.queueOf(prev) } : undefined;
}

/** The messages of a round that one of its blocks tries. */
function ownMessages(
  { messages }: Externals,
  isOwn: (dest: Address) => boolean,
): Required<Pick<BlockInput, "externals" | "controls">> {
  const own = { controls: [] as Cell[], externals: [] as Cell[] };
  for (const { cell, dest, onLeft } of messages)
    if (isOwn(dest)) own[onLeft === undefined ? "externals" : "controls"].push(cell);
  return own;
}

/** The part of a block's input that all blocks of a round have together. */
type RoundLimits = Pick<BlockInput, "onTried" | "isLate" | "isQueueSpent">;

/** The place of the masterchain among the bytes of a round: no shard has this number. */
const masterBytes = 0n;

function limitsOf({ externals, bytes }: Round, shard: bigint): RoundLimits {
  const { onTried, isLate, isQueueSpent } = externals;
  if (isQueueSpent === undefined) return { onTried, isLate };
  const isSpent = (own: number): boolean => {
    bytes.set(shard, own);
    return isQueueSpent([...bytes.values()].reduce((sum, each) => sum + each, 0));
  };
  return { onTried, isLate, isQueueSpent: isSpent };
}

/** A block that the ledger does not have yet, as its neighbours see it. */
function neighborOf({ id, info, state }: MadeBlock): Neighbor {
  const queue = loadCell(ShardStateUnsplit, state).outMsgQueueInfo.load();
  return { block: id, endLt: info.endLt, queue };
}
