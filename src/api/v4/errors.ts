import { isCoded } from "../../lib/errors.ts";
import { answerError as answerV2Error } from "../v2/errors.ts";

/** An error answer of v4. */
export interface V4Error {
  readonly status: number;
  readonly text: string;
}

/** The statuses and texts of v2, and its own where v2 has no such case. */
export function answerError(error: unknown): V4Error {
  if (isCoded(error, "api/media-type")) return { status: 415, text: error.message };
  if (isCoded(error, "chain/not-found")) return { status: 404, text: error.message };
  return answerV2Error(error);
}
