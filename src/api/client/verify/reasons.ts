import { type AnyCodedError, isCoded } from "../../../lib/errors.ts";
import { type UnprovedCode, UnprovedError } from "./UnprovedError.ts";

/** What is checked: the way to the newest block, or the answer at it. */
type Part = "head" | "answer";

/** Runs a part of a check; an error in it means that the answer is not proved, and says why. */
export async function orUnproved<T>(part: Part, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isCoded(cause) || cause instanceof UnprovedError || isCoded(cause, "lib/aborted")) throw cause;
    const { code, text } = reasonOf(part, cause);
    throw new UnprovedError(code, `${name}: ${text}; the server is faulty, or lies (${cause.message})`, { cause });
  }
}

/** A code whose errors carry no data, and what it means to a user. */
interface Reason {
  readonly code: Exclude<UnprovedCode, "verify/old-head" | "verify/clock">;
  readonly text: string;
}

function reasonOf(part: Part, cause: AnyCodedError): Reason {
  if (isCoded(cause, "lite/record")) return { code: "verify/missing-answer", text: "the proof is not complete" };
  if (isCoded(cause, "api/incomplete"))
    return { code: "verify/incomplete", text: "the list is not what was asked for" };
  const { reason, what } = isCoded(cause, "lite/proof") ? cause.data : {};
  if (reason === "weight") return { code: "verify/weight", text: "too few validators signed a block" };
  if (reason === "signature") return { code: "verify/signature", text: "a block is not signed by its validators" };
  if (part === "head") return { code: "verify/head", text: "the newest block of the server is not proved" };
  if (reason === "block") return { code: "verify/other-block", text: "the proof is about another block" };
  if (what === "account") return { code: "verify/other-account", text: "the proof is not about this account" };
  return { code: "verify/answer", text: "the answer does not follow from its proof" };
}
