import type { Cell } from "../../cell/Cell.ts";

/** The result of a transaction. */
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
 * Executes transactions with the configuration, libraries and random seed of one block; the collator's only access to
 * the machine. `undefined` means that an external message was not accepted and has no effect.
 */
export interface Runner {
  runMessage(input: RunInput & { readonly message: Cell }): Promise<RunResult | undefined>;
  runTickTock(input: RunInput & { readonly isTock: boolean }): Promise<RunResult>;
}
