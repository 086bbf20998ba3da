import { isCoded } from "../../lib/errors.ts";
import { HistoryError, type HistoryErrorCode } from "../errors.ts";

/** What both engines tell of a refusal: PostgreSQL's five-character state, or what the driver says of its connection. */
interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** States in which the session, not the statement, is at fault: asking again may help. */
const sessionStates = /^(?:08|28|3D|40|53|57P|25P0[34])/;
/** Codes of the system, such as EPIPE, may look like states, of which none begins so. */
const sqlState = /^(?!E)[0-9A-Z]{5}$/;

/** Names what an engine threw by a code of this room; what is coded already stays. */
export function databaseError(error: unknown, doing: string): Error {
  if (isCoded(error)) return error;
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as DriverError;
  const text = typeof message === "string" ? message : String(error);
  const state = typeof code === "string" && code !== "" ? code : undefined;
  const data = state === undefined ? {} : { state };
  return new HistoryError(codeOf(state), `${doing}: ${text}`, { cause: error, data });
}

function codeOf(state: string | undefined): HistoryErrorCode {
  if (state === "53100" || state === "ENOSPC") return "history/full";
  if (state === "57014") return "history/timeout";
  // Everything that is no state of PostgreSQL is the driver's word on its connection.
  return state === undefined || (sqlState.test(state) && !sessionStates.test(state))
    ? "history/sql"
    : "history/database";
}
