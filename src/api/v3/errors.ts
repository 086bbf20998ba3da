import { type CodedError, type ErrorCode, isCoded } from "../../lib/errors.ts";
import { answerCoded, type ErrorTable } from "../declare/errorTable.ts";
import { findRefusal } from "./args/refusals.ts";

/** An error answer of v3. */
interface ErrorAnswer {
  readonly status: number;
  readonly text: string;
}

function row<Code extends ErrorCode>(
  status: number,
  text: string | ((error: CodedError<Code>) => string) = ({ message }) => message,
): (error: CodedError<Code>) => ErrorAnswer {
  return (error) => ({ status, text: typeof text === "string" ? text : text(error) });
}

/** An internal error: the log has the details, the answer does not. */
const internal: ErrorAnswer = { status: 500, text: "internal server error: unexpected" };
const ours = () => internal;
/** Anything for which the contract has no text. */
const other = row(500, ({ message }) => `internal server error: ${message}`);
const stopping = row(503, "this server is stopping");

/** The error answers of v3. */
export const v3Errors: ErrorTable<ErrorAnswer> = {
  kinds: { caller: row(422), remote: other, ours },
  prefixes: [
    ["cell/", other],
    ["chain/", other],
    ["contracts/", other],
    ["history/", ours],
    ["localnet/", ours],
  ],
  codes: {
    "api/refusal": (error) => findRefusal(error) ?? internal,
    "api/send": other,
    "api/stack-entry": other,
    "api/stack-value": other,
    "api/token": ours,
    "api/not-found": row(404, "Not Found"),
    "api/method": row(405, ({ data }) => `method ${data.method} is not supported`),
    "api/rpc-method": row(404, "Not Found"),
    "api/url": row(400),
    "api/body-size": row(413),
    "api/url-size": row(414),
    "api/header-size": row(431),
    "api/slow-request": row(408),
    "api/key": row(401, "API key does not exist"),
    "api/network": row(403, "Network not allowed"),
    "api/limit": row(429, "Ratelimit exceeded"),
    "api/answer-size": row(413),
    "api/busy": row(503),
    "api/unready": row(503),

    "lib/argument": row(422, ({ data }) => `schema: error converting value for "${data.argument}"`),
    "lib/deadline": row(503, "the answer took too long; try again, or ask for less at once"),
    "lib/aborted": row(503, "the request was cancelled"),
    "lib/storage": row(
      503,
      ({ data }) => `a file of this server cannot be used (${data.reason}); see the server's log`,
    ),

    "model/unknown": other,
    "model/value": other,

    "lite/closed": stopping,
    "lite/busy": row(503),
    "lite/record": ours,
    "lite/record-full": row(503),

    "tvm/timeout": other,
    "tvm/closed": stopping,

    "chain/no-start": row(422),
    "chain/no-block": row(422),

    "contracts/no-uri": ours,
    "contracts/no-match": ours,
    "contracts/limit": ours,
    "contracts/not-this": ours,

    "history/behind": row(503),
    "history/opening": row(503, "the index is being opened; try again in a moment"),
    "history/away": row(503, "the index cannot be reached"),
    "history/database": row(503, "the index cannot be reached"),
    "history/damaged": row(503, "the index is damaged; its operator must rebuild it"),
    "history/tables": row(503, "tables of the index are missing or changed; its operator must make them again"),
    "history/read-only": row(503, "the index cannot be written; try again later"),
    "history/denied": row(503, "the index cannot be used; its operator must give access to it"),
    "history/full": row(503, "the index cannot be used; the disk of its operator is full"),
    "history/timeout": row(503, "the query took too long; try again, or ask for less at once"),
    "history/absent": other,
    "history/request": row(422),
    "history/unsearched": row(422),
    "history/answer-size": row(413),
    "history/outside-scope": row(422),

    "localnet/missing": other,
    "localnet/refusal": other,
    "localnet/amount": row(422),
    "localnet/snapshot": row(422),
    "localnet/origin": row(503),
    "localnet/closed": stopping,
  },
};

/** The answer for any error; one without a code is an internal error. */
export function answerError(error: unknown): ErrorAnswer {
  return isCoded(error) ? answerCoded(v3Errors, error) : internal;
}
