import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { NamingFacts, NeededFacts } from "../../contracts/engine/declareFamily.ts";
import { neededFacts } from "../../contracts/neededFacts.ts";
import type { Address } from "../../model/Address.ts";
import type { Trace } from "../../model/Trace.ts";
import type { SqlSession } from "../store/Database.ts";
import type { KnownEntities } from "./KnownEntities.ts";

/** How often facts may name further accounts. */
const rounds = 3;

/** Loads the facts that classification of these traces needs. */
export async function gatherFacts(
  session: Pick<SqlSession, "query">,
  traces: readonly Trace[],
  known: KnownEntities,
  reporter?: FailureReporter,
): Promise<void> {
  let named = 0;
  // A lone tick-tock transaction needs no facts, and every block has some.
  const relevant = traces.filter(({ transactions }) => transactions.length > 1 || !transactions[0]?.isTickTock);
  for (let round = 0; round < rounds; round++) {
    const accounts = new Set<Address>();
    const data = new Set<Address>();
    for (const trace of relevant) {
      const needed = neededSafely(trace, known.facts, reporter);
      for (const address of needed.accounts) accounts.add(address);
      for (const address of needed.data) data.add(address);
    }
    // Facts that are all known already name no more accounts than they did.
    if (!(await known.load(session, accounts, data)) || accounts.size + data.size === named) return;
    named = accounts.size + data.size;
  }
}

/** A trace that breaks the reader must not block indexing: its own accounts are loaded. */
function neededSafely(trace: Trace, known: NamingFacts, reporter: FailureReporter | undefined): NeededFacts {
  try {
    return neededFacts(trace, known);
  } catch (error) {
    reporter?.report(trace.id, [{ matcher: "neededFacts", error }]);
    return { accounts: trace.transactions.map(({ account }) => account), data: [] };
  }
}
