import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import { neededFacts } from "../../contracts/engine/neededFacts.ts";
import type { NamingFacts, NeededFacts } from "../../contracts/kit/declareFamily.ts";
import type { Address } from "../../model/Address.ts";
import type { Trace } from "../../model/Trace.ts";
import type { SqlSession } from "../store/Database.ts";
import type { KnownEntities } from "./KnownEntities.ts";

/** Facts name further accounts at most this often. */
const rounds = 3;

/** Loads what must be known to classify traces, for all of them together. */
export async function gatherFacts(
  session: Pick<SqlSession, "query">,
  traces: readonly Trace[],
  known: KnownEntities,
  reporter?: FailureReporter,
): Promise<void> {
  let named = 0;
  // A tick or tock alone tells nothing, and there are some in every block.
  const told = traces.filter(({ transactions }) => transactions.length > 1 || !transactions[0]?.isTickTock);
  for (let round = 0; round < rounds; round++) {
    const accounts = new Set<Address>();
    const data = new Set<Address>();
    for (const trace of told) {
      const needed = neededSafely(trace, known.facts, reporter);
      for (const address of needed.accounts) accounts.add(address);
      for (const address of needed.data) data.add(address);
    }
    await known.load(session, accounts, data);
    if (accounts.size + data.size === named) return;
    named = accounts.size + data.size;
  }
}

/** Like the classifier, a trace that breaks the reading must not hold up all that come after it: it names its own accounts. */
function neededSafely(trace: Trace, known: NamingFacts, reporter: FailureReporter | undefined): NeededFacts {
  try {
    return neededFacts(trace, known);
  } catch (error) {
    reporter?.report(trace.id, [{ matcher: "neededFacts", error }]);
    return { accounts: trace.transactions.map(({ account }) => account), data: [] };
  }
}
