import { type Classification, classify } from "../../contracts/classify.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Trace } from "../../model/Trace.ts";
import { type NewContracts, withNewContracts } from "../run/newContracts.ts";

/** Gathers facts about the accounts of a trace. */
export type GatherFacts = (trace: Trace, signal: AbortSignal) => Promise<Facts>;

/** Classifies a trace; absent when facts about its accounts cannot be gathered. */
export async function findMeaning(
  trace: Trace,
  contracts: NewContracts,
  gatherFacts: GatherFacts,
  signal: AbortSignal,
  reporter?: FailureReporter,
): Promise<Classification | undefined> {
  try {
    const classification = classify(trace, withNewContracts(await gatherFacts(trace, signal), contracts));
    reporter?.report(trace.id, classification.failures);
    return classification;
  } catch (error) {
    // A trace without classification is still useful: the index may be unavailable for a while.
    if (!isCoded(error)) throw error;
    return undefined;
  }
}
