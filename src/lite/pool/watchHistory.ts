import { runWithin } from "../../lib/deadline.ts";
import { noteOldest } from "./health.ts";
import { type FindHeld, findOldest } from "./oldestBlock.ts";
import type { PoolMember } from "./PoolMember.ts";
import type { PoolModules } from "./PoolModules.ts";

type Modules = Pick<PoolModules, "clock" | "random" | "find">;

const lookMs = { first: 1_000, again: 60_000, timeout: 5_000 } as const;

/**
 * Keeps the oldest block of a server up to date: determines it soon after the server works, then every `everyMs`, and
 * sooner when it has dropped data. Ends with the signal; never rejects.
 */
export async function watchHistory(
  member: PoolMember,
  modules: Modules,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random } = modules;
  let foundMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const { condition, oldest } = member.health;
    const stale = oldest === undefined || clock.monotonic() - foundMs >= everyMs;
    const found = condition.kind === "working" && stale ? await lookFor(member, modules, signal) : !stale;
    foundMs = found && stale ? clock.monotonic() : foundMs;
    const delayMs = condition.kind === "working" ? lookMs.again : lookMs.first;
    // Only the signal ends a sleep early.
    await clock.sleep(delayMs * (0.9 + random.next() / 10), signal).catch(() => {});
  }
}

/** Returns whether it was found. A failure shows elsewhere too; this is tried again later. */
async function lookFor(member: PoolMember, { clock, find }: Modules, signal: AbortSignal): Promise<boolean> {
  const { head, oldest } = member.health;
  if (head === undefined) return false;
  const findWithin: FindHeld = (server, seqno, parent) =>
    runWithin(clock, lookMs.timeout, (deadline) => find(server, seqno, deadline.signal), parent);
  const heldBlock = await findOldest(member.server, head, oldest, findWithin, signal).catch(() => undefined);
  if (heldBlock !== undefined) member.update((health) => noteOldest(health, heldBlock));
  return heldBlock !== undefined;
}
