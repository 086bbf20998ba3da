import { isCoded } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import { compareMeanings, type Disagreement } from "./compareMeanings.ts";
import type { ProvedAnswer, Prover } from "./Prover.ts";
import type { Provider } from "./Provider.ts";
import type { Question } from "./Question.ts";

/** An answer that is not what the chain says. */
export interface Different {
  readonly kind: "different";
  readonly disagreements: readonly Disagreement[];
  /** What the chain says; with its proof when the difference stays. */
  readonly proved: ProvedAnswer;
  readonly answered: JsonValue;
  /** Of an answer of an index: the blocks between which it was made. */
  readonly shownAt?: { readonly from: number; readonly to: number };
}

/** What an audit found about one question. */
export type Judgement =
  | Different
  | { readonly kind: "equal" }
  /** The service answered for a newer block than the one that was named. */
  | { readonly kind: "otherBlock" }
  /** The service gave no answer. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Lite servers proved nothing to compare with. */
  | { readonly kind: "unproved"; readonly reason: string };

/** Asks a service and the chain the same, and compares what they say. */
export async function judgeLive(
  question: Question,
  prover: Pick<Prover, "prove">,
  provider: Pick<Provider, "ask">,
): Promise<Judgement> {
  const proved = await tryProve(question, prover);
  if ("reason" in proved) return { kind: "unproved", reason: proved.reason };
  const answer = await provider.ask(question);
  if (answer.kind === "refused") return answer;
  const { disagreements, agreed } = compareMeanings(proved.result, answer.result);
  if (disagreements.length > 0) return { kind: "different", disagreements, proved, answered: answer.result };
  return agreed > 0 ? { kind: "equal" } : { kind: "refused", reason: "the answer has no field that can be compared" };
}

/** Number of blocks, from the newest one when the service was asked, for which its answer may hold. */
const maxNewer = 12;
/** A service may be ahead of us. */
const maxAhead = 5;

/**
 * Judges a difference again, when newer blocks are known than the service could know: some services do not know the
 * argument `seqno`, and answer for their newest block.
 */
export async function judgeAgain(
  question: Question,
  different: Different,
  prover: Pick<Prover, "prove">,
): Promise<Judgement> {
  if (await isOfNewer(question, different, prover)) return { kind: "otherBlock" };
  const proved = await tryProve(question, prover, { hasProof: true });
  return "reason" in proved ? different : { ...different, proved };
}

async function isOfNewer(
  question: Question,
  { answered, proved: { headSeqno: askedAt } }: Different,
  prover: Pick<Prover, "prove">,
): Promise<boolean> {
  const { seqno: named, address } = question.args;
  if (typeof named !== "number" || address === undefined) return false;
  for (let seqno = Math.max(named, askedAt - maxNewer) + 1; seqno <= askedAt + maxAhead; seqno += 1) {
    const proved = await tryProve({ ...question, args: { ...question.args, seqno } }, prover);
    if ("reason" in proved) continue;
    const { disagreements, agreed } = compareMeanings(proved.result, answered);
    if (disagreements.length === 0 && agreed > 0) return true;
  }
  return false;
}

/** A proved answer, or why there is none. */
export async function tryProve(
  question: Question,
  prover: Pick<Prover, "prove">,
  options: { readonly hasProof?: boolean } = {},
): Promise<ProvedAnswer | { readonly reason: string }> {
  try {
    return await prover.prove(question, options);
  } catch (error) {
    if (!isCoded(error) || isCoded(error, "lib/aborted")) throw error;
    return { reason: error.message };
  }
}
