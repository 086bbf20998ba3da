import { isCoded } from "../../lib/errors.ts";
import { findServerError } from "../server/LiteServer.ts";
import { getMasterchainInfo, getMasterchainInfoExt } from "../tl/liteQueries.ts";
import type { Need } from "../tl/need.ts";
import { noNeed } from "../tl/need.ts";
import { TlReader } from "../tl/TlReader.ts";
import { decode } from "../tl/types.ts";

/**
 * The meaning of a server's error:
 * - `final`: the query is at fault, and every server would say so;
 * - `missing`: this server does not have the data, or not yet, or no longer;
 * - `unsupported`: this server does not answer such queries;
 * - `busy`: it is overloaded;
 * - `broken`: an internal error.
 */
export type ServerErrorKind = "final" | "missing" | "unsupported" | "busy" | "broken";

const rateLimits: ReadonlySet<number> = new Set([228, 429]);
// The reference's error numbers: failure, error, warning, protocol violation; not ready; timeout; cancelled.
const ownTrouble: ReadonlySet<number> = new Set([500, 502, 503, 601, 602, 603, 621, 653]);
const notReady = 651;
const outOfTime = 652;

const busyText = /too many (?:queries|requests)|rate.?limit|overload|\bbusy\b|try again/i;
const unsupportedText = /^unknown constructor|not allowed|not (?:implemented|supported)/i;
const missingText =
  /not in db|not found|cannot find block|cannot load (?:block|state)|unknown from the perspective|out of sync|not inited/i;

/**
 * Classifies a `liteServer.error` by its number and, where the number is ambiguous, by known texts of the reference.
 */
export function judgeServerError(code: number, message: string, need: Need): ServerErrorKind {
  if (rateLimits.has(code) || busyText.test(message)) return "busy";
  if (code === outOfTime) {
    // A timeout after a requested wait: the block has not come, which is not a sign of load.
    return need.waitMs > 0 ? "missing" : "busy";
  }
  if (code === notReady || missingText.test(message)) return "missing";
  if (code === 0 && unsupportedText.test(message)) return "unsupported";
  return ownTrouble.has(code) ? "broken" : "final";
}

/** The verdict on an answer. */
export type AnswerVerdict =
  | { readonly kind: "good" }
  | {
      readonly kind: "serverError";
      readonly errorKind: ServerErrorKind;
      readonly code: number;
      readonly message: string;
    }
  /** Proof error. */
  | { readonly kind: "badProof"; readonly error: Error }
  /** Not decodable. */
  | { readonly kind: "nonsense"; readonly error: Error };

/** Judges an answer; an error of `accept` that is not about the answer is thrown to the caller. */
export function judgeAnswer(
  answer: Uint8Array,
  need: Need,
  accept: ((answer: Uint8Array) => void) | undefined,
): AnswerVerdict {
  try {
    const error = findServerError(answer);
    if (error !== undefined) {
      const { code, message } = error;
      return { kind: "serverError", errorKind: judgeServerError(code, message, need), code, message };
    }
    if (need.newest && newestIn(answer) < need.atLeast) {
      return {
        kind: "serverError",
        errorKind: "missing",
        code: notReady,
        message: "older than a block it reported before",
      };
    }
    accept?.(answer);
    return { kind: "good" };
  } catch (error) {
    return judgeThrown(error);
  }
}

function judgeThrown(error: unknown): AnswerVerdict {
  if (isCoded(error, "lite/proof")) return { kind: "badProof", error };
  if (isCoded(error, "lite/tl")) return { kind: "nonsense", error };
  if (isCoded(error, "lite/server")) {
    // A caller that checks more than the pool may find an error that the pool did not see; the caller reports it.
    return { kind: "good" };
  }
  throw error;
}

/** The newest block in an answer to the query for it. */
function newestIn(answer: Uint8Array): number {
  const { boxed } =
    new TlReader(answer).nat() === getMasterchainInfo.answer.id
      ? getMasterchainInfo.answer
      : getMasterchainInfoExt.answer;
  return decode<{ readonly last: { readonly seqno: number } }>(boxed, answer).last.seqno;
}

/** Whether a server answered that it does not have what was asked for. */
export function isMissingAnswer(error: unknown): boolean {
  if (!isCoded(error, "lite/server")) return false;
  const { serverCode, serverMessage } = error.data;
  return judgeServerError(Number(serverCode), String(serverMessage), noNeed) === "missing";
}
