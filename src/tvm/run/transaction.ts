import { hashInSteps } from "../../cell/hashInSteps.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { loadInCell } from "../../model/Message.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { TickTockRun, TransactionOutcome, TransactionRun } from "../Executor.ts";
import { act } from "../phases/action.ts";
import { bounce, isBounced } from "../phases/bounce.ts";
import type { Draft } from "../phases/Draft.ts";
import { finish } from "../phases/finish.ts";
import { type InTurns, ranOf, runPhases } from "./acceptance.ts";
import type { RunHost } from "./runCode.ts";

export function runTransaction(run: TransactionRun, host: RunHost, signal?: AbortSignal): Promise<TransactionOutcome> {
  return runPhases(run, "ordinary", run.message, finishInTurns, host, signal);
}

export function runTickTock(run: TickTockRun, host: RunHost, signal?: AbortSignal): Promise<TransactionOutcome> {
  return runPhases(run, run.which, undefined, finishInTurns, host, signal);
}

const finishInTurns = (draft: Draft, log: string, inTurns: InTurns) => inTurns(outcomeOf(draft, log));

/** A new cell costs 500 gas. */
const gasOfFewCells = 100_000;

function* outcomeOf(draft: Draft, log: string): Steps<TransactionOutcome> {
  const { compute, message } = draft;
  const result = compute?.kind === "vm" ? compute : undefined;
  const ran = ranOf(draft);
  if (result?.committed !== undefined && result.gasUsed > gasOfFewCells)
    for (const cell of Object.values(result.committed)) yield* hashInSteps(cell);
  if (ran.actions !== undefined) yield* act(draft, ran.actions);
  if (message !== undefined && isBounced(draft)) yield* bounce(draft, message);
  const { transaction, account } = yield* finish(draft);
  return { kind: "done", transaction: loadInCell(Transaction, transaction), account, ...ran, log };
}
