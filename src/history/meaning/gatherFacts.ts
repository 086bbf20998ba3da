import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { NamingFacts, NeededFacts } from "../../contracts/engine/declareFamily.ts";
import { neededFactsInSteps } from "../../contracts/neededFacts.ts";
import { systemClock } from "../../lib/clock.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { zeroHash } from "../../model/Hash.ts";
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
  const turns = new TurnBudget(systemClock);
  const pause = () => turns.yieldIfDue();
  let named = 0;
  const relevant = traces.filter((trace) => !needsNone(trace, known));
  for (let round = 0; round < rounds; round++) {
    const accounts = new Set<Address>();
    const data = new Set<Address>();
    for (const trace of relevant) {
      const needed = await runInTurns(neededSafely(trace, known.facts, reporter), pause);
      for (const address of needed.accounts) accounts.add(address);
      for (const address of needed.data) data.add(address);
    }
    // Facts that are all known already name no more accounts than they did.
    if (!(await known.load(session, accounts, data)) || accounts.size + data.size === named) return;
    named = accounts.size + data.size;
  }
}

/** The source of fees and rewards, which no contract has sent. */
const noSender = makeAddress(masterchain, zeroHash);

/** Every block has such traces: a lone tick-tock transaction, and fees that come to an account which is no entity. */
function needsNone({ transactions: [only, another] }: Trace, known: KnownEntities): boolean {
  if (only === undefined || another !== undefined) return false;
  const { isTickTock, inMessage, outMessages, account } = only;
  if (isTickTock) return true;
  const isFee = inMessage?.source === noSender && inMessage.body.bitLength === 0 && inMessage.body.refCount === 0;
  return isFee && outMessages.length === 0 && known.isPlain(account);
}

/** A trace that breaks the reader must not block indexing: its own accounts are loaded. */
function* neededSafely(trace: Trace, known: NamingFacts, reporter: FailureReporter | undefined): Steps<NeededFacts> {
  try {
    return yield* neededFactsInSteps(trace, known);
  } catch (error) {
    reporter?.report(trace.id, [{ matcher: "neededFacts", error }]);
    return { accounts: trace.transactions.map(({ account }) => account), data: [] };
  }
}
