import { isCoded } from "../../../src/lib/errors.ts";
import type { Random } from "../../../src/lib/random.ts";
import { decodeAnswer } from "../../../src/lite/LiteServer.ts";
import type { DecodedQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { bendValue, flipBits, type Lie } from "../cell/bentTrees.ts";
import { decodedAnswer, isTruth, type ProvableExchange, plainValue, provenBy } from "./provenAnswer.ts";

/** The outcome of many forged answers; every entry in `believed` and `crashed` is a bug. */
export interface Outcome {
  refused: number;
  /** Number of forged answers that change nothing that is proved. */
  harmless: number;
  readonly believed: string[];
  readonly crashed: string[];
}

export interface ChangePlan {
  /** Number of bits of an answer to flip, one at a time. */
  readonly flips: number;
  /** Number of other forged answers per exchange. */
  readonly bends: number;
  /** Number of other answers to the same query whose parts are reused. */
  readonly donors: number;
}

/** Forges valid answers to one query and records which forgeries are accepted. */
export function changeAnswers(exchanges: readonly ProvableExchange[], plan: ChangePlan, random: Random): Outcome {
  const outcome: Outcome = { refused: 0, harmless: 0, believed: [], crashed: [] };
  for (const exchange of exchanges) {
    const truth = plainValue(provenBy(exchange.question, decodedAnswer(exchange)));
    const told = (lie: Lie, answer: () => unknown): void => {
      judge(outcome, `${exchange.name} ${exchange.note}: ${lie.what}`, truth, exchange, answer);
    };
    for (const lie of flipBits(exchange.answer, plan.flips, random))
      told(lie, () => decodeAnswer(exchange.question.query, lie.make()));
    for (const lie of pick(bends(exchange, exchanges, plan, random), plan.bends, random)) told(lie, lie.make);
  }
  return outcome;
}

function bends(
  exchange: ProvableExchange,
  all: readonly ProvableExchange[],
  plan: ChangePlan,
  random: Random,
): readonly Lie[] {
  const others = all.filter((other) => other !== exchange);
  const donors = Array.from({ length: Math.min(plan.donors, others.length) }, () => others[random.int(others.length)]);
  const values = donors.flatMap((donor) => (donor === undefined ? [] : [decodedAnswer(donor)]));
  return [...bendValue(decodedAnswer(exchange), values, random)];
}

/** All items, or a random sample of `most` of them. */
function pick<T>(list: readonly T[], most: number, random: Random): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, () => list[random.int(list.length)] as T);
}

function judge(
  outcome: Outcome,
  what: string,
  truth: unknown,
  { name, question }: { readonly name: string; readonly question: DecodedQuery },
  answer: () => unknown,
): void {
  try {
    const proved = plainValue(provenBy(question, answer()));
    if (isTruth(name, truth, proved)) outcome.harmless += 1;
    else outcome.believed.push(`${what}: ${JSON.stringify(proved)?.slice(0, 200)}`);
  } catch (error) {
    if (isCoded(error, "lite/proof") || isCoded(error, "lite/tl")) outcome.refused += 1;
    else outcome.crashed.push(`${what}: ${String(error)}`);
  }
}
