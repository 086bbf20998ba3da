import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { Random } from "../../lib/random.ts";
import { backoffMs } from "../../lib/retry.ts";
import type { WaitQueue } from "../../lib/WaitQueue.ts";
import { LiteError } from "../errors.ts";
import { findServerError } from "../server/LiteServer.ts";
import { type Attempt, attempt, type PoolQuery } from "./attempt.ts";
import type { PoolMember } from "./PoolMember.ts";
import type { RaceResult } from "./Race.ts";

export interface SendModules {
  readonly clock: Clock;
  readonly random: Random;
  readonly changed: WaitQueue;
  /** The number of servers that a message is sent to. */
  readonly maxSends: number;
  /** How long slower servers may continue after the first. */
  readonly sendTimeoutMs: number;
  readonly choose: (asking: PoolQuery, missed: boolean) => readonly PoolMember[];
  /** Called with work that continues after the answer, so that closing can wait for it. */
  readonly keep: (work: Promise<unknown>) => void;
}

const pauses = { firstMs: 100, factor: 2, maxMs: 1_000 };

/**
 * Sends a message to several servers at once; the first acceptance is the answer, and the others continue in the
 * background. When all refuse, the most informative refusal is the answer. Sending a message twice is harmless.
 */
export async function sendToSeveral(asking: PoolQuery, modules: SendModules, signal: AbortSignal): Promise<RaceResult> {
  const { clock, random, changed, maxSends } = modules;
  for (let round = 1; ; round++) {
    throwIfAborted(signal);
    const members = modules.choose(asking, false).slice(0, maxSends);
    const answered = members.length === 0 ? undefined : await sendToAll(asking, members, modules, signal);
    if (answered !== undefined) return answered;
    await changed.waitAtMost(clock, backoffMs(pauses, Math.min(round, 10), random), signal);
  }
}

/** Resolves with the first success, or with the best refusal when all have answered; undefined when none answered. */
function sendToAll(
  asking: PoolQuery,
  members: readonly PoolMember[],
  { clock, sendTimeoutMs, keep }: SendModules,
  signal: AbortSignal,
): Promise<RaceResult | undefined> {
  const sending = new AbortController();
  const cancelTimer = clock.timer(sendTimeoutMs, () =>
    sending.abort(new LiteError("lite/timeout", `the message was not accepted within ${sendTimeoutMs} ms`)),
  );
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, (reason) => {
      sending.abort(reason);
      reject(reason);
    });
    const attempts = members.map(async (member) => {
      const outcome = await attempt(member, asking, clock, sending.signal);
      if (outcome.kind === "answered" && !outcome.isServerError) {
        stopListening();
        resolve(outcome);
      }
      return outcome;
    });
    const all = Promise.all(attempts).then((outcomes) => {
      stopListening();
      cancelTimer();
      resolve(bestRefusal(outcomes));
    }, reject);
    keep(all);
  });
}

/** A contract's refusal is more informative than a server's, and that more than a connection error. */
function bestRefusal(outcomes: readonly Attempt[]): RaceResult | undefined {
  const refusals = outcomes.flatMap((outcome) => {
    const rank = rankOf(outcome);
    return rank === undefined || !("answer" in outcome) ? [] : [{ rank, outcome }];
  });
  return refusals.sort((a, b) => a.rank - b.rank)[0]?.outcome;
}

const notAccepted = -701;

function rankOf(outcome: Attempt): number | undefined {
  if (outcome.kind === "answered") return findServerError(outcome.answer)?.code === notAccepted ? 0 : 1;
  if (outcome.kind !== "serverError" || outcome.errorKind === "busy") return undefined;
  return outcome.errorKind === "missing" ? 2 : 3;
}
