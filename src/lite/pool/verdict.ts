import { isCoded } from "../../lib/errors.ts";
import { findServerError } from "../LiteServer.ts";
import { getMasterchainInfo, getMasterchainInfoExt } from "../tl/liteQueries.ts";
import type { Need } from "../tl/need.ts";
import { TlReader } from "../tl/TlReader.ts";
import { decode } from "../tl/types.ts";

/**
 * What a server's error means:
 * - `final`: the query is at fault, and every server would say so;
 * - `missing`: this server has not got it, or not yet, or no longer;
 * - `unsupported`: this server does not answer such queries;
 * - `busy`: it has too much to do;
 * - `broken`: it has trouble of its own.
 */
export type ServerErrorKind = "final" | "missing" | "unsupported" | "busy" | "broken";

const rateLimits: ReadonlySet<number> = new Set([228, 429]);
// The reference's own numbers: failure, error, warning, broken protocol; not ready; out of time; given up.
const ownTrouble: ReadonlySet<number> = new Set([500, 502, 503, 601, 602, 603, 621, 653]);
const notReady = 651;
const outOfTime = 652;

const busyText = /too many (?:queries|requests)|rate.?limit|overload|\bbusy\b|try again/i;
const unsupportedText = /^unknown constructor|not allowed|not (?:implemented|supported)/i;
const missingText =
  /not in db|not found|cannot find block|cannot load (?:block|state)|unknown from the perspective|out of sync|not inited/i;

/** Sorts `liteServer.error` by its number and, where numbers do not tell, by the texts the reference is known to use. */
export function judgeServerError(code: number, message: string, need: Need): ServerErrorKind {
  if (rateLimits.has(code) || busyText.test(message)) return "busy";
  if (code === outOfTime) {
    // Out of time after a wait that was asked for: the block has not come, which is no sign of load.
    return need.waitMs > 0 ? "missing" : "busy";
  }
  if (code === notReady || missingText.test(message)) return "missing";
  if (code === 0 && unsupportedText.test(message)) return "unsupported";
  return ownTrouble.has(code) ? "broken" : "final";
}

/** What an answer is worth to the one who asked. */
export type AnswerVerdict =
  | { readonly kind: "good" }
  | {
      readonly kind: "serverError";
      readonly errorKind: ServerErrorKind;
      readonly code: number;
      readonly message: string;
    }
  /** Not to be believed. */
  | { readonly kind: "badProof"; readonly error: Error }
  /** Not to be read. */
  | { readonly kind: "nonsense"; readonly error: Error };

/** Judges an answer; what `accept` throws that is no word on the answer is thrown on, as the caller's own trouble. */
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
    if (need.newest && newestIn(answer) < need.atLeast)
      return { kind: "serverError", errorKind: "missing", code: notReady, message: "older than what was said before" };
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
    // An asker that looks deeper than we do may find a error where we saw none: it is the asker's to tell.
    return { kind: "good" };
  }
  throw error;
}

/** The newest block an answer to the query for it tells. */
function newestIn(answer: Uint8Array): number {
  const { boxed } =
    new TlReader(answer).nat() === getMasterchainInfo.answer.id
      ? getMasterchainInfo.answer
      : getMasterchainInfoExt.answer;
  return decode<{ readonly last: { readonly seqno: number } }>(boxed, answer).last.seqno;
}
