import { isCoded } from "../../../../lib/errors.ts";
import { HistoryError } from "../../../errors.ts";
import { databaseError } from "../../databaseErrors.ts";

/** The coded error of a session with this server; a missing right names the role and the database, as the server does not. */
export function sessionError(cause: unknown, doing: string, url: string): Error {
  const error = databaseError(cause, doing);
  if (!isCoded(error, "history/denied")) return error;
  const { username, pathname, host } = new URL(url);
  const role = username === "" ? "the default role" : `role ${decodeURIComponent(username)}`;
  const database = pathname.length > 1 ? `database ${pathname.slice(1)}` : "the default database";
  const text = `${error.message} (${role}, ${database}, server ${host})`;
  return new HistoryError("history/denied", text, { cause, data: error.data });
}
