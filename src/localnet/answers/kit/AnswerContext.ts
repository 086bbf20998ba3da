import type { Cell } from "../../../cell/Cell.ts";
import type { Hash } from "../../../cell/Hash.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { signatureSet } from "../../../lite/tl/liteRecords.ts";
import type { TlQuery } from "../../../lite/tl/record.ts";
import type { TlValue } from "../../../lite/tl/types.ts";
import type { Address } from "../../../model/Address.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { Ledger, LedgerBlock } from "../../ledger/Ledger.ts";
import type { BlockReader, ProofCache } from "./ProofCache.ts";

export type ServedSignatures = TlValue<typeof signatureSet>;

/** A get-method to run on the state of an account after a block. */
export interface LocalMethodCall {
  readonly address: Address;
  /** The block whose state contains the account. */
  readonly block: BlockIdExt;
  /** The masterchain block of configuration, libraries and previous blocks. */
  readonly master: BlockIdExt;
  readonly account: Cell;
  readonly methodId: bigint;
  /** VmStack of the arguments, without the method's number; absent when there are none. */
  readonly stack: Cell | undefined;
  readonly genUtime: number;
  readonly genLt: bigint;
  /** The gas limit. */
  readonly gasLimit: number;
}

export interface LocalMethodResult {
  readonly exitCode: number;
  /** VmStack. */
  readonly stack: Cell;
  /** VmStackValue: the whole register c7 of the run. */
  readonly c7?: Cell | undefined;
  /** The random seed of the run; 0 by default, so that equal queries get equal answers. */
  readonly randomSeed?: bigint | undefined;
  /** Cells of the account that the run opened; when unknown, the proof contains the whole account. */
  readonly opened?: ReadonlySet<Hash> | undefined;
}

export type RunMethod = (call: LocalMethodCall, signal: AbortSignal) => Promise<LocalMethodResult>;

/** The outcome of an external message; error numbers and texts are those of a node. */
export type Submission =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly code: number; readonly message: string };

/** An external message that was read and checked once. */
export interface ExternalMessage {
  readonly hash: Hash;
  readonly cell: Cell;
  readonly dest: Address;
}

/** Accepts an external message, or returns why not. */
export type Submit = (message: ExternalMessage, signal?: AbortSignal) => Promise<Submission>;

/** The signatures of a masterchain block; a chain imported without signatures has none. */
export type Signatures = (block: BlockIdExt) => ServedSignatures | undefined;

/** Reads the state after a block. */
export type StateReader = (block: Pick<LedgerBlock, "id">) => Promise<Cell>;

/** The modules of all answers. */
export interface AnswerContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly proofs: ProofCache;
  readonly runMethod: RunMethod | undefined;
  readonly submit: Submit | undefined;
  readonly signatures: Signatures;
  /** Whether signed shard blocks are reported before a masterchain block commits them. */
  readonly reportsPending: boolean;
  /** The cells of a block, read in turns: contracts decide how large it is. */
  readonly root: BlockReader;
  /** The state after a block, read in turns: of an old block it is made again by hundreds of blocks. */
  readonly state: StateReader;
  /** Called between the steps of long work: undefined while it may go on at once. */
  readonly pause: () => Promise<void> | undefined;
}

/** The handler of one query of the schema. */
export interface QueryHandler {
  readonly query: TlQuery<unknown, unknown>;
  readonly run: (context: AnswerContext, args: unknown, signal: AbortSignal) => unknown;
}

/** Declares the handler of a query; it throws a refusal if it cannot answer. */
export function queryHandler<Q, A>(
  query: TlQuery<Q, A>,
  run: (context: AnswerContext, args: Q, signal: AbortSignal) => A | Promise<A>,
): QueryHandler {
  // A query is decoded by the same declaration as its answer, so its arguments have that type.
  return { query: query as TlQuery<unknown, unknown>, run: run as QueryHandler["run"] };
}
