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
  readonly proved: ProvedAnswer;
  readonly answered: JsonValue;
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
export async function judge(
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
  const { seqno: named, address } = question.args;
  if (typeof named !== "number" || address === undefined) return different;
  const askedAt = different.proved.head.block.seqno;
  for (let seqno = Math.max(named, askedAt - maxNewer) + 1; seqno <= askedAt + maxAhead; seqno += 1) {
    const proved = await tryProve({ ...question, args: { ...question.args, seqno } }, prover);
    if ("reason" in proved) continue;
    const { disagreements, agreed } = compareMeanings(proved.result, different.answered);
    if (disagreements.length === 0 && agreed > 0) return { kind: "otherBlock" };
  }
  return different;
}

/** A proved answer, or why there is none. */
export async function tryProve(
  question: Question,
  prover: Pick<Prover, "prove">,
): Promise<ProvedAnswer | { readonly reason: string }> {
  try {
    return await prover.prove(question);
  } catch (error) {
    if (!isCoded(error) || isCoded(error, "lib/aborted")) throw error;
    return { reason: error.message };
  }
}
