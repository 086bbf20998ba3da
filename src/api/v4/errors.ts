import { isCoded } from "../../lib/errors.ts";
import { answerError as answerV2Error } from "../v2/errors.ts";

/** An error answer of v4. */
export interface V4Error {
  readonly status: number;
  readonly text: string;
}

/** Servers report with this code that they do not have something. */
const notReady = 651;

/**
 * The statuses and texts of v2, and its own where v2 has no such case. v2 answers 500 to much that clients or lite
 * servers cause, as its contract says; here only faults of our own are a 500.
 */
export function answerError(error: unknown): V4Error {
  if (isCoded(error, "api/media-type")) return { status: 415, text: error.message };
  if (isCoded(error, "chain/not-found")) return { status: 404, text: error.message };
  if (isCoded(error, "chain/no-workchain")) return { status: 404, text: error.message };
  const answer = answerV2Error(error);
  if (answer.status !== 500 || !isCoded(error) || error.kind === "ours") return answer;
  if (isCoded(error, "lite/server") && error.data.serverCode === notReady)
    return { status: 404, text: `no lite server has it: ${error.data.serverMessage ?? error.message}` };
  return { status: error.kind === "caller" ? 422 : 503, text: answer.text };
}
