import { isCoded } from "../../lib/errors.ts";
import { answerError as answerV2Error } from "../v2/errors.ts";

/** One error as v4 answers it. */
export interface V4Error {
  readonly status: number;
  readonly text: string;
}

/** The same statuses and texts as v2, and its own where v2 has no such case. */
export function answerError(error: unknown): V4Error {
  if (isCoded(error, "api/media-type")) return { status: 415, text: error.message };
  if (isCoded(error, "chain/not-found")) return { status: 404, text: error.message };
  return answerV2Error(error);
}
