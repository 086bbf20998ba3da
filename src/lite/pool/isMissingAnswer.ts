import { isCoded } from "../../lib/errors.ts";
import { noNeed } from "../tl/need.ts";
import { judgeServerError } from "./verdict.ts";

/** Whether a server answered that it does not have what was asked for. */
export function isMissingAnswer(error: unknown): boolean {
  if (!isCoded(error, "lite/server")) return false;
  const { serverCode, serverMessage } = error.data;
  return judgeServerError(Number(serverCode), String(serverMessage), noNeed) === "missing";
}
