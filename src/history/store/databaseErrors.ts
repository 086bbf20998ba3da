import { isCoded } from "../../lib/errors.ts";
import { HistoryError, type HistoryErrorCode } from "../errors.ts";

/** What both engines report: PostgreSQL's five-character state, or the driver's error code. */
interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** States that are a fault of the session, not of the statement: a retry may help. */
const sessionStates = /^(?:08|28|3D|40|53|57P|25P0[34])/;
/** System error codes such as EPIPE look like states, but no state begins with these letters. */
const sqlState = /^(?!E)[0-9A-Z]{5}$/;

/** Wraps an engine's error in a coded error of this room; coded errors stay as they are. */
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
  // Everything that is not a PostgreSQL state comes from the driver's connection.
  return state === undefined || (sqlState.test(state) && !sessionStates.test(state))
    ? "history/sql"
    : "history/database";
}
