import type { Cell } from "../../cell/Cell.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { InCell } from "../../model/Message.ts";
import type { Transaction } from "../../model/Transaction.ts";

/** The result of a transaction. */
export interface RunResult {
  readonly transaction: InCell<Transaction>;
  /** The account after it. */
  readonly shardAccount: ShardAccount;
}

export interface RunInput {
  /** The account before it. */
  readonly shardAccount: ShardAccount;
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
  /** Writes an account as the owner of the network wants; no code runs. */
  runWrite(input: RunInput & { readonly message: Cell }): RunResult;
  runTickTock(input: RunInput & { readonly isTock: boolean }): Promise<RunResult>;
}
