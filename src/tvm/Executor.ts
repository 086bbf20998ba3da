import type { Cell } from "../cell/Cell.ts";
import type { ShardAccount } from "../model/Account.ts";
import type { Address } from "../model/Address.ts";
import type { CurrencyCollection } from "../model/Currency.ts";
import type { Config } from "../model/config/ConfigParams.ts";
import type { Hash } from "../model/Hash.ts";
import type { InCell } from "../model/Message.ts";
import type { Transaction } from "../model/Transaction.ts";
import type { Method } from "../model/vm/methodId.ts";
import type { VmStack, VmStackValue } from "../model/vm/VmStack.ts";
import type { MachineStep, SignatureRule } from "./machine/MachineRun.ts";

/**
 * Gives the public library of this hash, or `undefined` when there is none. Asked only for libraries that a run looked
 * for; the answer is checked by its hash and is not kept, because a library may leave the chain again.
 */
export type FindLibrary = (hash: Hash, signal?: AbortSignal) => Promise<Cell | undefined> | Cell | undefined;

/** The detail of the machine's log: none, every instruction, or every instruction with the stack. */
export type VmLogDetail = "none" | "instructions" | "stack";

/** Whether a run goes before all that wait, and is never refused for their number, or takes its place behind them. */
export type Turn = "first" | "last";

export interface RunEnvironment {
  readonly config: Config;
  readonly now: number;
  /** Seed of the block; a transaction mixes its account in. */
  readonly randomSeed: Hash;
  readonly findLibrary?: FindLibrary;
  /** Blocks that the code may access, made by `previousBlocksTuple`; null for the code by default. */
  readonly previousBlocks?: VmStackValue;
  readonly log?: VmLogDetail;
  /** Whose run it is: callers share the thread fairly, and each has a limited number of active runs. */
  readonly caller?: string | undefined;
  /** `last` when not said; `first` is for work that everybody waits for, such as making blocks. */
  readonly turn?: Turn;
}

export interface GetMethodRun extends RunEnvironment {
  readonly address: Address;
  readonly code: Cell;
  readonly data: Cell;
  readonly balance: CurrencyCollection;
  readonly method: Method;
  /** Bottom first; the number of the method is put on top by the machine. */
  readonly stack: VmStack;
  readonly gasLimit: bigint;
}

/** How a get-method ended; an exit code other than 0 and 1 is a failure of the code. */
export interface GetMethodOutcome {
  readonly exitCode: number;
  readonly gasUsed: bigint;
  /** What the code left, bottom first; after a failure what the machine's own handler left. */
  readonly stack: VmStack;
  /** A library that was requested and does not exist. */
  readonly missingLibrary: Hash | undefined;
  /** Empty when no log was requested. */
  readonly log: string;
}

export interface AccountRun extends RunEnvironment {
  readonly account: ShardAccount;
  /** Start of the block: the transaction's own lt is at least this, and later than the account and its message. */
  readonly lt: bigint;
  readonly signatures?: SignatureRule;
  /** Told of every instruction before it runs; makes the run slower. */
  readonly onStep?: (step: MachineStep) => void;
}

export interface TransactionRun extends AccountRun {
  /** An external message or from another account, for this account. */
  readonly message: Cell;
}

export interface TickTockRun extends AccountRun {
  readonly which: "tick" | "tock";
}

/** What the code of a transaction did. */
interface CodeOutcome {
  /** The `OutList` the code left, be it valid or not; `undefined` when it did not come to that. */
  readonly actions: Cell | undefined;
  /** Of the compute phase; `undefined` when it was skipped. */
  readonly exitCode: number | undefined;
  readonly gasUsed: bigint;
}

interface DoneTransaction extends CodeOutcome {
  readonly kind: "done";
  readonly transaction: InCell<Transaction>;
  readonly account: ShardAccount;
  readonly log: string;
}

export type TransactionOutcome = DoneTransaction | RefusedExternal;

/** An external message that the code took; the actions of the code are not done. */
export interface AcceptedExternal extends CodeOutcome {
  readonly kind: "accepted";
}

/** An external message that the code did not take: there is no transaction and nothing has changed. */
export interface RefusedExternal {
  readonly kind: "notAccepted";
  readonly exitCode: number | undefined;
  readonly reason: string;
  readonly log: string;
}

/**
 * Runs code. Runs are independent and may be concurrent; each ends within its own time limit (`tvm/timeout`) or with
 * the signal's reason. What the code does is an outcome; an error means that the code did not run to its end: bad input
 * (`tvm/input`), or a thread that crashed (`tvm/crash`).
 */
export interface Executor {
  /** The newest network rules this executor knows. */
  readonly supportedGlobalVersion: number;
  runGetMethod(run: GetMethodRun, signal?: AbortSignal): Promise<GetMethodOutcome>;
  runTransaction(run: TransactionRun, signal?: AbortSignal): Promise<TransactionOutcome>;
  /**
   * Runs an external message only to the end of the code: whether the account takes it. What follows from it is not
   * computed.
   */
  runAcceptance(run: TransactionRun, signal?: AbortSignal): Promise<AcceptedExternal | RefusedExternal>;
  runTickTock(run: TickTockRun, signal?: AbortSignal): Promise<TransactionOutcome>;
}
