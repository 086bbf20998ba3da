import { masterchain } from "../../model/block/BlockId.ts";

/** The oldest data that a query needs, as far as its arguments say. */
export type QueryPlace =
  | { readonly kind: "any" }
  /** A masterchain block itself. */
  | { readonly kind: "block"; readonly seqno: number }
  /** The state after a masterchain block, which servers drop sooner than the block. */
  | { readonly kind: "state"; readonly seqno: number }
  | { readonly kind: "lt"; readonly lt: bigint }
  | { readonly kind: "time"; readonly at: number }
  /** A shard block, whose seqno does not show its age. */
  | { readonly kind: "shard" };

/** What a server must have to answer a query. */
export interface Need {
  readonly kind: "read" | "send";
  readonly place: QueryPlace;
  /** The newest masterchain block it must know; 0 for any. */
  readonly atLeast: number;
  /** Whether the query is for the newest block, so that the answer must not be older than earlier ones. */
  readonly newest: boolean;
  /** How long the server may delay its answer on purpose. */
  readonly waitMs: number;
}

/** The need of a query that any server can answer. */
export const noNeed: Need = { kind: "read", place: { kind: "any" }, atLeast: 0, newest: false, waitMs: 0 };

/** The need of a declared query, from its arguments; missing fields are as in `noNeed`. */
export type DeclaredNeed<Q> = (args: Q) => Partial<Omit<Need, "waitMs">>;

interface NamedBlock {
  readonly workchain: number;
  readonly seqno: number;
}

/** Any server can answer it. */
export const needsNothing: DeclaredNeed<unknown> = () => ({});

/** A message, sent to several servers. */
export const needsSending: DeclaredNeed<unknown> = () => ({ kind: "send" });

/** The newest block the server knows. */
export const needsNewest: DeclaredNeed<unknown> = () => ({ newest: true });

/** The block that `id` names. */
export const needsBlock: DeclaredNeed<{ readonly id: NamedBlock }> = ({ id }) => placeOf(id, "block");

/** The state after the block that `id` names. */
export const needsState: DeclaredNeed<{ readonly id: NamedBlock }> = ({ id }) => placeOf(id, "state");

/** A transaction and those before it. */
export const needsHistory: DeclaredNeed<{ readonly lt: bigint }> = ({ lt }) => ({ place: { kind: "lt", lt } });

interface LookupArgs {
  readonly id: NamedBlock;
  readonly lt?: bigint | undefined;
  readonly utime?: number | undefined;
}

/** A block lookup. */
export const needsLookup: DeclaredNeed<LookupArgs> = ({ id, lt, utime }) => {
  if (lt !== undefined) return { place: { kind: "lt", lt } };
  return utime === undefined ? placeOf(id, "block") : { place: { kind: "time", at: utime } };
};

/** A block lookup, proved from a masterchain block. */
export const needsProvenLookup: DeclaredNeed<LookupArgs & { readonly mcBlockId: NamedBlock }> = (args) => ({
  ...needsLookup(args),
  atLeast: args.mcBlockId.seqno >>> 0,
});

interface ProofArgs {
  readonly knownBlock: NamedBlock;
  readonly targetBlock?: NamedBlock | undefined;
}

/** A chain of proofs. Every server keeps the key blocks, so only the newer end matters. */
export const needsProofChain: DeclaredNeed<ProofArgs> = ({ knownBlock, targetBlock }) => ({
  atLeast: Math.max(knownBlock.seqno >>> 0, (targetBlock?.seqno ?? 0) >>> 0),
});

function placeOf({ workchain, seqno }: NamedBlock, kind: "block" | "state"): Partial<Need> {
  if (workchain !== masterchain) return { place: { kind: "shard" } };
  // TL has no unsigned numbers; seqnos are unsigned.
  return { place: { kind, seqno: seqno >>> 0 }, atLeast: seqno >>> 0 };
}
