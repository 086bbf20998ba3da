import type { Cell } from "../../../cell/Cell.ts";
import type { Hash } from "../../../cell/Hash.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { signatureSet } from "../../../lite/tl/liteRecords.ts";
import type { TlQuery } from "../../../lite/tl/record.ts";
import type { TlValue } from "../../../lite/tl/types.ts";
import type { Address } from "../../../model/Address.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { Ledger } from "../../ledger/Ledger.ts";
import type { ProofCache } from "./ProofCache.ts";

export type ServedSignatures = TlValue<typeof signatureSet>;

/** A get-method to be run on the state of an account after a block. */
export interface LocalMethodCall {
  readonly address: Address;
  /** The block whose state holds the account. */
  readonly block: BlockIdExt;
  /** The masterchain block whose configuration, libraries and previous blocks the run sees. */
  readonly master: BlockIdExt;
  readonly account: Cell;
  readonly methodId: bigint;
  /** VmStack of the arguments, without the method's number; nothing when there are none. */
  readonly stack: Cell | undefined;
  readonly genUtime: number;
  readonly genLt: bigint;
  /** The most gas a run may take. */
  readonly gasLimit: number;
}

export interface LocalMethodResult {
  readonly exitCode: number;
  /** VmStack. */
  readonly stack: Cell;
  /** VmStackValue: the whole first register, as the run saw it. */
  readonly c7?: Cell | undefined;
  /** The seed the run saw; 0 by default, so that equal queries get equal answers. */
  readonly randomSeed?: bigint | undefined;
  /** Cells of the account that the run opened; when it cannot tell, the proof contains the account as a whole. */
  readonly opened?: ReadonlySet<Hash> | undefined;
}

export type RunMethod = (call: LocalMethodCall, signal: AbortSignal) => Promise<LocalMethodResult>;

/** What became of an external message; the numbers and words of a refusal are the node's. */
export type Submission =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly code: number; readonly message: string };

/** An external message that was read and checked once. */
export interface ExternalMessage {
  readonly hash: Hash;
  readonly cell: Cell;
  readonly dest: Address;
}

/** Takes an external message in, or says why not. */
export type Submit = (message: ExternalMessage, signal: AbortSignal) => Promise<Submission>;

/** Who signed a masterchain block; a chain that was imported without signatures has none to give. */
export type Signatures = (block: BlockIdExt) => ServedSignatures | undefined;

/** What all answers are made from. */
export interface AnswerContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly proofs: ProofCache;
  readonly runMethod: RunMethod | undefined;
  readonly submit: Submit | undefined;
  readonly signatures: Signatures;
}

/** How one query of the scheme is answered. */
export interface QueryHandler {
  readonly query: TlQuery<unknown, unknown>;
  readonly run: (context: AnswerContext, args: unknown, signal: AbortSignal) => unknown;
}

/** Declares how a query is answered; what it cannot answer it throws as a refusal. */
export function queryHandler<Q, A>(
  query: TlQuery<Q, A>,
  run: (context: AnswerContext, args: Q, signal: AbortSignal) => A | Promise<A>,
): QueryHandler {
  // A query is decoded by the very query its answer is declared with, so its arguments are of that type.
  return { query: query as TlQuery<unknown, unknown>, run: run as QueryHandler["run"] };
}
