import { type CodedError, isCoded } from "../../lib/errors.ts";
import type { AnyErrorCode } from "../declare/errorCodes.ts";
import { ApiError } from "../declare/errors.ts";
import { findRefusal } from "./refusals.ts";

/** One error as v3 answers it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly text: string;
}

type ErrorRow = (error: CodedError) => ErrorAnswer;

const says =
  (status: number, text?: string): ErrorRow =>
  ({ message }) => ({ status, text: text ?? message });

/** A fault of ours: what exactly is said in the log, where it can be mended. */
const unknown: ErrorAnswer = { status: 500, text: "internal server error: unexpected" };
const ours: ErrorRow = () => unknown;
/** Anything the contract has no words for. */
const other: ErrorRow = ({ message }) => ({ status: 500, text: `internal server error: ${message}` });
const stopping = says(503, "this server is stopping");

/** Every code of every room below, and what v3 answers; a test asks for the row of a new code. */
export const v3ErrorRows: Readonly<Partial<Record<AnyErrorCode, ErrorRow>>> = {
  "api/argument": says(422),
  "api/refusal": (error) => (error instanceof ApiError ? findRefusal(error) : undefined) ?? unknown,
  "api/body": says(422),
  "api/boc": says(422),
  "api/send": other,
  "api/stack-entry": other,
  "api/stack-value": other,
  "api/token": ours,
  "api/not-found": says(404, "Not Found"),
  "api/method": ({ data }) => ({ status: 405, text: `method ${data.method} is not supported` }),
  "api/rpc-method": says(404, "Not Found"),
  "api/rpc": says(422),
  "api/url": says(400),
  "api/body-size": says(413),
  "api/url-size": says(414),
  "api/header-size": says(431),
  "api/slow-request": says(408),
  "api/key": says(401, "API key does not exist"),
  "api/network": says(403, "Network not allowed"),
  "api/limit": says(429, "Ratelimit exceeded"),
  "api/busy": says(503),
  "api/unready": says(503),
  "api/key-file": ours,
  "api/refused": other,
  "api/unreachable": other,

  "lib/hex": says(422),
  "lib/base64": says(422),
  "lib/json": says(422),
  "lib/json-size": says(422),
  "lib/json-depth": says(422),
  "lib/argument": ({ data }) => ({ status: 422, text: `schema: error converting value for "${data.argument}"` }),
  "lib/shape": ours,
  "lib/range": ours,
  "lib/deadline": says(500, "internal server error: the answer took too long"),
  "lib/aborted": says(503, "the request was given up"),

  "cell/underflow": other,
  "cell/overflow": other,
  "cell/range": other,
  "cell/tag": other,
  "cell/leftover": other,
  "cell/depth": other,
  "cell/level": other,
  "cell/exotic": other,
  "cell/pruned": other,
  "cell/boc-magic": other,
  "cell/boc-header": other,
  "cell/boc-size": other,
  "cell/boc-cut": other,
  "cell/boc-trailing": other,
  "cell/boc-crc": other,
  "cell/boc-index": other,
  "cell/boc-order": other,
  "cell/boc-roots": other,
  "cell/boc-cell": other,
  "cell/boc-hash": other,
  "cell/dictionary": other,
  "cell/dictionary-key": other,
  "cell/proof": other,
  "cell/update": other,

  "model/address": says(422),
  "model/hash": says(422),
  "model/shard": says(422),
  "model/unknown": other,
  "model/value": other,

  "lite/timeout": other,
  "lite/closed": stopping,
  "lite/refused": other,
  "lite/handshake": other,
  "lite/frame": other,
  "lite/tl": other,
  "lite/tl-value": ours,
  "lite/server": other,
  "lite/busy": says(503),
  "lite/proof": other,
  "lite/none": other,
  "lite/behind": other,
  "lite/lost": other,
  "lite/record": ours,

  "tvm/busy": says(503),
  "tvm/timeout": other,
  "tvm/crash": ours,
  "tvm/closed": stopping,
  "tvm/input": says(422),
  "tvm/answer": ours,
  "tvm/library": other,

  "chain/no-workchain": other,
  "chain/not-token": other,
  "chain/not-found": other,
  "chain/no-message": other,
  "chain/not-external": other,
  "chain/old-block": other,
  "chain/method-failed": other,
  "chain/exit-code": other,
  "chain/stack-depth": other,
  "chain/name": other,
  "chain/too-many-libraries": other,
  "chain/fees": other,
  "chain/no-head": other,
  "chain/half-proof": other,

  "contracts/tag": other,
  "contracts/too-large": other,
  "contracts/text": other,
  "contracts/too-deep": other,
  "contracts/no-uri": ours,
  "contracts/no-match": ours,
  "contracts/limit": ours,
  "contracts/not-this": ours,

  "history/database": says(503, "the index cannot be reached"),
  "history/sql": ours,
  "history/timeout": says(500, "internal server error: the query took too long"),
  "history/full": ours,
  "history/locked": ours,
  "history/row": ours,
  "history/foreign": ours,
  "history/mismatch": ours,
  "history/absent": other,
  "history/document": ours,
  "history/question": says(422),

  "localnet/import": ours,
  "localnet/block": ours,
  "localnet/missing": other,
  "localnet/refusal": other,
  "localnet/wallet": ours,
  "localnet/amount": says(422),
  "localnet/data": ours,
  "localnet/locked": ours,
  "localnet/time": ours,
  "localnet/closed": stopping,
};

/** What is answered for whatever was thrown: a code without a row, and what has no code, is a fault of ours. */
export function answerError(error: unknown): ErrorAnswer {
  const rows: Readonly<Record<string, ErrorRow | undefined>> = v3ErrorRows;
  const row = isCoded(error) && Object.hasOwn(rows, error.code) ? rows[error.code] : undefined;
  return row === undefined || !isCoded(error) ? unknown : row(error);
}
