import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import type { ConfigParams } from "../../model/config/ConfigParams.ts";
import type { GlobalVersion } from "../../model/config/GlobalVersion.ts";
import type { Hash } from "../../model/Hash.ts";
import type { EndLtAt, Neighbor } from "./neighbor.ts";
import type { Runner } from "./Runner.ts";

/** The input of every block, in the masterchain and elsewhere. */
export interface BlockInput {
  /** The block before; of two shards that merge, the last one of the left half. */
  readonly prev: PreviousBlock;
  /** The last block of the right half, if this is the first one after a merge. */
  readonly sibling?: PreviousBlock | undefined;
  /** Whether an account of a fork has to be fetched: its messages wait in the queue. */
  readonly mustFetch?: ((address: Address) => boolean) | undefined;
  /**
   * Whether the chain continues another one. Its validators never change, so that the elector is not run by the chain;
   * it does not have all accounts of a shard, so that shards neither split nor merge.
   */
  readonly isFork?: boolean;
  readonly now: number;
  readonly config: ConfigParams;
  readonly runner: Runner;
  readonly randSeed: Hash;
  readonly createdBy: Hash;
  readonly genSoftware: GlobalVersion;
  readonly catchainSeqno: number;
  readonly validatorListHashShort: number;
  /** All shards whose queues are relevant, without our own. */
  readonly neighbors: readonly Neighbor[];
  readonly endLtAt: EndLtAt;
  /** Controls of the network's owner, in order: they are taken before all other messages. */
  readonly controls?: readonly Cell[];
  /** External messages, in order; refused ones and those that do not fit are omitted. */
  readonly externals: readonly Cell[];
  /** Whether there is no time left for external messages; the rest waits for the next block. */
  readonly isLate?: (() => boolean) | undefined;
  /**
   * Whether a block of which messages from queues have caused so many bytes takes no more of them; the rest waits for
   * the next block.
   */
  readonly isQueueSpent?: ((bytes: number) => boolean) | undefined;
  /** Whether external messages leave room for the messages they cause; nodes fill their blocks. */
  readonly leavesRoom?: boolean;
  /** Called between the steps of long work: resolves when it may continue, at once by default. */
  readonly pause?: TurnPause | undefined;
  /** Called with the outcome of the tried messages. */
  readonly onTried?: ((message: Cell, outcome: ExternalOutcome) => void) | undefined;
}

/** A block before another one. */
export interface PreviousBlock {
  readonly id: BlockIdExt;
  readonly state: Cell;
  readonly endLt: bigint;
  /** What the first block of a fork has in place of the state before it. */
  readonly fork?: ForkStart | undefined;
}

/** How a fork begins. */
export interface ForkStart {
  readonly globalId: number;
  readonly queue: OutMsgQueueInfo;
}

/** Lets others use the thread, if it is their turn. */
export type TurnPause = () => Promise<void> | undefined;

/** Whether a contract accepted an external message. */
export type ExternalOutcome = "accepted" | "refused";
