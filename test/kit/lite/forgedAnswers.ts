import { decodedAnswer, isTruth, type ProvableExchange, plainValue, provenBy } from "../../../kit/lite/provenAnswer.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import type { Random } from "../../../src/lib/random.ts";
import { decodeAnswer } from "../../../src/lite/server/LiteServer.ts";
import type { DecodedQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { type Forgery, flipBits, forgeValue } from "../cell/forgedValues.ts";

/** The outcome of many forged answers; every entry in `accepted` and `crashed` is a bug. */
export interface ForgeryOutcome {
  refused: number;
  /** Number of forged answers that change nothing that is proved. */
  harmless: number;
  readonly accepted: string[];
  readonly crashed: string[];
}

export interface ForgeryPlan {
  /** Number of bits of an answer to flip, one at a time. */
  readonly flips: number;
  /** Number of other forged answers per exchange. */
  readonly forgeries: number;
  /** Number of other answers to the same query whose parts are reused. */
  readonly donors: number;
}

/** Forges valid answers to one query and records which forgeries are accepted. */
export function tryForgedAnswers(
  exchanges: readonly ProvableExchange[],
  plan: ForgeryPlan,
  random: Random,
): ForgeryOutcome {
  const outcome: ForgeryOutcome = { refused: 0, harmless: 0, accepted: [], crashed: [] };
  for (const exchange of exchanges) {
    const truth = plainValue(provenBy(exchange.request, decodedAnswer(exchange)));
    const tryForgery = (forgery: Forgery, answer: () => unknown): void => {
      judge(outcome, `${exchange.name} ${exchange.note}: ${forgery.what}`, truth, exchange, answer);
    };
    for (const forgery of flipBits(exchange.answer, plan.flips, random))
      tryForgery(forgery, () => decodeAnswer(exchange.request.query, forgery.make()));
    for (const forgery of pick(forgeries(exchange, exchanges, plan, random), plan.forgeries, random))
      tryForgery(forgery, forgery.make);
  }
  return outcome;
}

function forgeries(
  exchange: ProvableExchange,
  all: readonly ProvableExchange[],
  plan: ForgeryPlan,
  random: Random,
): readonly Forgery[] {
  const others = all.filter((other) => other !== exchange);
  const donors = Array.from({ length: Math.min(plan.donors, others.length) }, () => others[random.int(others.length)]);
  const values = donors.flatMap((donor) => (donor === undefined ? [] : [decodedAnswer(donor)]));
  return [...forgeValue(decodedAnswer(exchange), values, random)];
}

/** All items, or a random sample of `max` of them. */
function pick<T>(list: readonly T[], max: number, random: Random): readonly T[] {
  if (list.length <= max) return list;
  return Array.from({ length: max }, () => list[random.int(list.length)] as T);
}

function judge(
  outcome: ForgeryOutcome,
  what: string,
  truth: unknown,
  { name, request }: { readonly name: string; readonly request: DecodedQuery },
  answer: () => unknown,
): void {
  try {
    const proved = plainValue(provenBy(request, answer()));
    if (isTruth(name, truth, proved)) outcome.harmless += 1;
    else outcome.accepted.push(`${what}: ${JSON.stringify(proved)?.slice(0, 200)}`);
  } catch (error) {
    if (isCoded(error, "lite/proof") || isCoded(error, "lite/tl")) outcome.refused += 1;
    else outcome.crashed.push(`${what}: ${String(error)}`);
  }
}
