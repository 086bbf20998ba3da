import type { Step } from "../../chain/step.ts";
import { type CodedError, isCoded } from "../../lib/errors.ts";
import type { AnyErrorCode } from "../declare/errorCodes.ts";

/** What `@extra` says of an error: when and how long, as for any answer; that nothing was asked; or nothing at all. */
type Extra = "stamp" | "_" | "none";

/** How one code is answered. */
export interface ErrorRow {
  /** The HTTP status, which is also `code` in the body. */
  readonly status: number;
  readonly text: (error: CodedError) => string;
  readonly extra: Extra;
}

const ownMessage = ({ message }: CodedError) => message;

function row(status: number, text: string | ErrorRow["text"] = ownMessage, extra: Extra = "stamp"): ErrorRow {
  return { status, text: typeof text === "string" ? () => text : text, extra };
}

/** A fault of ours: what exactly is said in the log, where it can be mended. */
const ours = row(500, "internal error");
const badBag = row(500, ({ message }) => `INVALID_BAG_OF_CELLS: ${message}`);
const badCell = row(500, ({ message }) => `cannot deserialize bag-of-cells: ${message}`);
const network = row(500, ({ message }) => `LITE_SERVER_NETWORK: ${message}`);
const late = row(504, "LITE_SERVER_NETWORK timeout");

const serverKinds = new Map<unknown, string>([
  [601, "FAILURE"],
  [602, "ERROR"],
  [603, "WARNING"],
  [621, "PROTOVIOLATION"],
  [651, "NOTREADY"],
  [652, "TIMEOUT"],
  [653, "CANCELLED"],
]);

/** What stands before a server's complaint about one step of a longer question. */
const stepTexts = new Map<unknown, string>([
  ["from-block" satisfies Step, "lookup from block error: "],
  ["shards-at-lt" satisfies Step, "failed to get shards at create_lt: "],
]);

function liteServerText({ data, message }: CodedError): string {
  const [before, kind] = [stepTexts.get(data.step) ?? "", serverKinds.get(data.serverCode) ?? "UNKNOWN"];
  return `${before}LITE_SERVER_${kind}: ${data.serverMessage ?? message}`;
}

/** By what a server failed to prove. */
const proofKinds = new Map<unknown, string>([
  ["account", "ACCOUNT_STATE"],
  ["transaction", "TRANSACTION"],
  ["transactions", "TRANSACTION"],
  ["block transactions", "TRANSACTION"],
  ["configuration", "CONFIG"],
]);

function proofText({ data, message }: CodedError): string {
  return `VALIDATE_${proofKinds.get(data.what) ?? "BLOCK_PROOF"}: ${message}`;
}

/**
 * Which servers there are, and why none fits, is for the log and not for callers; but that all are kept for callers with
 * a key is what one without has to know.
 */
function noServerText({ data, message }: CodedError): string {
  const text = `failed to get session: no workers available (archival=0 mode=${data.mode ?? "Single"})`;
  return Array.isArray(data.servers) && data.servers.length === 0 ? `${text}: ${message}` : text;
}

/** What servers name where there is no block to name, as nodes write it. */
const noBlock = `(-2147483648,0000000000000000,0):${"0".repeat(64)}:${"0".repeat(64)}`;

