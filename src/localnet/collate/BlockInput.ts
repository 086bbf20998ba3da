import type { Cell } from "../../cell/Cell.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { GlobalVersion } from "../../model/block/BlockInfo.ts";
import type { ConfigParams } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import type { EndLtAt, Neighbor } from "./neighbor.ts";
import type { Runner } from "./Runner.ts";

/** What every block is made from, in the masterchain and elsewhere. */
export interface BlockInput {
  readonly prev: { readonly id: BlockIdExt; readonly state: Cell; readonly endLt: bigint };
  readonly now: number;
  readonly config: ConfigParams;
  readonly runner: Runner;
  readonly randSeed: Hash;
  readonly createdBy: Hash;
  readonly genSoftware: GlobalVersion;
  readonly catchainSeqno: number;
  readonly validatorListHashShort: number;
  /** Everybody whose queue concerns us, ourselves not among them. */
  readonly neighbors: readonly Neighbor[];
  readonly endLtAt: EndLtAt;
  /** Messages from outside, in order; what a contract does not accept is left out, and what has no room too. */
  readonly externals: readonly Cell[];
  /** Whether there is no more time for messages from outside; those not tried wait for the next block. */
  readonly isLate?: (() => boolean) | undefined;
  /** Told what became of the messages that were tried. */
  readonly onTried?: ((message: Cell, outcome: ExternalOutcome) => void) | undefined;
}

/** Whether a contract took a message from outside. */
export type ExternalOutcome = "accepted" | "refused";
