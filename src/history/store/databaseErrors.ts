import { isCoded, type RoomCode } from "../../lib/errors.ts";
import { HistoryError } from "../errors.ts";

/** What both engines report: PostgreSQL's five-character state, or the driver's error code. */
interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** What a state means: the first pattern that matches, and what an operator can do about it. */
interface StateRule {
  readonly states: RegExp;
  readonly code: RoomCode<"history">;
  readonly advice?: string;
}

/**
 * Every class of states (PostgreSQL, appendix A). A fault of the session, of the server or of its operator may end
 * without a change of ours; only what is left, such as syntax, values and constraints, is a fault of our statements.
 */
const rules: readonly StateRule[] = [
  {
    states: /^(?:53100|ENOSPC|EDQUOT)$/,
    code: "history/full",
    advice: "free space on its disk; writing then continues without a restart",
  },
  { states: /^57014$/, code: "history/timeout" },
  {
    // 25006: read_only_sql_transaction, of a standby or of `default_transaction_read_only`.
    states: /^(?:25006|EROFS)$/,
    code: "history/read-only",
    advice: "make it writable; writing then continues without a restart",
  },
  {
    states: /^(?:42501|0P|0L|28|EACCES|EPERM)/,
    code: "history/denied",
    advice: "grant the missing privilege; this process retries",
  },
  {
    // An unknown table, column, schema or object: the program's own statements fit the tables that it made.
    states: /^(?:42P01|42703|42704|42883|3F000)$/,
    code: "history/tables",
    advice: 'tables were removed or changed: run "tongate db rebuild" and index again',
  },
  {
    states: /^(?:XX001|XX002|58P01)$/,
    code: "history/damaged",
    advice: 'restore a backup, or run "tongate db rebuild" and index again',
  },
  { states: /^(?:EMFILE|ENFILE|53000)$/, code: "history/database", advice: "raise the limit of open files" },
  /*
   * Connections (08), authentication (28), an unknown database (3D), rolled back transactions (40), resources (53),
   * what is in use or not in the needed state (55), the operator (57), the system (58), an old snapshot (72), the
   * server's configuration (F0), another server (HV), internal errors (XX); a prepared statement that the session lost
   * (26000), and a transaction that was idle or took too long (25P03, 25P04).
   */
  { states: /^(?:08|3D|40|53|55|57|58|72|F0|HV|XX|26000|25P0[34])/, code: "history/database" },
];

/**
 * States after which the session itself is of no use: the next one may be better. 0A000 is a plan of changed tables.
 */
const endsSession = /^(?:25006|0A000|26000|25P03|57P|08|F0|XX)/;

/** System error codes such as EPIPE look like states, but no state begins with these letters. */
const sqlState = /^(?!E)[0-9A-Z]{5}$/;

/** Wraps an engine's error in a coded error of this room; coded errors stay as they are. */
export function databaseError(error: unknown, doing: string): Error {
  if (isCoded(error)) return error;
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as DriverError;
  const text = typeof message === "string" ? message : String(error);
  const state = typeof code === "string" && code !== "" ? code : undefined;
  const data = state === undefined ? {} : { state };
  const rule = ruleOf(state);
  const advice = rule.advice === undefined ? "" : `; ${rule.advice}`;
  return new HistoryError(rule.code, `${doing}: ${text}${advice}`, { cause: error, data });
}

/** Whether PostgreSQL gave this error one of the states, whatever its code is here. */
export function hasState(error: unknown, states: RegExp): boolean {
  return isCoded(error) && states.test(String(Object(error.data).state ?? ""));
}

/** Whether a session should be replaced by a new one after this error. */
export function isSessionLost(error: unknown): boolean {
  return hasState(error, endsSession);
}

function ruleOf(state: string | undefined): Pick<StateRule, "code" | "advice"> {
  if (state === undefined) return { code: "history/sql" };
  const rule = rules.find(({ states }) => states.test(state));
  // Everything that is not a PostgreSQL state comes from the driver's connection.
  return rule ?? { code: sqlState.test(state) ? "history/sql" : "history/database" };
}

/**
 * The coded error of a session with the PostgreSQL server at this URL; a missing right names the role and the database,
 * as the server does not.
 */
export function sessionError(cause: unknown, doing: string, url: string): Error {
  const error = databaseError(cause, doing);
  if (!isCoded(error, "history/denied")) return error;
  const { username, pathname, host } = new URL(url);
  const role = username === "" ? "the default role" : `role ${decodeURIComponent(username)}`;
  const database = pathname.length > 1 ? `database ${pathname.slice(1)}` : "the default database";
  const text = `${error.message} (${role}, ${database}, server ${host})`;
  return new HistoryError("history/denied", text, { cause, data: error.data });
}