/** Every code of every room below, and what v2 answers; a test asks for the row of a new code. */
export const v2ErrorRows: Readonly<Partial<Record<AnyErrorCode, ErrorRow>>> = {
  "api/argument": row(422),
  "api/refusal": ours,
  "api/body": row(422),
  "api/boc": row(500, ({ data, message }) => `INVALID_BAG_OF_CELLS: ${data.field ?? ""}${message}`),
  "api/send": row(400),
  "api/stack-entry": row(542),
  "api/stack-value": row(500),
  "api/token": row(500, "failed to serialize TokenData"),
  "api/not-found": row(404, "Not Found", "_"),
  "api/method": row(405, ({ data }) => `method ${data.method} is not supported`, "_"),
  "api/rpc-method": row(404, "Method not found", "_"),
  "api/rpc": row(422, ownMessage, "_"),
  "api/url": row(400, ownMessage, "_"),
  "api/body-size": row(413, ownMessage, "_"),
  "api/url-size": row(414, ownMessage, "_"),
  "api/header-size": row(431, ownMessage, "_"),
  "api/slow-request": row(408, ownMessage, "_"),
  "api/key": row(401, "API key does not exist", "none"),
  "api/network": row(403, "Network not allowed", "none"),
  "api/limit": row(429, "Ratelimit exceeded", "none"),
  "api/busy": row(503),
  "api/unready": row(503),
  "api/key-file": ours,
  "api/refused": ours,
  "api/unreachable": ours,

  "lib/hex": row(422),
  "lib/base64": row(422),
  "lib/json": row(422),
  "lib/json-size": row(422),
  "lib/json-depth": row(422),
  "lib/argument": row(422, ({ data }) => `failed to parse ${data.argument}`),
  "lib/shape": ours,
  "lib/range": ours,
  "lib/deadline": late,
  "lib/aborted": row(503, "the request was given up"),

  "cell/underflow": badCell,
  "cell/overflow": badCell,
  "cell/range": badCell,
  "cell/tag": badCell,
  "cell/leftover": badCell,
  "cell/depth": badCell,
  "cell/level": badCell,
  "cell/exotic": badCell,
  "cell/pruned": badCell,
  "cell/boc-magic": badBag,
  "cell/boc-header": badBag,
  "cell/boc-size": badBag,
  "cell/boc-cut": badBag,
  "cell/boc-trailing": badBag,
  "cell/boc-crc": badBag,
  "cell/boc-index": badBag,
  "cell/boc-order": badBag,
  "cell/boc-roots": badBag,
  "cell/boc-cell": badBag,
  "cell/boc-hash": badBag,
  "cell/dictionary": badCell,
  "cell/dictionary-key": badCell,
  "cell/proof": badCell,
  "cell/update": badCell,

  "model/address": row(422, "failed to parse address"),
  "model/hash": row(422, "failed to parse hash"),
  "model/shard": row(422, "failed to parse shard"),
  "model/unknown": row(500),
  "model/value": row(500),

  "lite/timeout": late,
  "lite/closed": row(503, "this server is stopping"),
  "lite/refused": network,
  "lite/handshake": network,
  "lite/frame": network,
  "lite/tl": network,
  "lite/tl-value": ours,
  "lite/server": row(500, liteServerText),
  "lite/busy": row(503),
  "lite/proof": row(500, proofText),
  "lite/none": row(542, noServerText),
  "lite/behind": network,
  "lite/lost": network,
  "lite/record": ours,

  "tvm/busy": row(503),
  "tvm/timeout": row(500),
  "tvm/crash": ours,
  "tvm/closed": row(503, "this server is stopping"),
  "tvm/input": row(422),
  "tvm/answer": ours,
  "tvm/library": row(500),

  "chain/no-workchain": row(500, `VALIDATE_ACCOUNT_STATEshard block id ${noBlock} in answer is invalid`),
  "chain/not-token": row(409, "Smart contract is not Jetton or NFT"),
  "chain/not-found": row(404, "transaction not found"),
  "chain/no-message": row(500),
  "chain/not-external": row(500),
  "chain/old-block": row(500),
  "chain/method-failed": row(500),
  "chain/exit-code": row(500),
  "chain/stack-depth": row(533),
  "chain/name": row(500),
  "chain/too-many-libraries": row(
    500,
    ({ message }) => `INVALID_FIELD: Field library_list has invalid value : ${message}`,
  ),
  "chain/fees": row(500),
  "chain/no-head": row(500),
  "chain/half-proof": row(500),

  "contracts/tag": row(500),
  "contracts/too-large": row(500),
  "contracts/text": row(500),
  "contracts/too-deep": row(500),
  "contracts/no-uri": row(500, "missing uri field in offchain data"),
  "contracts/no-match": ours,
  "contracts/limit": ours,
  "contracts/not-this": ours,

  "history/database": ours,
  "history/sql": ours,
  "history/timeout": ours,
  "history/full": ours,
  "history/locked": ours,
  "history/row": ours,
  "history/foreign": ours,
  "history/mismatch": ours,
  "history/absent": ours,
  "history/document": ours,
  "history/question": ours,

  "localnet/import": ours,
  "localnet/block": ours,
  "localnet/missing": row(500),
  "localnet/refusal": row(500),
  "localnet/wallet": ours,
  "localnet/amount": row(422),
  "localnet/data": ours,
  "localnet/locked": ours,
  "localnet/time": ours,
  "localnet/closed": row(503, "this server is stopping"),
};

/** What is answered for whatever was thrown: a code without a row, and what has no code, is a fault of ours. */
export function findErrorRow(error: unknown): ErrorRow | undefined {
  const rows: Readonly<Record<string, ErrorRow | undefined>> = v2ErrorRows;
  return isCoded(error) && Object.hasOwn(rows, error.code) ? rows[error.code] : undefined;
}

/** One error as v2 answers it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly text: string;
  readonly extra: Extra;
}

export function answerError(error: unknown): ErrorAnswer {
  const found = findErrorRow(error);
  return found === undefined || !isCoded(error)
    ? { status: 500, text: "internal error", extra: "stamp" }
    : { status: found.status, text: found.text(error), extra: found.extra };
}
