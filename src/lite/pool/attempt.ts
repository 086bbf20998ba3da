import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { AskOptions } from "../server/LiteServer.ts";
import type { Need } from "../tl/need.ts";
import { noteAnswer, noteBusy, noteError, noteFailure, noteProofError, noteUnanswered } from "./health.ts";
import type { PoolMember } from "./PoolMember.ts";
import { judgeAnswer, type ServerErrorKind } from "./verdict.ts";

/** One query as the pool asks it. */
export interface PoolQuery {
  readonly query: Uint8Array;
  readonly need: Need;
  readonly accept: AskOptions["accept"] | undefined;
  readonly access: "public" | "private";
  /** Only this server may be asked. */
  readonly only: PoolMember | undefined;
}

/** The outcome of asking one server. */
export type Attempt = { readonly member: PoolMember } & (
  | { readonly kind: "answered"; readonly answer: Uint8Array; readonly isServerError: boolean }
  | {
      readonly kind: "serverError";
      readonly errorKind: Exclude<ServerErrorKind, "final">;
      readonly answer: Uint8Array;
      readonly reason: string;
    }
  | { readonly kind: "badProof"; readonly error: Error }
  | { readonly kind: "failed"; readonly error: Error }
  /** The caller does not wait any more. */
  | { readonly kind: "dropped" }
  /** The caller's own check threw an unexpected error. */
  | { readonly kind: "thrown"; readonly error: unknown }
);

/** Failures that say something about the server; others are caused by our limits or by the query. */
const unreachable: ReadonlySet<string> = new Set([
  "lite/timeout",
  "lite/closed",
  "lite/refused",
  "lite/handshake",
  "lite/frame",
  "lite/tl",
  "lite/lost",
]);

/** Asks one server when it has a free slot, and updates its health; never rejects. */
export async function attempt(
  member: PoolMember,
  asking: PoolQuery,
  clock: Clock,
  signal: AbortSignal,
): Promise<Attempt> {
  let startedMs: number | undefined;
  // A server that was asked to delay its answer is not slow.
  const elapsedMs = () =>
    startedMs === undefined || asking.need.waitMs > 0 ? undefined : clock.monotonic() - startedMs;
  try {
    const answer = await member.inTurn(() => {
      startedMs = clock.monotonic();
      return member.server.ask(asking.query, { signal });
    }, signal);
    return judge(member, asking, answer, elapsedMs(), clock.monotonic());
  } catch (thrown) {
    const nowMs = clock.monotonic();
    if (signal.aborted) {
      member.update((health) => noteUnanswered(health, elapsedMs() ?? 0, nowMs));
      return { kind: "dropped", member };
    }
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    noteThrown(member, error, nowMs);
    return { kind: "failed", member, error };
  }
}

function noteThrown(member: PoolMember, error: Error, nowMs: number): void {
  if (isCoded(error) && unreachable.has(error.code))
    member.update((health) => noteFailure(health, error.message, nowMs));
  else if (!isCoded(error, "lite/busy")) member.update(noteError);
}

function judge(
  member: PoolMember,
  asking: PoolQuery,
  answer: Uint8Array,
  ms: number | undefined,
  nowMs: number,
): Attempt {
  const { need, accept } = asking;
  const verdict = judgeOrThrown(answer, need, accept);
  switch (verdict.kind) {
    case "good":
      member.update((health) => noteAnswer(health, ms, nowMs));
      return { kind: "answered", member, answer, isServerError: false };
    case "badProof":
      member.update(noteProofError);
      return { kind: "badProof", member, error: verdict.error };
    case "nonsense":
      member.update(noteError);
      return { kind: "failed", member, error: verdict.error };
    case "thrown":
      member.update((health) => noteAnswer(health, ms, nowMs));
      return { kind: "thrown", member, error: verdict.error };
    case "serverError":
      noteServerError(member, verdict.errorKind, ms, nowMs);
      return verdict.errorKind === "final"
        ? { kind: "answered", member, answer, isServerError: true }
        : { kind: "serverError", member, answer, errorKind: verdict.errorKind, reason: verdict.message };
  }
}

function judgeOrThrown(answer: Uint8Array, need: Need, accept: PoolQuery["accept"]) {
  try {
    return judgeAnswer(answer, need, accept);
  } catch (error) {
    return { kind: "thrown", error } as const;
  }
}

function noteServerError(member: PoolMember, errorKind: ServerErrorKind, ms: number | undefined, nowMs: number): void {
  switch (errorKind) {
    case "busy":
      member.update((health) => noteBusy(health, nowMs));
      return;
    case "broken":
      member.update(noteError);
      return;
    default:
      member.update((health) => noteAnswer(health, ms, nowMs));
  }
}
