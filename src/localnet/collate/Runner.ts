import type { Cell } from "../../cell/Cell.ts";

/** What a transaction leaves behind. */
export interface RunResult {
  readonly transaction: Cell;
  /** ShardAccount after it. */
  readonly shardAccount: Cell;
}

export interface RunInput {
  /** ShardAccount before it. */
  readonly shardAccount: Cell;
  readonly now: number;
  /** The lowest logical time it may have. */
  readonly lt: bigint;
}

/**
 * Executes transactions under the configuration, libraries and random seed of one block; the collator's only way to the
 * machine. `undefined` means that an external message was not accepted and leaves no trace.
 */
export interface Runner {
  runMessage(input: RunInput & { readonly message: Cell }): Promise<RunResult | undefined>;
  runTickTock(input: RunInput & { readonly isTock: boolean }): Promise<RunResult>;
}
