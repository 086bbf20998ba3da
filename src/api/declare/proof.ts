import type { Chain } from "../../chain/Chain.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { TrustedHead } from "../../lite/queries/TrustedChain.ts";
import type { Hash } from "../../model/Hash.ts";
import { ApiError } from "./errors.ts";
import type { RequestArgs, RequestHeaders } from "./requestArgs.ts";

/** What a proof can say about the answer of an endpoint; `weight` is how many requests one with a proof counts as. */
export type ProofRule =
  /** The answer is computed from answers of lite servers, which have proofs themselves. */
  | { readonly by: "chain"; readonly weight: number }
  /** The index says what to show; what it shows of the chain is computed again from answers of lite servers. */
  | { readonly by: "shown"; readonly weight: number; readonly prove: ProveShown; readonly named?: NamedTransactions }
  /** The answer follows from the arguments. */
  | { readonly by: "arguments"; readonly weight: number }
  /** Nothing proves the answer; the reason is the end of a sentence. */
  | { readonly by: "nothing"; readonly isWrite: boolean; readonly reason: string };

/** An answer of the index whose rows are to be proved. */
export interface ShownAnswer {
  /** As the receiver reads it. */
  readonly result: JsonValue;
  /** Seqno of the newest masterchain block in the index when it answered. */
  readonly at: number;
  /** Where the transactions are that rows name by hash: `hash`, `account`, `lt` and `block_ref` of each. */
  readonly places?: readonly JsonValue[] | undefined;
}

/** The transactions that rows name only by hash: the proof says where they are. */
export type NamedTransactions = (result: JsonValue) => readonly Hash[];

/** What the chain says of an answer. */
export interface ProvedRows {
  /** The part of the answer that the chain proves: whatever is in it is equal in the answer. */
  readonly result: JsonValue;
  /** Whether nothing is left out between the first and the last row. */
  readonly isComplete: boolean;
  /** The block at which the answer holds; absent if it holds forever. */
  readonly at?: TrustedHead;
}

/**
 * Computes what the chain says of an answer. The server runs it to collect the answers of lite servers, the receiver to
 * check them; both compare it with the answer. Throws coded errors for what is not on the chain.
 */
export type ProveShown = (
  chain: Chain,
  args: Readonly<Record<string, unknown>>,
  shown: ShownAnswer,
) => Promise<ProvedRows>;

/** For lists of rows, each of which needs answers of its own. */
export function shownProof(prove: ProveShown, named?: NamedTransactions): ProofRule {
  return { by: "shown", weight: 10, prove, ...(named && { named }) };
}

/** For answers about accounts and blocks: a proof has a few KB besides the answer, and is made without its cache. */
export const chainProof: ProofRule = { by: "chain", weight: 2 };

/** For answers that run code, or show a whole configuration or many transactions: their proof has tens of KB. */
export const largeProof: ProofRule = { by: "chain", weight: 5 };

/** For answers that the receiver can compute alone. */
export const argumentsProof: ProofRule = { by: "arguments", weight: 1 };

/** For endpoints that send something. */
export const writeProof = noProof("a lite server may accept a message and drop it; watch for its transaction", true);

export function noProof(reason: string, isWrite = false): ProofRule {
  return { by: "nothing", isWrite, reason };
}

/** For the endpoints of versions whose answers have no proofs. */
export const unproved = noProof("this version of the API has none");

/** What the documentation says about the proof of an answer. */
export function describeProof(rule: ProofRule): string {
  if (rule === unproved) return "";
  if (rule.by === "nothing") return `Has no proof: ${rule.reason}.`;
  return `With \`proof=1\` the answer has its proof${rule.weight > 1 ? ` and counts as ${rule.weight} requests` : ""}.`;
}

/** A request for an answer with its proof. */
export interface ProofRequest {
  /** The seqno of the masterchain block that the receiver trusts; the init block of the network if left out. */
  readonly since: number | undefined;
}

/** The header that asks for a proof, in lower case. */
export const proofHeader = "x-proof";

const names = { proof: "proof", since: "proof_since" } as const;
const yes: ReadonlySet<string> = new Set(["1", "true"]);
const no: ReadonlySet<string> = new Set(["", "0", "false"]);

/** The proof that a request asks for, by `proof` or the header. */
export function findProofRequest(given: RequestArgs, headers: RequestHeaders): ProofRequest | undefined {
  const flag = given[names.proof] ?? headers[proofHeader];
  if (flag === undefined) return undefined;
  const word = String(Array.isArray(flag) ? flag[0] : flag).toLowerCase();
  if (!yes.has(word) && !no.has(word)) throw new ApiError("api/argument", "failed to parse proof; give 1");
  return yes.has(word) ? { since: readSince(given[names.since]) } : undefined;
}

/** Whether a request names a proof at all. */
export function mayAskForProof(given: RequestArgs, headers: RequestHeaders): boolean {
  return given[names.proof] !== undefined || headers[proofHeader] !== undefined;
}

function readSince(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(Array.isArray(value) ? value[0] : value);
  if (!/^[0-9]{1,10}$/.test(text) || Number(text) > 0xffff_ffff)
    throw new ApiError("api/argument", "failed to parse proof_since; give the seqno of a masterchain block");
  return Number(text);
}

/** The arguments of a body without those that ask for a proof. */
export function withoutProof(given: RequestArgs): RequestArgs {
  if (!(names.proof in given) && !(names.since in given)) return given;
  const { [names.proof]: _proof, [names.since]: _since, ...rest } = given;
  return rest;
}

/** In the message of every refusal to prove; receivers read it. */
export const hasNoProof = "has no proof";

/** In the message of the refusal to prove an empty list; receivers read it. */
export const emptyList = "there is nothing to prove in an empty list";

/** How many requests one with a proof counts as; refuses a proof where there is none. */
export function checkProvable({ name, proof }: { readonly name: string; readonly proof: ProofRule }): number {
  if (proof.by === "nothing") throw new ApiError("api/no-proof", `${name} ${hasNoProof}: ${proof.reason}`);
  return proof.weight;
}
