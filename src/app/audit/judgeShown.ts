import { isCoded } from "../../lib/errors.ts";
import { compareMeanings } from "./compareMeanings.ts";
import type { Different, Judgement } from "./judge.ts";
import type { ProvedAnswer, Prover } from "./Prover.ts";
import type { Provider } from "./Provider.ts";
import type { Question } from "./Question.ts";

/** Blocks of the index between which an answer was made. */
interface Asked {
  readonly from: number;
  readonly to: number;
}

/** The most blocks at which an answer of an index is tried. */
const maxBlocks = 12;

/**
 * Asks the index of a service, and the chain about the rows that it shows: whether they are there, and what they say.
 * An answer about states may be of any block that the index had while it was asked.
 */
export async function judgeShown(
  question: Question,
  prover: Pick<Prover, "proveShown" | "headSeqno" | "waitForBlocks">,
  provider: Pick<Provider, "ask" | "askIndexSeqno">,
): Promise<Judgement> {
  const from = (await provider.askIndexSeqno()) ?? prover.headSeqno;
  const answer = await provider.ask(question);
  if (answer.kind === "refused") return answer;
  const to = (await provider.askIndexSeqno()) ?? from;
  const shownAt = { from, to: Math.min(to, from + maxBlocks) };
  const { headSeqno } = prover;
  // The index may know a block before our servers do.
  if (headSeqno < shownAt.to) await prover.waitForBlocks(shownAt.to - headSeqno);
  const judgement = await compareFrom(question, answer.result, shownAt, prover);
  return judgement.kind === "different" ? { ...judgement, shownAt } : judgement;
}

/** Judges a difference again when newer blocks are known; if it stays, with what proves it. */
export async function judgeShownAgain(
  question: Question,
  different: Different & { readonly shownAt: Asked },
  prover: Pick<Prover, "proveShown" | "headSeqno">,
): Promise<Judgement> {
  const { answered, shownAt } = different;
  const judgement = await compareFrom(question, answered, shownAt, prover);
  if (judgement.kind !== "different") return judgement;
  const last = await compareAt(question, answered, shownAt.to, prover, { hasProof: true });
  return last.kind === "different" ? last : different;
}

/** Equal at one of the blocks, or else different if it is at all of them. */
async function compareFrom(
  question: Question,
  answered: Different["answered"],
  { from, to }: Asked,
  prover: Pick<Prover, "proveShown" | "headSeqno">,
): Promise<Judgement> {
  const found: Judgement[] = [];
  for (let at = from; at <= to; at += 1) {
    const judgement = await compareAt(question, answered, at, prover);
    if (judgement.kind === "equal") return judgement;
    found.push(judgement);
  }
  const nothing: Judgement = { kind: "unproved", reason: "there is no block to prove it at" };
  return found.find(({ kind }) => kind !== "different") ?? found.at(-1) ?? nothing;
}

async function compareAt(
  question: Question,
  answered: Different["answered"],
  at: number,
  prover: Pick<Prover, "proveShown" | "headSeqno">,
  options: { readonly hasProof?: boolean } = {},
): Promise<Judgement> {
  const proved = await tryProveShown(question, { result: answered, at }, prover, options);
  if ("reason" in proved) return { kind: "unproved", reason: proved.reason };
  const { disagreements, agreed } = compareMeanings(proved.result, answered);
  if (disagreements.length > 0) return { kind: "different", disagreements, proved, answered };
  return agreed > 0 ? { kind: "equal" } : { kind: "refused", reason: "the answer has no field that can be compared" };
}

/** What the chain says of the rows: they may not be there at all. */
async function tryProveShown(
  question: Question,
  shown: Parameters<Prover["proveShown"]>[1],
  prover: Pick<Prover, "proveShown" | "headSeqno">,
  options: { readonly hasProof?: boolean },
): Promise<ProvedAnswer | { readonly reason: string }> {
  try {
    return await prover.proveShown(question, shown, options);
  } catch (error) {
    if (!isCoded(error) || isCoded(error, "lib/aborted")) throw error;
    if (!isCoded(error, "api/incomplete") && !isCoded(error, "chain/not-found")) return { reason: error.message };
    return { result: error.message, headSeqno: prover.headSeqno, proof: undefined };
  }
}
